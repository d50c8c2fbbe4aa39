import CHCI
import Glibc
import HCI
import Synchronization
import Wire

/// One adapter in use: taken from the state it was in, and put back into it.
public final class AdapterSession: Sendable {
    /// What became of the adapter once the link was shut down.
    public enum Outcome: Hashable, Sendable {
        /// The link is still there.
        case inUse
        /// It is in the state it was found in.
        case restored
        /// It was pulled out: nothing to put back.
        case gone
        /// It was up and could not be put up again.
        case notRestored(TransportError)
    }

    /// The adapter as it was found.
    public let adapter: Adapter
    /// What a killed run left to do, and this one does at its end: put the adapter up again.
    public var takesUpRestoration: Restoration? { adapter.restoration }
    /// The way to its controller. Shutting it down gives the adapter back.
    public let link: PacketLink
    private let record: Record

    /// What became of the adapter.
    public var outcome: Outcome { record.outcome.withLock { $0 } }

    private init(_ adapter: Adapter, _ link: PacketLink, _ record: Record) {
        self.adapter = adapter
        self.link = link
        self.record = record
    }

    /// How long an adapter that is still being set up is waited for.
    private static let patience = Duration.seconds(5)
    /// While it is, the kernel does not always tell when it is done.
    private static let retryInterval = Duration.milliseconds(250)

    /// Takes an adapter: down if it is up, its user channel opened.
    ///
    /// - Parameters:
    ///   - selector: which one
    ///   - takeOver: whether to take it although other programs have connections over it, which they lose
    ///   - loop: where the link will live
    /// - Throws: `TransportError`, with a case of its own for each thing that can stand in the way.
    public static func open(
        _ selector: AdapterSelector = .firstUsable, takeOver: Bool = false, on loop: EventLoop
    ) async throws(TransportError) -> AdapterSession {
        try await loop.run { () throws(TransportError) in
            let adapter = try selector.choose(from: Adapters.list(), takeOver: takeOver)
            return try await open(adapter, takeOver: takeOver, on: loop)
        }
    }

    private static func open(
        _ adapter: Adapter, takeOver: Bool, on loop: EventLoop
    ) async throws(TransportError) -> AdapterSession {
        let lease = try AdapterLease.take(adapter, in: AdapterLease.folders())
        let record = Record(adapter, lease)
        do throws(TransportError) {
            let socket = try await bind(adapter, takeOver: takeOver, until: loop.now + patience, on: loop)
            let link = PacketLink(on: loop, socket.handedOver()) { end in record.giveBack(after: end) }
            return AdapterSession(adapter, link, record)
        } catch {
            record.giveBack(after: nil)
            throw error
        }
    }

    private static func bind(
        _ found: Adapter, takeOver: Bool, until deadline: Moment, on loop: EventLoop
    ) async throws(TransportError) -> HCISocket {
        let control = try AdapterControl()
        let monitor = try AdapterMonitor(on: loop)
        var adapter = found
        while true {
            if adapter.isUp { try control.takeDown(adapter) }
            let socket = try HCISocket()
            let result = socket.bindUserChannel(of: adapter.index)
            guard result < 0 else { return socket }
            socket.close()
            guard result == -EBUSY, loop.now < deadline else {
                throw TransportError(adapter: adapter, errno: -result, operation: "bind to the user channel")
            }
            await monitor.wait(until: min(deadline, loop.now + retryInterval))
            if Task.isCancelled { throw .cancelled }
            // Somebody may have put it up, or taken it, meanwhile; a device just set up may turn out to have no LE.
            let present = try Adapters.list().map(\.withoutOwnHold)
            adapter = try AdapterSelector.index(adapter.index).choose(from: present, takeOver: takeOver)
        }
    }
}

extension AdapterSelector {
    /// The adapter that is meant, when nothing stands in its way but what waiting or taking over removes.
    func choose(from adapters: [Adapter], takeOver: Bool) throws(TransportError) -> Adapter {
        guard !adapters.isEmpty else { throw .noAdapter }
        let meant = adapters.filter { adapter in
            switch self {
            case .firstUsable: true
            case .index(let index): adapter.index == index
            case .address(let address): adapter.address == address
            }
        }
        guard let first = meant.first else { throw .noSuchAdapter(self) }
        if let free = meant.first(where: { $0.obstacles.isEmpty }) { return free }
        let acceptable = meant.first { adapter in
            adapter.obstacles.allSatisfy { obstacle in
                switch obstacle {
                case .busy(.settingUp): true
                case .busy(.connections): takeOver
                default: false
                }
            }
        }
        if let acceptable { return acceptable }
        throw first.refusal(takeOver: takeOver)
    }
}

extension Adapter {
    /// The adapter as others see it: that this very run has its lock stands in nobody's way.
    fileprivate var withoutOwnHold: Adapter {
        guard holder?.process == getpid() else { return self }
        var adapter = self
        adapter.holder = nil
        return adapter
    }

    /// The error for the first obstacle that neither waiting nor taking over removes.
    fileprivate func refusal(takeOver: Bool) -> TransportError {
        for obstacle in obstacles {
            switch obstacle {
            case .unsupported: return .lacksLowEnergy(adapter: index)
            case .unauthorized: return .notPermitted(operation: "open the user channel of \(name)")
            case .blocked(let block): return .blocked(adapter: index, hard: block == .hard)
            case .busy(.holder(let holder)): return .held(adapter: index, by: holder)
            case .busy(.connections(let peers)):
                if !takeOver { return .liveConnections(adapter: index, peers: peers) }
            case .busy(.settingUp), .absent, .off, .on: continue
            }
        }
        return .busy(adapter: index)
    }
}

/// What has to be put back, once.
private final class Record: Sendable {
    private struct Debt: ~Copyable {
        var lease: AdapterLease?
        var wasUp: Bool
    }

    private let adapter: Adapter
    private let debt: Mutex<Debt?>
    let outcome = Mutex(AdapterSession.Outcome.inUse)

    init(_ adapter: Adapter, _ lease: consuming AdapterLease?) {
        self.adapter = adapter
        let wasUp = lease?.wasUp ?? adapter.wasUp
        debt = Mutex(Debt(lease: lease, wasUp: wasUp))
    }

    func giveBack(after end: LinkEnd?) {
        let result: AdapterSession.Outcome? = debt.withLock { debt in
            guard let owed = debt.take() else { return nil }
            if end == .removed {
                owed.lease?.finish()
                return .gone
            }
            do throws(TransportError) {
                if owed.wasUp { try AdapterControl().putUp(adapter) }
                // Another user's file stays as it is, if it has to: the adapter is up, which is what counts.
                if let restoration = adapter.restoration { try? AdapterLease.clear(restoration) }
                owed.lease?.finish()
                return .restored
            } catch {
                // Stays written down: the next run offers it again.
                owed.lease?.abandon()
                return .notRestored(error)
            }
        }
        if let result { outcome.withLock { $0 = result } }
    }
}
