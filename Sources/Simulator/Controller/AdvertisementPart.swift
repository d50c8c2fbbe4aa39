import HCI
import Wire

/// What one report tells: an advertisement, or the answer to a scan request.
struct AdvertisementPart {
    private let kind: AdvertisingKind
    private let extendedKind: ExtendedAdvertisingKind
    private let advertiser: DeviceAddress
    private let data: [UInt8]
    private let level: Int8
    /// Whom a directed advertisement is for.
    var target = DeviceAddress.zero

    init(_ advertisement: Advertisement, _ advertiser: DeviceAddress) {
        switch advertisement.form {
        case .connectable:
            kind = .connectable
            extendedKind = [.legacy, .scannable, .connectable]
        case .directed:
            kind = .directed
            extendedKind = [.legacy, .directed, .connectable]
        case .scannable:
            kind = .scannable
            extendedKind = [.legacy, .scannable]
        case .nonConnectable, .extended:
            kind = .nonConnectable
            extendedKind = .legacy
        }
        self.advertiser = advertiser
        data = kind == .directed ? [] : advertisement.data
        level = advertisement.level
    }

    init(responding advertisement: Advertisement, _ advertiser: DeviceAddress) {
        kind = .scanResponse
        let answered: ExtendedAdvertisingKind = [.legacy, .scanResponse, .scannable]
        extendedKind = advertisement.isConnectable ? answered.union(.connectable) : answered
        self.advertiser = advertiser
        data = advertisement.scanResponse
        level = advertisement.level
    }

    var legacyReport: LEAdvertisingReport.Report {
        .init {
            $0.kind = kind
            $0.advertiser = advertiser
            $0.data = data
            $0.rssi = SignalLevel(dBm: level)
        }
    }

    var extendedReport: LEExtendedAdvertisingReport.Report {
        .init {
            $0.kind = extendedKind
            $0.advertiser = advertiser
            $0.target = target
            $0.data = data
            $0.rssi = SignalLevel(dBm: level)
        }
    }

    /// For a target that the controller does not recognise.
    func directedReport(to target: DeviceAddress) -> LEDirectedAdvertisingReport.Report {
        .init {
            $0.kind = kind
            $0.advertiser = advertiser
            $0.target = target
            $0.rssi = SignalLevel(dBm: level)
        }
    }
}
