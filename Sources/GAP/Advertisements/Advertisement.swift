public import HCI

/// One advertisement or scan response, whole, whichever kind of report told of it.
public struct Advertisement: Hashable, Sendable {
    /// Who sent it; nobody in particular where the kind is `anonymous`.
    public var advertiser: DeviceAddress
    /// What it was on air.
    public var kind: AdvertisementKind
    /// In dBm; `nil` where the controller does not know.
    public var rssi: Int8?
    /// The power it was sent with, in dBm, where the report itself tells.
    public var txPower: Int8?
    /// AD structures, as sent.
    public var data: [UInt8]
    /// Whether the end of the data was lost.
    public var isTruncated: Bool

    public init(
        advertiser: DeviceAddress, kind: AdvertisementKind, rssi: Int8? = nil, txPower: Int8? = nil, data: [UInt8] = [],
        isTruncated: Bool = false
    ) {
        self.advertiser = advertiser
        self.kind = kind
        self.rssi = rssi
        self.txPower = txPower
        self.data = data
        self.isTruncated = isTruncated
    }

    /// From a legacy report, which is always whole.
    public init(_ report: LEAdvertisingReport.Report) {
        self.init(
            advertiser: report.advertiser, kind: AdvertisementKind(report.kind), rssi: report.rssi.dBm,
            data: report.data)
    }

    /// From a directed report, which has no data.
    public init(_ report: LEDirectedAdvertisingReport.Report) {
        self.init(advertiser: report.advertiser, kind: AdvertisementKind(report.kind), rssi: report.rssi.dBm)
    }

    /// From the last piece of an extended report.
    init(_ report: LEExtendedAdvertisingReport.Report, data: [UInt8], isTruncated: Bool) {
        self.init(
            advertiser: report.advertiser, kind: AdvertisementKind(report.kind), rssi: report.rssi.dBm,
            txPower: report.txPower.dBm, data: data, isTruncated: isTruncated)
    }
}
