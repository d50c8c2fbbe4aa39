import Cryptography
import HCI
import HCITransport
import HeartRate
import Host
import SMP
import Simulator
import Synchronization
import Wire

/// Runs `body` with a central over the simulated world, on a virtual clock.
func withVirtualCentral<Result: Sendable>(
    _ scenario: Scenario, seed: UInt64 = 1, pairing: Pairing = .alone, handles: (any HandleStore)? = nil,
    _ body: @escaping @Sendable (Central) async throws -> Result
) async throws -> Result {
    let world = SimulatedWorld(
        scenario, seed: seed, toolbox: SeededToolbox(seed: seed), screen: pairing.user?.screen)
    return try await withVirtualCentral(over: world, pairing: pairing, handles: handles, body)
}

/// How the host in virtual time pairs.
struct Pairing: Sendable {
    var policy = PairingPolicy()
    var user: HostUser?
    var store: (any BondStore)?

    /// Nobody is there to be asked.
    static let alone = Pairing()

    /// Somebody is there, with a screen and a keyboard.
    static func attended() -> Pairing {
        var pairing = Pairing()
        pairing.policy.ioCapability = .keyboardDisplay
        pairing.user = HostUser(screen: HostScreen())
        return pairing
    }

    var security: CentralSecurity {
        var security = CentralSecurity(toolbox: SeededToolbox(seed: 1_000_000))
        security.policy = policy
        security.user = user
        security.store = store
        return security
    }
}

/// The same over any controller.
func withVirtualCentral<Result: Sendable>(
    over controller: any VirtualController, pairing: Pairing = .alone, handles: (any HandleStore)? = nil,
    _ body: @escaping @Sendable (Central) async throws -> Result
) async throws -> Result {
    let loop = try EventLoop()
    let link = VirtualLink(
        controller, clock: .virtual(start: Timestamp(microseconds: 1_700_000_000_000_000)),
        on: loop)
    return try await loop.runAll {
        try await Central.run(over: link, security: pairing.security, handles: handles, body)
    }
}

/// A world whose packets are shown to a test as they pass.
struct TappedController: VirtualController {
    private var world: SimulatedWorld
    private let sent: @Sendable ([UInt8]) -> Void
    private let brought: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - sent: called with each packet from the host, before the world gets it
    ///   - brought: called with each packet from the world
    init(
        _ world: SimulatedWorld, sent: @escaping @Sendable ([UInt8]) -> Void = { _ in },
        brought: @escaping @Sendable ([UInt8]) -> Void = { _ in }
    ) {
        self.world = world
        self.sent = sent
        self.brought = brought
    }

    var nextDeadline: Moment? { world.nextDeadline }

    mutating func receive(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        sent(packet)
        let begin = output.count
        world.receive(packet, at: now, into: &output)
        output[begin...].forEach(brought)
    }

    mutating func advance(to now: Moment, into output: inout [[UInt8]]) {
        let begin = output.count
        world.advance(to: now, into: &output)
        output[begin...].forEach(brought)
    }
}

/// What a heart-rate monitor told, and how it ended.
struct Watched: Sendable {
    var events: [HeartRateEvent]
    /// `nil` when the time was over first.
    var error: (any Error)?

    var hostError: HostError? { error as? HostError }

    var measurements: [(measurement: HeartRateMeasurement, moment: Moment)] {
        events.compactMap { event in
            if case .measurement(let measurement, let moment) = event { (measurement, moment) } else { nil }
        }
    }

    var gaps: [HeartRateEvent.Gap] {
        events.compactMap { event in
            if case .gap(let gap) = event { gap } else { nil }
        }
    }

    var stale: [HeartRateEvent.Staleness] {
        events.compactMap { event in
            if case .stale(let staleness) = event { staleness } else { nil }
        }
    }

    var details: [StrapDetails] {
        events.compactMap { event in
            if case .details(let details) = event { details } else { nil }
        }
    }

    /// The connections of which it was told, oldest first, that they are subscribed.
    var subscribed: [Connection] {
        events.compactMap { event in
            if case .link(.subscribed(let connection), _) = event { connection } else { nil }
        }
    }

    /// The states of the link in short. One that was told again with other numbers stands once.
    var states: [String] {
        let told = events.compactMap { event -> String? in
            guard case .link(let state, _) = event else { return nil }
            return switch state {
            case .searching: "searching"
            case .connecting: "connecting"
            case .connected: "connected"
            case .subscribed: "subscribed"
            case .disconnected(_, let status): "disconnected \(status?.rawValue ?? 0)"
            case .reconnecting: "reconnecting"
            }
        }
        return told.enumerated().filter { $0 == 0 || told[$0 - 1] != $1 }.map(\.element)
    }
}

/// Keeps events in the order in which they come.
private final class Log: Sendable {
    private let events = Mutex<[HeartRateEvent]>([])

    func add(_ event: HeartRateEvent) { events.withLock { $0.append(event) } }

    var all: [HeartRateEvent] { events.withLock { $0 } }
}

/// Monitors a strap until it is given up or the time is over.
func watch(
    _ central: Central, _ wanted: HeartRateMonitor.Wanted, for duration: Duration,
    options: HeartRateMonitor.Options = .init()
) async -> Watched {
    let log = Log()
    let monitor = HeartRateMonitor(central: central, options: options) { log.add($0) }
    let error = await withTaskGroup(of: (isOver: Bool, error: (any Error)?).self) { group in
        group.addTask {
            do {
                try await monitor.run(wanted)
                return (false, nil)
            } catch {
                return (false, error)
            }
        }
        group.addTask {
            try? await central.wait(duration)
            return (true, nil)
        }
        let first = await group.next()
        group.cancelAll()
        return first?.isOver == true ? nil : first?.error
    }
    return Watched(events: log.all, error: error)
}

/// The same in a world of its own.
func watch(
    _ scenario: Scenario, _ wanted: HeartRateMonitor.Wanted = .any, for duration: Duration,
    options: HeartRateMonitor.Options = .init(), seed: UInt64 = 1
) async throws -> Watched {
    try await withVirtualCentral(scenario, seed: seed) { central in
        await watch(central, wanted, for: duration, options: options)
    }
}
