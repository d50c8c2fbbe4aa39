import HCI

extension HostEngine {
    /// How much the engine holds, in entries, so that a test sees what is left over and what grows.
    package struct Census: Hashable, Sendable {
        package var connections: [Held] = []
        /// GATT requests that are not answered.
        package var requests = 0
        /// Commands that are not answered, sent or not.
        package var commands = 0
        /// PDUs that wait for buffers.
        package var waitingData = 0
        /// Packets in the controller's buffers; `nil` while the buffers are not known.
        package var buffersInUse: Int?
        /// Waits, and requests that wait for the scan.
        package var waits = 0
        /// Attempts to connect, and devices that the radio takes for connected.
        package var attempts = 0
        /// Whether the radio does nothing and has been told nothing.
        package var isRadioIdle = true
        /// Whether the controller is ready, and nothing is being ended.
        package var isReady = false

        package init() {}

        /// A connection and the packets that it has in the controller's buffers.
        package struct Held: Hashable, Sendable {
            package var id: ConnectionID
            package var buffers: Int
        }

        /// All that could grow.
        package var entries: Int { connections.count + requests + commands + waitingData + waits + attempts }
    }

    package var census: Census {
        var census = Census()
        census.connections = links.keys.sorted().compactMap { handle in
            links[handle].map { Census.Held(id: $0.id, buffers: data.inFlight(on: handle)) }
        }
        census.requests = links.values.reduce(0) { $0 + $1.requestCount }
        census.commands = commandCount
        census.waitingData = links.keys.reduce(0) { $0 + data.waiting(on: $1) }
        census.buffersInUse = data.buffers.map { $0.count - data.available }
        census.waits = waits.count + scan.starting.count
        census.attempts = radio.entryCount
        census.isRadioIdle = radio.isIdle
        if case .ready = phase { census.isReady = true }
        return census
    }
}
