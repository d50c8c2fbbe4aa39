import GAP
import HCI
import Wire

/// A phone that scans all day, and now and then connects to something. No data: btmon 5.66 ends early on much of that.
struct ScanningPhone {
    private var generator: SeededGenerator
    private let reports: [[UInt8]]

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        reports = (0..<512).map { number in
            var own = SeededGenerator(seed: seed &+ UInt64(number))
            return Advertiser(number, &own).report
        }
    }

    /// From switching Bluetooth on to switching it off: some 5,000 records.
    mutating func record(on tape: inout Tape) {
        StartUp.record(on: &tape)
        for _ in 0..<10 where !tape.isFull {
            tape.run(
                LESetExtendedScanParameters {
                    $0.ownAddressKind = .random
                    $0.phys = .le1M
                    $0.scans = [
                        .init {
                            ($0.kind, $0.interval, $0.window) = (.active, .init(rawValue: 96), .init(rawValue: 48))
                        }
                    ]
                })
            tape.run(LESetExtendedScanEnable { $0.isEnabled = true })
            for _ in 0..<400 { tape.receive(anyReport(), after: Int.random(in: 1...20, using: &generator)) }
            tape.run(LESetExtendedScanEnable { $0.isEnabled = false })
            connection(on: &tape)
        }
    }

    private mutating func anyReport() -> [UInt8] {
        var report = reports[Int.random(in: 0..<reports.count, using: &generator)]
        // The strength changes from one to the next: the last octet of a legacy report, the eleventh of an extended one.
        let place = report[3] == LESubevent.advertisingReport.rawValue ? report.count - 1 : 18
        report[place] = UInt8(bitPattern: Int8.random(in: -100 ... -40, using: &generator))
        return report
    }

    private mutating func connection(on tape: inout Tape) {
        let handle = ConnectionHandle(rawValue: UInt16.random(in: 1...16, using: &generator))
        let peer = DeviceAddress(.random, Address(rawValue: generator.next() | 0xC000_0000_0000))
        tape.start(
            LEExtendedCreateConnection {
                ($0.ownAddressKind, $0.peer, $0.phys) = (.random, peer, .le1M)
                $0.initiations = [.init()]
            })
        tape.receive(
            LEEnhancedConnectionComplete {
                ($0.handle, $0.peer, $0.interval) = (handle, peer, ConnectionInterval(rawValue: 39))
                $0.supervisionTimeout = SupervisionTimeout(rawValue: 500)
            }.packet, after: 120)
        tape.receive(LEChannelSelectionAlgorithm { ($0.handle, $0.algorithm) = (handle, 1) }.packet)
        tape.start(LEReadRemoteFeatures { $0.handle = handle })
        tape.receive(LEReadRemoteFeaturesComplete { ($0.handle, $0.features) = (handle, [.encryption, .le2M]) }.packet)
        tape.start(ReadRemoteVersionInformation { $0.handle = handle })
        tape.receive(
            ReadRemoteVersionInformationComplete {
                ($0.handle, $0.version, $0.manufacturer) = (handle, SpecificationVersion(rawValue: 9), 0x006B)
            }.packet)
        tape.receive(LEDataLengthChange { ($0.handle, $0.txOctets, $0.txTime) = (handle, 251, 2120) }.packet)
        for _ in 0..<60 {
            let completion = NumberOfCompletedPackets.Completion(handle, count: 1)
            tape.receive(NumberOfCompletedPackets { $0.completions = [completion] }.packet, after: 30)
        }
        tape.start(LEConnectionUpdate { $0.handle = handle })
        tape.receive(
            LEConnectionUpdateComplete {
                ($0.handle, $0.interval) = (handle, ConnectionInterval(rawValue: 80))
                $0.supervisionTimeout = SupervisionTimeout(rawValue: 500)
            }.packet)
        tape.start(Disconnect { ($0.handle, $0.reason) = (handle, .remoteUserTerminatedConnection) })
        tape.receive(
            DisconnectionComplete { ($0.handle, $0.reason) = (handle, .connectionTerminatedByLocalHost) }.packet)
    }
}

/// Something that advertises, legacy or extended.
private struct Advertiser {
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
