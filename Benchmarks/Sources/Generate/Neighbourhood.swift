import GAP
import HCI
import Wire

/// What advertises around a phone, each with the event that reports it.
struct Neighbourhood {
    private let reports: [[UInt8]]

    init(seed: UInt64) {
        reports = (0..<512).map { number in
            var own = SeededGenerator(seed: seed &+ UInt64(number))
            return Advertiser(number, &own).report
        }
    }

    /// One of them, heard more or less strongly.
    func anyReport(_ generator: inout SeededGenerator) -> [UInt8] {
        var report = reports[Int.random(in: 0..<reports.count, using: &generator)]
        // The last octet of a legacy report's event, the nineteenth of an extended one's.
        let place = report[3] == LESubevent.advertisingReport.rawValue ? report.count - 1 : 18
        report[place] = UInt8(bitPattern: Int8.random(in: -100 ... -40, using: &generator))
        return report
    }
}

/// Something that advertises, legacy or extended.
struct Advertiser {
    /// The event that reports it, its H4 type octet first.
    let report: [UInt8]

    init(_ number: Int, _ generator: inout SeededGenerator) {
        let data = Self.data(number, &generator).encoded
        let bits = Address(rawValue: generator.next())
        let device = DeviceAddress(number.isMultiple(of: 3) ? .public : .random, bits)
        let kind = number.isMultiple(of: 5) ? AdvertisingKind.nonConnectable : .connectable
        if number.isMultiple(of: 2) {
            report =
                LEAdvertisingReport {
                    $0.reports = [.init { ($0.kind, $0.advertiser, $0.data) = (kind, device, data) }]
                }.packet
        } else {
            report =
                LEExtendedAdvertisingReport {
                    $0.reports = [
                        .init {
                            $0.kind = ExtendedAdvertisingKind(rawValue: kind == .connectable ? 0x13 : 0x10)
                            ($0.advertiser, $0.data) = (device, data)
                        }
                    ]
                }.packet
        }
    }

    /// What one meets in a street: phones and earphones of Apple, beacons, sensors, things with a name.
    private static func data(_ number: Int, _ generator: inout SeededGenerator) -> AdvertisingData {
        func octets(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) } }
        let flags = ADValue.flags([.generalDiscoverable, .brEdrNotSupported])
        switch number % 8 {
        case 0, 1: return AdvertisingData([flags, .manufacturer(ManufacturerData(0x004C, [0x10, 0x05] + octets(5)))])
        case 2:
            return AdvertisingData([flags, .manufacturer(ManufacturerData(0x004C, [0x02, 0x15] + octets(21)))])
        case 3:
            return AdvertisingData([
                flags, .services(ADServiceList([0x180D, 0x180F])), .name("Belt \(number)", isComplete: true),
            ])
        case 4: return AdvertisingData([.manufacturer(ManufacturerData(0x0006, [0x01, 0x09] + octets(23)))])
        case 5: return AdvertisingData([flags, .serviceData(ServiceData(0xFE9F, octets(20)), width: .bits16)])
        case 6:
            return AdvertisingData([
                flags, .txPower(4), .appearance(0x0341), .name("Sensor \(number)", isComplete: true),
            ])
        default:
            return AdvertisingData([
                flags, .services(ADServiceList(isComplete: false, [0xFEF5])),
                .manufacturer(ManufacturerData(0x0075, octets(14))),
            ])
        }
    }
}
