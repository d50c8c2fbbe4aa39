import ATT
import HCI
import Wire

/// Who listens to notifications, and what is known of each connection.
struct PeerDesk {
    private var connections: [ConnectionID: Connection] = [:]
    private var endings: [ConnectionID: Status] = [:]
    private var watchers: [ConnectionID: [AsyncStream<Connection>.Continuation]] = [:]
    private var readers: [HostEngine.Source: [Reader]] = [:]
    private var streams: [Ticket: AsyncStream<Delivery<AttributeNotification>>] = [:]

    /// One of those who read the values of a source, and the request by which it began.
    private struct Reader {
        var ticket: Ticket
        var outlet: Outlet<AttributeNotification>
    }

    /// Notifications that wait for their reader: a quarter of an hour of a strap's.
    private static let bound = 1024
    /// Reasons of ended connections that are kept for those who ask late.
    private static let mostEndings = 64

    func connection(_ id: ConnectionID) -> Connection? { connections[id] }

    func ending(of id: ConnectionID) -> Status? { endings[id] }

    mutating func update(_ connection: Connection) {
        connections[connection.id] = connection
        watchers[connection.id]?.removeAll { watcher in
            if case .terminated = watcher.yield(connection) { true } else { false }
        }
    }

    /// What is known of a connection, now and whenever it changes; only the newest waits for the reader.
    mutating func changes(of id: ConnectionID) -> AsyncStream<Connection> {
        let (stream, watcher) = AsyncStream.makeStream(of: Connection.self, bufferingPolicy: .bufferingNewest(1))
        if let connection = connections[id] {
            watcher.yield(connection)
            watchers[id, default: []].append(watcher)
        } else {
            watcher.finish()
        }
        return stream
    }

    /// Opens a stream before the first notification can come; the subscriber fetches it with its ticket. Others who read the same
    /// source go on reading.
    mutating func open(_ source: HostEngine.Source, for ticket: Ticket) {
        let (outlet, stream) = Outlet<AttributeNotification>.make(bound: Self.bound)
        readers[source, default: []].append(Reader(ticket: ticket, outlet: outlet))
        streams[ticket] = stream
    }

    mutating func takeStream(of ticket: Ticket) -> AsyncStream<Delivery<AttributeNotification>>? {
        streams.removeValue(forKey: ticket)
    }

    /// The request of this ticket came to nothing: whoever else reads from there is not touched.
    mutating func forget(_ ticket: Ticket) {
        guard streams.removeValue(forKey: ticket) != nil else { return }
        for (source, reading) in readers {
            for reader in reading where reader.ticket == ticket { reader.outlet.finish() }
            keep(reading.filter { $0.ticket != ticket }, of: source)
        }
    }

    /// Hands a value to all who read from there. Those who have left are forgotten; the peer goes on sending, which does no harm.
    mutating func deliver(_ value: [UInt8], from source: HostEngine.Source, at moment: Moment) {
        guard var reading = readers.removeValue(forKey: source) else { return }
        let notification = AttributeNotification(value: value, moment: moment)
        for index in reading.indices.reversed() where !reading[index].outlet.send(notification) {
            reading.remove(at: index)
        }
        keep(reading, of: source)
    }

    /// Connections, watchers, readers, and streams that their subscribers have not fetched.
    var count: Int {
        connections.count + watchers.values.reduce(0) { $0 + $1.count } + readers.values.reduce(0) { $0 + $1.count }
            + streams.count
    }

    /// How many read from there, as of the last value.
    func readerCount(of source: HostEngine.Source) -> Int { readers[source]?.count ?? 0 }

    private mutating func keep(_ reading: [Reader], of source: HostEngine.Source) {
        readers[source] = reading.isEmpty ? nil : reading
    }

    mutating func close(_ id: ConnectionID, _ status: Status) {
        connections[id] = nil
        for watcher in watchers.removeValue(forKey: id) ?? [] { watcher.finish() }
        if endings.count >= Self.mostEndings, let oldest = endings.keys.min(by: { $0.generation < $1.generation }) {
            endings[oldest] = nil
        }
        endings[id] = status
        finish { $0.connection == id }
    }

    /// Ends the reading of some sources, in the order in which it began, so that a run repeats itself.
    private mutating func finish(_ isOver: (HostEngine.Source) -> Bool) {
        let over = readers.filter { isOver($0.key) }
        for reader in over.values.joined().sorted(by: { $0.ticket < $1.ticket }) { reader.outlet.finish() }
        for source in over.keys { readers[source] = nil }
    }

    mutating func closeAll() {
        finish { _ in true }
        for id in watchers.keys.sorted(by: { $0.generation < $1.generation }) {
            for watcher in watchers[id] ?? [] { watcher.finish() }
        }
        watchers = [:]
        connections = [:]
    }
}
