import ATT
import GATT
import HCI
import SMP
import Simulator
import Testing
import Wire

@testable import Host

/// Every scenario of the simulator, from the first command to the last; the hostile ones, and those that demand protection, have tests of
/// their own.
@Suite struct ScenarioTests {
    /// What is to become of a scenario's first strap.
    enum Expected: Hashable {
        /// The heart rate comes, for good.
        case streams
        /// The heart rate comes until the link ends.
        case ends(Status)
        case fails(HostError)
    }

    /// Those that do anything else than stream.
    private static let special: [String: Expected] = [
        "vanishing": .fails(.disconnected(.failedToBeEstablished)),
        "shaky": .fails(.disconnected(.failedToBeEstablished)),
        "vanishing-discovery": .fails(.disconnected(.connectionTimeout)),
        "leaving-discovery": .fails(.disconnected(.remoteUserTerminated)),
        "vanishing-stream": .ends(.connectionTimeout),
        "dropping": .ends(.connectionTimeout),
        "taken-off": .ends(.remoteUserTerminated),
        "invalid-parameters": .ends(.unacceptableConnectionParameters),
        "refusing": .fails(.security(.peerRefused(.pairingNotSupported))),
        "no-heart-rate": .fails(.peer(.serviceNotFound(0x180D))),
        "silent": .fails(.command(.unanswered(Opcode(rawValue: 0x0C03)))),
    ]

    private static let names: [String] = {
        let others = Set((Scenario.hostile + Scenario.protected + Scenario.bonded).map(\.name))
        return Scenario.all.map(\.name).filter { !others.contains($0) }
    }()

    @Test(arguments: names, [1, 2, 3] as [UInt64])
    func ends(_ name: String, _ seed: UInt64) throws {
        let scenario = try #require(Scenario.named(name))
        let expected = Self.special[name] ?? .streams
        var stage = Stage(scenario, seed: seed)
        let outcome = try play(scenario, on: &stage)
        #expect(outcome == expected)
        if case .streams = expected { #expect(stage.values.count >= 60) }
        #expect(stage.world.offences == [])
        #expect(stage.remains() == [])
    }

    /// Connects, subscribes, and stays for a minute and a half: long enough for a strap to ask for other parameters and to leave
    /// where it does not get them.
    private func play(_ scenario: Scenario, on stage: inout Stage) throws -> Expected {
        if let error = stage.start() { return .fails(error) }
        let target = try #require(scenario.straps.first?.address)
        switch stage.subscribe(to: target) {
        case .failed(let error):
            stage.pass(.seconds(10))
            return .fails(error)
        case .subscribed(let id):
            stage.pass(.seconds(90))
            return stage.ending(of: id).map { .ends($0) } ?? .streams
        }
    }

    /// Find the service, its characteristics, the descriptor; write it.
    @Test(arguments: ["strap", "bare", "wide", "legacy", "classic-buffers"])
    func fourRequestsUpToAndIncludingTheDescriptorsWrite(_ name: String) throws {
        let scenario = try #require(Scenario.named(name))
        var stage = Stage(scenario)
        #expect(stage.start() == nil)
        guard case .subscribed = stage.subscribe(to: scenario.straps[0].address) else {
            Issue.record("not subscribed")
            return
        }
        #expect(stage.requests.map(\.first) == [0x06, 0x08, 0x04, 0x12])
        #expect(stage.requests.last?.suffix(2) == [0x01, 0x00])
    }

    @Test func aWeakStrapIsReachedInTheEnd() throws {
        let scenario = try #require(Scenario.named("shaky"))
        var stage = Stage(scenario)
        #expect(stage.start() == nil)
        var outcomes: [Stage.Outcome] = []
        for _ in 0..<4 {
            outcomes.append(stage.subscribe(to: scenario.straps[0].address))
            stage.pass(.seconds(1))
        }
        #expect(outcomes.dropLast() == Array(repeating: .failed(.disconnected(.failedToBeEstablished)), count: 3)[...])
        guard case .subscribed = outcomes.last else {
            Issue.record("\(outcomes)")
            return
        }
    }

    @Test func fourStrapsAtOnce() throws {
        let scenario = Scenario.straps
        var stage = Stage(scenario)
        #expect(stage.start() == nil)
        var connections: [ConnectionID] = []
        for strap in scenario.straps {
            guard case .subscribed(let id) = stage.subscribe(to: strap.address) else {
                Issue.record("\(strap.name) is not subscribed")
                return
            }
            connections.append(id)
        }
        #expect(Set(connections.map(\.handle)).count == 4)
        let before = stage.values.count
        stage.pass(.seconds(60))
        let later = stage.values[before...]
        for id in connections { #expect(later.filter { $0.source.connection == id }.count >= 55) }
        #expect(stage.world.offences == [])
        #expect(stage.remains() == [])
    }

    @Test func aStrapThatIsSwitchedOffIsConnectedAgainWhenItComesBack() throws {
        let scenario = try #require(Scenario.named("dropping"))
        let target = scenario.straps[0].address
        var stage = Stage(scenario)
        #expect(stage.start() == nil)
        for generation in 1...5 {
            guard case .subscribed(let id) = stage.subscribe(to: target) else {
                Issue.record("connection \(generation) is not subscribed")
                return
            }
            #expect(id.generation == UInt64(generation))
            let before = stage.values.count
            let hasEnded = stage.pass { $0.ending(of: id) != nil }
            #expect(hasEnded)
            #expect(stage.values.count > before + 20)
        }
        #expect(stage.world.offences == [])
        #expect(stage.remains() == [])
    }

    @Test func theWholeDatabaseIsReadWhileTheHeartRateComes() throws {
        var stage = Stage(.strap)
        #expect(stage.start() == nil)
        guard case .subscribed(let id) = stage.subscribe(to: Scenario.strap.straps[0].address),
            case .success(.database(let database)) = stage.answer(to: .gatt(id, .discover))
        else {
            Issue.record("not discovered")
            return
        }
        let services = database.services.map(\.uuid)
        #expect(Set([0x1800, 0x1801, 0x180D, 0x180A, 0x180F] as [BluetoothUUID]).isSubset(of: services))
        let location = try #require(database.services.flatMap(\.characteristics).first { $0.uuid == 0x2A38 })
        #expect(stage.answer(to: .gatt(id, .read(location.valueHandle))) == .success(.value([0x01])))
        #expect(stage.remains() == [])
    }
}
