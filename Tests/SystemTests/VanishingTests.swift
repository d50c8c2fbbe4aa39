import ATT
import GAP
import GATT
import HCI
import Simulator
import Testing
import Wire

@testable import Host

/// A peer that goes away in each phase, and a caller who loses patience in each: the right error, and nothing left over.
@Suite struct VanishingTests {
    private let target = Scenario.strap.straps[0].address

    @Test func whileConnecting() {
        var stage = Stage(Scenario(name: "", summary: "", straps: []))
        #expect(stage.start() == nil)
        #expect(stage.subscribe(to: target, within: .seconds(10)) == .failed(.timedOut(.connecting)))
        #expect(!stage.world.isInitiating)
        #expect(stage.remains() == [])
    }

    /// At each of the four requests, and at each of those that follow.
    @Test(arguments: 1...12)
    func atRequest(_ number: Int) {
        for manner in [StrapPlan.Departure.Manner.vanishing, .leaving(.remoteUserTerminated)] {
            let plan = StrapPlan.simulated(1) {
                $0.departure = .init(.atRequest(number), manner, returnsAfter: .seconds(2), times: 1)
            }
            let reason: Status = manner == .vanishing ? .connectionTimeout : .remoteUserTerminated
            var stage = Stage(Scenario(name: "", summary: "", straps: [plan]))
            #expect(stage.start() == nil)
            switch stage.subscribe(to: plan.address) {
            case .failed(let error):
                #expect(number <= 4)
                #expect(error == .disconnected(reason))
            case .subscribed(let id):
                #expect(number > 4)
                let discovery = stage.answer(to: .gatt(id, .discover))
                #expect(discovery == .failure(.disconnected(reason)))
            }
            // It comes back, and everything works as if nothing had been.
            guard case .subscribed = stage.subscribe(to: plan.address) else {
                Issue.record("request \(number), \(manner): not connected again")
                return
            }
            #expect(stage.world.offences == [])
            #expect(stage.remains() == [])
        }
    }

    private static let characteristic = NotifyingCharacteristic(
        service: HandleRange(0x0010, 0x0016), uuid: 0x2A37, valueHandle: 0x0012, properties: [.notify],
        configurationHandle: 0x0013, configuration: .notifications)

    /// Every procedure that makes a request whenever it is asked for; a short write is what sets the energy back.
    private static let procedures: [HostEngine.GATTRequest] = [
        .discover, .discoverService(0x180D), .read(0x0003), .readValues([0x0003, 0x0005, 0x0012]), .readEvery(0x2803),
        .write(0x0016, [1]), .write(0x0003, [UInt8](repeating: 7, count: 100)),
        .writeReliably([.init([1], to: 0x0003), .init([2], to: 0x0016)]), .learnCaching(characteristic),
        .enable(characteristic),
    ]

    /// At each of its requests, in its first run or a later one.
    @Test(arguments: procedures, 1...6)
    func inAProcedure(_ procedure: HostEngine.GATTRequest, atRequest number: Int) {
        for manner in [StrapPlan.Departure.Manner.vanishing, .leaving(.remoteUserTerminated)] {
            let plan = StrapPlan.simulated(1) {
                $0.departure = .init(.atRequest(number), manner, returnsAfter: .seconds(2), times: 1)
            }
            var stage = Stage(Scenario(name: "", summary: "", straps: [plan]))
            #expect(stage.start() == nil)
            guard
                case .success(.connected(let connection)) = stage.answer(
                    to: .connect(plan.address, .heartRate, within: .seconds(30)))
            else {
                Issue.record("not connected")
                return
            }
            var last: HostError?
            for _ in 1...number where last == nil {
                if case .failure(let error) = stage.answer(to: .gatt(connection.id, procedure)), !error.isRefusal {
                    last = error
                }
            }
            #expect(last == .disconnected(manner == .vanishing ? .connectionTimeout : .remoteUserTerminated))
            #expect(stage.remains() == [])
        }
    }

    @Test func inMidStream() throws {
        let scenario = try #require(Scenario.named("vanishing-stream"))
        var stage = Stage(scenario)
        #expect(stage.start() == nil)
        guard case .subscribed(let id) = stage.subscribe(to: scenario.straps[0].address) else {
            Issue.record("not subscribed")
            return
        }
        let read = stage.ask(.gatt(id, .read(0x0003)))
        let hasEnded = stage.pass { $0.ending(of: id) != nil }
        #expect(hasEnded)
        // The last one may be lost with the link.
        #expect((4...5).contains(stage.values.count))
        #expect(stage.answers[read] != nil)
        #expect(stage.subscribe(to: scenario.straps[0].address) == .failed(.timedOut(.connecting)))
        #expect(stage.remains() == [])
    }

    @Test func whileScanning() throws {
        let scenario = try #require(Scenario.named("crowd"))
        var stage = Stage(scenario)
        #expect(stage.start() == nil)
        #expect(stage.answer(to: .scan(isActive: true)) == .success(.done))
        stage.pass(.seconds(20))
        #expect(Set(stage.sightings.map(\.advertisement.advertiser)).count > 100)
        // Connecting stops the scan and goes on with it afterwards.
        guard case .subscribed(let id) = stage.subscribe(to: scenario.straps[0].address) else {
            Issue.record("not subscribed")
            return
        }
        stage.pass(.seconds(5))
        #expect(stage.world.isScanning)
        #expect(stage.answer(to: .disconnect(id)) == .success(.done))
        #expect(stage.world.offences == [])
        #expect(stage.remains() == [])
    }

    /// The caller gives up at any moment; whatever was under way comes to its end.
    @Test(arguments: Array(stride(from: 0, to: 1500, by: 50)))
    func theCallerGivesUp(after milliseconds: Int) {
        var stage = Stage(.strap)
        #expect(stage.start() == nil)
        let connect = stage.ask(.connect(target, .heartRate, within: .seconds(30)))
        stage.pass(.milliseconds(Int64(milliseconds)))
        if case .success(.connected(let connection)) = stage.answers[connect] {
            stage.ask(.gatt(connection.id, .discover))
            stage.pass(.milliseconds(100))
        }
        #expect(stage.remains() == [])
        #expect(stage.world.offences.allSatisfy { $0 == cancelledTooLate })
    }

    /// LE Create Connection Cancel when the connection had just come about: no fault of anybody's.
    private let cancelledTooLate = Offence.refusedCommand(Opcode(rawValue: 0x200E), .commandDisallowed)
}

extension HostError {
    /// Whether the peer answered, if only that it would not.
    fileprivate var isRefusal: Bool { if case .peer = self { true } else { false } }
}
