public import Wire

extension Adapters {
    /// All adapters now, and again after every change. Ends when the task that reads it is cancelled.
    ///
    /// - Throws: `TransportError.noBluetooth`, `.system`.
    public static func changes(on loop: EventLoop) throws(TransportError) -> AdapterChanges {
        AdapterChanges(monitor: try AdapterMonitor(on: loop), loop: loop)
    }

    /// Waits until an adapter with this address is there, under whatever index, and set up.
    ///
    /// - Returns: the adapter; `nil` when it has not come back by `deadline`
    /// - Throws: `TransportError.cancelled`, `.noBluetooth`, `.system`.
    public static func waitForReturn(
        of address: Address, until deadline: Moment? = nil, on loop: EventLoop
    ) async throws(TransportError) -> Adapter? {
        // On the loop, whose thread may be the only one that keeps the right to take the adapter.
        try await loop.run { () throws(TransportError) in
            let monitor = try AdapterMonitor(on: loop)
            while true {
                if let adapter = try list().first(where: { $0.address == address && !$0.isSettingUp }) {
                    return adapter
                }
                if let deadline, loop.now >= deadline { return nil }
                await monitor.wait(until: deadline)
                if Task.isCancelled { throw .cancelled }
            }
        }
    }
}

/// The states of all adapters, one after the other: looked at when the kernel tells of a change, and every two seconds besides, because
/// it tells nobody where an adapter is put up that it keeps powered for itself, as it does for a moment with a new one (*measured*,
/// Linux 6.1).
public struct AdapterChanges: AsyncSequence, Sendable {
    fileprivate let monitor: AdapterMonitor
    fileprivate let loop: EventLoop

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Looks once, then waits for a change.
    public struct Iterator: AsyncIteratorProtocol {
        private let changes: AdapterChanges
        private var last: [Adapter]?
        private static let period: Duration = .seconds(2)

        fileprivate init(_ changes: AdapterChanges) { self.changes = changes }

        public mutating func next() async throws(TransportError) -> [Adapter]? {
            while !Task.isCancelled {
                // On the loop, whose thread may be the only one with the right to take an adapter.
                let adapters = try await changes.loop.run { () throws(TransportError) in try Adapters.list() }
                if adapters != last {
                    last = adapters
                    return adapters
                }
                await changes.monitor.wait(until: changes.loop.now + Self.period)
            }
            return nil
        }
    }
}
