import CReference
import GAP
import HCI
import Wire

/// The hot path of a scan: each way of reading the same packets gives the same result.
struct Reading: Equatable {
    /// Every report's fields, mixed into one number.
    var mixed: UInt64 = 0
    /// Reports that list service 180D.
    var straps: UInt64 = 0
}

/// A way to read LE Advertising Report events.
enum Way: String, CaseIterable {
    /// A loop in C over the octets.
    case c
    /// The library's lazy views.
    case views
    /// The library's decoded values, as `hr-raw decode` takes them.
    case values

    func read(_ packets: [[UInt8]], times: Int) -> Reading {
        var reading = Reading()
        for _ in 0..<times {
            for packet in packets {
                switch self {
                case .c: reading.addInC(packet)
                case .views: reading.addViews(packet)
                case .values: reading.addValues(packet)
                }
            }
        }
        return reading
    }
}

extension Reading {
    fileprivate mutating func addInC(_ packet: [UInt8]) {
        var result = reference_result(mixed: mixed, straps: straps)
        packet.withUnsafeBufferPointer { reference_read($0.baseAddress, $0.count, &result) }
        mixed = result.mixed
        straps = result.straps
    }

    fileprivate mutating func addViews(_ packet: [UInt8]) {
        guard var reports = AdvertisingReportViews(packet: packet.span) else { return }
        while let report = reports.next() {
            add(report.address, report.kind.rawValue, report.addressKind.rawValue, report.rssi.rawValue)
            if AdvertisingDataView(report.data).lists(service: 0x180D) { straps &+= 1 }
        }
    }

    fileprivate mutating func addValues(_ packet: [UInt8]) {
        guard case .event(let code, let parameters) = try? Packet(decoding: packet),
            case .le(.advertisingReport(let event)) = try? Event(code, parameters: parameters)
        else { return }
        for report in event.reports {
            add(
                report.advertiser.address, report.kind.rawValue, report.advertiser.kind.rawValue, report.rssi.rawValue)
            let isStrap = AdvertisingData(decoding: report.data).values.contains { value in
                if case .services(let list) = value { list.uuids.contains(0x180D) } else { false }
            }
            if isStrap { straps &+= 1 }
        }
    }

    private mutating func add(_ address: Address, _ kind: UInt8, _ addressKind: UInt8, _ rssi: UInt8) {
        mixed &+= address.rawValue ^ UInt64(kind) << 48 ^ UInt64(addressKind) << 56 ^ UInt64(rssi)
    }
}
