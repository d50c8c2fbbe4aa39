public import HCI
import Wire

/// One advertisement in a report event, its data left where it lies.
public struct AdvertisingReport: Hashable, Sendable {
    /// Which of the three report events it came in.
    public enum Form: Hashable, Sendable {
        case legacy, directed, extended
    }

    /// Which of the reports it is.
    public var form: Form
    /// Event_Type as on the wire: one octet in legacy and directed reports, two in extended ones.
    public var kind: UInt16
    /// Who advertised.
    public var advertiser: DeviceAddress
    /// How strong it came in.
    public var rssi = SignalLevel.notAvailable
    /// How strong the advertiser says it sends.
    public var txPower = SignalLevel.notAvailable
    /// Advertising_SID; `nil` where there is none.
    public var setID: UInt8?
    /// Whom a directed advertisement is for.
    public var target: DeviceAddress?
    /// AD structures, or a piece of them.
    public var data: ArraySlice<UInt8>
}

/// Reads the reports of one event, row by row: each report stands whole after the other (Core Vol 4, Part E, 7.7.65.2).
struct AdvertisingReportReader {
    private var offset: Int
    private let end: Int
    /// How many reports the event announces.
    let announced: Int
    /// How many were read.
    private(set) var count = 0

    /// - Parameter octets: the packet; the reports' number stands at `offset`, the event ends at `end`
    init?(_ octets: [UInt8], at offset: Int, end: Int) {
        guard offset < end else { return nil }
        self.offset = offset + 1
        self.end = end
        announced = Int(octets[offset])
    }

    /// Octets behind the last report read.
    var remaining: Int { end - offset }

    /// The next report of the packet; `nil` behind the last one, and where the next one is not whole.
    mutating func next(_ form: AdvertisingReport.Form, of packet: [UInt8]) -> AdvertisingReport? {
        guard count < announced else { return nil }
        let report: AdvertisingReport?
        switch form {
        case .legacy: report = legacy(packet)
        case .directed: report = directed(packet)
        case .extended: report = extended(packet)
        }
        // Compared with `nil`, it would be copied.
        if case .some = report { count += 1 }
        return report
    }

    private mutating func legacy(_ packet: [UInt8]) -> AdvertisingReport? {
        guard let kind = packet.uint8(at: offset), let advertiser = packet.deviceAddress(at: offset + 1),
            let length = packet.uint8(at: offset + 8), end - offset >= 10 + Int(length),
            let rssi = packet.uint8(at: offset + 9 + Int(length))
        else { return nil }
        let data = packet[offset + 9..<offset + 9 + Int(length)]
        offset += 10 + Int(length)
        return AdvertisingReport(
            form: .legacy, kind: UInt16(kind), advertiser: advertiser, rssi: SignalLevel(rawValue: rssi), data: data)
    }

    private mutating func directed(_ packet: [UInt8]) -> AdvertisingReport? {
        guard let kind = packet.uint8(at: offset), let advertiser = packet.deviceAddress(at: offset + 1),
            let target = packet.deviceAddress(at: offset + 8), let rssi = packet.uint8(at: offset + 15),
            end - offset >= 16
        else { return nil }
        offset += 16
        return AdvertisingReport(
            form: .directed, kind: UInt16(kind), advertiser: advertiser, rssi: SignalLevel(rawValue: rssi),
            target: target,
            data: [])
    }

    private mutating func extended(_ packet: [UInt8]) -> AdvertisingReport? {
        guard let kind = packet.uint16(at: offset), let advertiser = packet.deviceAddress(at: offset + 2),
            let setID = packet.uint8(at: offset + 11), let txPower = packet.uint8(at: offset + 12),
            let rssi = packet.uint8(at: offset + 13), let target = packet.deviceAddress(at: offset + 16),
            let length = packet.uint8(at: offset + 23), end - offset >= 24 + Int(length)
        else { return nil }
        let data = packet[offset + 24..<offset + 24 + Int(length)]
        offset += 24 + Int(length)
        let isDirected = ExtendedAdvertisingKind(rawValue: kind).contains(.directed)
        return AdvertisingReport(
            form: .extended, kind: kind, advertiser: advertiser, rssi: SignalLevel(rawValue: rssi),
            txPower: SignalLevel(rawValue: txPower), setID: setID == 0xFF ? nil : setID,
            target: isDirected ? target : nil,
            data: data)
    }
}
