import GAP
import HCI
import Wire

/// A phone that scans all day, and now and then connects to something. No data: btmon 5.66 ends early on much of that.
struct ScanningPhone {
    private var generator: SeededGenerator
    private let neighbourhood: Neighbourhood

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        neighbourhood = Neighbourhood(seed: seed)
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
            for _ in 0..<400 {
                tape.receive(neighbourhood.anyReport(&generator), after: Int.random(in: 1...20, using: &generator))
            }
            tape.run(LESetExtendedScanEnable { $0.isEnabled = false })
            connection(on: &tape)
        }
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
        tape.start(Disconnect { ($0.handle, $0.reason) = (handle, .remoteUserTerminated) })
        tape.receive(
            DisconnectionComplete { ($0.handle, $0.reason) = (handle, .terminatedByLocalHost) }.packet)
    }
}
