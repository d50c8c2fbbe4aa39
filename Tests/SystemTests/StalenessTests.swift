import HCI
import HeartRate
import Host
import Testing
import Wire

@testable import Simulator

/// A heart rate that is no longer true, whatever the link says, and the gaps that tell of it.
@Suite struct StalenessTests {
    private func scenario(_ adjust: (inout StrapPlan) -> Void) -> Scenario {
        Scenario(name: "", summary: "", straps: [.simulated(1, adjust)])
    }

    @Test func aStrapThatSendsNothingForLong() async throws {
        let plan = MeasurementPlan(energyEvery: 0, hasIntervals: false, period: .seconds(40))
        let watched = try await watch(scenario { $0.measurement = plan }, for: .seconds(200))
        #expect(watched.states.last == "subscribed")
        #expect(watched.measurements.count == 4)
        #expect(watched.stale.count == 5)
        for staleness in watched.stale {
            #expect(staleness.kind == .silent)
            let delay = staleness.noticed - staleness.since
            #expect(delay >= .seconds(10) && delay < .seconds(11))
        }
        #expect(watched.gaps.map(\.reason) == [.silence, .silence, .silence, .silence])
        // Each gap ends with a measurement, and the first three begin with one.
        for gap in watched.gaps { #expect(watched.measurements.contains { $0.moment == gap.to }) }
        for gap in watched.gaps.dropFirst() { #expect(watched.measurements.contains { $0.moment == gap.from }) }
    }

    @Test func aStrapThatRepeatsItsLastMeasurement() async throws {
        let frozen = try #require(Scenario.named("frozen"))
        let watched = try await watch(frozen, for: .seconds(120))
        #expect(watched.stale.map(\.kind) == [.frozen])
        let staleness = try #require(watched.stale.first)
        #expect(staleness.noticed - staleness.since <= .seconds(35))
        #expect(watched.measurements.filter { $0.moment > staleness.since }.count > 80)
    }

    /// With many hearts, for long: none of them is ever called stuck.
    @Test func aStrapThatWorksIsNotStale() async throws {
        let steady = scenario {
            $0.heart = HeartPlan(rate: 48, swing: 0, variability: 0.02)
            $0.measurement.hasIntervals = false
        }
        let others = try ["wide", "no-contact"].map { try #require(Scenario.named($0)) }
        for scenario in [.strap, steady] + others {
            let watched = try await watch(scenario, for: .seconds(500))
            #expect(watched.stale == [], "\(scenario.name)")
        }
    }

    // MARK: The adapter's own reset

    @Test(arguments: [ResettingController.Manner.hardwareError, .silent])
    func monitorsGoOn(_ manner: ResettingController.Manner) async throws {
        let world = SimulatedWorld(.straps, seed: 1)
        let controller = ResettingController(world, manner, at: .seconds(60))
        let watched = try await withVirtualCentral(over: controller) { central in
            await withTaskGroup(of: Watched.self) { group in
                for strap in Scenario.straps.straps {
                    group.addTask { await watch(central, .target(strap.address), for: .seconds(180)) }
                }
                return await group.reduce(into: [Watched]()) { $0.append($1) }
            }
        }
        #expect(watched.count == 4)
        for one in watched {
            #expect(one.error == nil)
            #expect(one.gaps.map(\.reason) == [.adapterReset])
            let gap = try #require(one.gaps.first)
            #expect(gap.to - gap.from < .seconds(manner == .silent ? 20 : 8))
            #expect(one.measurements.count > 140)
            #expect(one.subscribed.map(\.id.generation).min() != one.subscribed.map(\.id.generation).max())
        }
    }
}

/// A controller that loses its memory once.
struct ResettingController: VirtualController {
    /// How it does that.
    enum Manner: Sendable {
        /// It says so: Hardware Error (Core Vol 4, Part E, 7.7.16).
        case hardwareError
        /// It says nothing.
        case silent
    }

    private var world: SimulatedWorld
    private let manner: Manner
    private var due: Moment?

    init(_ world: SimulatedWorld, _ manner: Manner, at time: Duration) {
        self.world = world
        self.manner = manner
        due = .zero + time
    }

    var nextDeadline: Moment? { [world.nextDeadline, due].compactMap(\.self).min() }

    mutating func receive(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        world.receive(packet, at: now, into: &output)
    }

    mutating func advance(to now: Moment, into output: inout [[UInt8]]) {
        if let due, due <= now {
            self.due = nil
            world.restart(at: now)
            if manner == .hardwareError { output.append([0x04, 0x10, 0x01, 0x42]) }
        }
        world.advance(to: now, into: &output)
    }
}
