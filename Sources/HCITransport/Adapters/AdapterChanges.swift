public import Wire

extension Adapters {
    /// All adapters now, and again after every change. Ends when the task that reads it is cancelled.
    ///
    /// - Throws: `TransportError.noBluetooth`, `.system`.
    public static func changes(on loop: EventLoop) throws(TransportError) -> AdapterChanges {
        AdapterChanges(monitor: try AdapterMonitor(on: loop))
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

/// The states of all adapters, one after the other.
public struct AdapterChanges: AsyncSequence, Sendable {
    let monitor: AdapterMonitor

    public func makeAsyncIterator() -> Iterator { Iterator(monitor: monitor) }

    /// Asks once, then waits for a change.
    public struct Iterator: AsyncIteratorProtocol {
        let monitor: AdapterMonitor
        private var last: [Adapter]?

        init(monitor: AdapterMonitor) { self.monitor = monitor }

        public mutating func next() async throws(TransportError) -> [Adapter]? {
            while !Task.isCancelled {
                let adapters = try Adapters.list()
                if adapters != last {
                    last = adapters
                    return adapters
                }
                await monitor.wait()
            }
            return nil
        }
    }
}
