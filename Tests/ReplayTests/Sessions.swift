import Capture
import Foundation
import HCI
import HCITransport
import HeartRate
import Host
import Replay
import Simulator
import Synchronization
import Wire

/// Collects what a monitor tells, in the order in which it comes.
private final class Log: Sendable {
    private let events = Mutex<[HeartRateEvent]>([])

    func add(_ event: HeartRateEvent) { events.withLock { $0.append(event) } }

    var all: [HeartRateEvent] { events.withLock { $0 } }
}

/// What a host is told of a strap in a while: every event, and how it ended.
func session(
    with wanted: HeartRateMonitor.Wanted, on central: Central, for duration: Duration, resetsEnergy: Bool = false
) async -> [String] {
    let log = Log()
    var options = HeartRateMonitor.Options()
    options.timeout = .seconds(20)
    options.resetsEnergy = resetsEnergy
    let monitor = HeartRateMonitor(central: central, options: options) { log.add($0) }
    let ending = await withTaskGroup(of: String?.self) { group in
        group.addTask {
            do {
                try await monitor.run(wanted)
                return nil
            } catch {
                return "\(error)"
            }
        }
        group.addTask {
            do {
                try await central.wait(duration)
                return "enough"
            } catch {
                return "\(error)"
            }
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
    return log.all.map(told) + [ending ?? "over"]
}

/// The event in full, its moments to the microsecond: a capture has no finer ones.
private func told(_ event: HeartRateEvent) -> String {
    "\(event)".replacing(#/Moment\(nanoseconds: (\d+)\)/#) { match in
        "\((Int64(match.1) ?? 0) / 1000) µs"
    }
}

/// What `body` gives, or the error that it throws.
func told(_ body: () async throws -> [String]) async -> [String] {
    do {
        return try await body()
    } catch {
        return ["\(error)"]
    }
}

/// Runs `body` with a host in a simulated world, on virtual time, and records what passes.
func record(
    _ scenario: Scenario, seed: UInt64 = 1, handles: (any HandleStore)? = nil,
    _ body: @escaping @Sendable (Central) async throws -> [String]
) async throws -> (events: [String], recording: Recording) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("replay-\(UUID().uuidString).btsnoop")
    defer { try? FileManager.default.removeItem(at: file) }
    let loop = try EventLoop()
    let events: [String]
    do {
        let recorder = try CaptureRecorder(creating: file.path) { _ in }
        let world = VirtualLink(
            SimulatedWorld(scenario, seed: seed),
            clock: .virtual(start: Timestamp(microseconds: 1_700_000_000_000_000)),
            on: loop)
        let link = CapturingLink(world, recorder: recorder)
        events = await told {
            try await loop.runAll { try await Central.run(over: link, handles: handles, body) }
        }
    }
    return (events, try Recording(contentsOf: file.path))
}
