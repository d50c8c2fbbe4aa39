import HCI
import HeartRate
import Host
import Simulator
import Synchronization
import Testing
import Wire

/// Twenty straps over one adapter.
@Suite struct ManyStrapsTests {
    /// Every measurement that the controller brings reaches its reader, in order, and nobody else's.
    @Test func twentyStream() async throws {
        let record = Record()
        let controller = TappedController(SimulatedWorld(.twenty), brought: record.note)
        let watched = try await watchAll(controller, .twenty, for: .seconds(300))
        #expect(watched.count == 20)
        for one in watched {
            #expect(one.error == nil)
            #expect(one.gaps == [])
            #expect(one.stale == [])
            #expect(one.measurements.count > 280)
            let handle = try #require(one.subscribed.first).id.handle
            let told = one.measurements.map(\.measurement.raw)
            let brought = record.values(of: handle)
            #expect(brought.starts(with: told))
            // What comes while the link is being ended is nobody's any more.
            #expect(brought.count - told.count <= 1)
            // The times between beats add up to the time that passed.
            let ticks = one.measurements.dropFirst().flatMap(\.measurement.intervals).reduce(0) { $0 + Int($1.ticks) }
            let first = try #require(one.measurements.first)
            let last = try #require(one.measurements.last)
            let seconds = Double((last.moment - first.moment).wholeNanoseconds) / 1e9
            #expect(abs(Double(ticks) / 1024 - seconds) < 2.5)
        }
    }

    /// One strap floods, one answers nothing, one is not there, one is lost without a word in the end: the other sixteen do not
    /// notice, with four buffers among them all.
    @Test func fourThatMisbehaveDoNotDisturbSixteen() async throws {
        var scenario = Scenario.twenty
        scenario.controller.lowEnergyBuffers = .init(count: 4, length: 27)
        scenario.straps[0].measurement = MeasurementPlan(energyEvery: 0, hasIntervals: false, period: .milliseconds(20))
        scenario.straps[1].misconduct = Misconduct([.init(.anyRequest, [])])
        scenario.straps[2].appearsAfter = .seconds(100_000)
        scenario.straps[3].departure = .init(.after(.seconds(60)), .vanishing, returnsAfter: nil)
        let watched = try await watchAll(SimulatedWorld(scenario), scenario, for: .seconds(180))
        #expect(watched[0].measurements.count > 2000)
        #expect(watched[1].hostError == .timedOut(.subscribing))
        #expect(watched[2].hostError == .timedOut(.connecting))
        #expect(watched[3].gaps.count == 1)
        for one in watched.dropFirst(4) {
            #expect(one.error == nil)
            #expect(one.gaps == [])
            #expect(one.measurements.count > 160)
        }
    }

    private func watchAll(
        _ controller: some VirtualController, _ scenario: Scenario, for duration: Duration
    ) async throws -> [Watched] {
        try await withVirtualCentral(over: controller) { central in
            await withTaskGroup(of: (Int, Watched).self) { group in
                for (index, strap) in scenario.straps.enumerated() {
                    group.addTask { (index, await watch(central, .target(strap.address), for: duration)) }
                }
                let watched = await group.reduce(into: [Int: Watched]()) { $0[$1.0] = $1.1 }
                return scenario.straps.indices.compactMap { watched[$0] }
            }
        }
    }
}

/// The values of the notifications that a controller brought, by connection.
private final class Record: Sendable {
    private let brought = Mutex<[ConnectionHandle: [[UInt8]]]>([:])

    func note(_ packet: [UInt8]) {
        // ACL data, a whole frame on the attribute channel, ATT_HANDLE_VALUE_NTF; a strap's other values are longer or shorter.
        guard packet.count > 12, packet[0] == 0x02, packet[7...9] == [0x04, 0x00, 0x1B] else { return }
        let handle = ConnectionHandle(rawValue: UInt16(packet[1]) | UInt16(packet[2] & 0x0F) << 8)
        brought.withLock { $0[handle, default: []].append(Array(packet[12...])) }
    }

    /// Battery levels, a single octet, are left out.
    func values(of handle: ConnectionHandle) -> [[UInt8]] {
        brought.withLock { $0[handle] ?? [] }.filter { $0.count > 1 }
    }
}
