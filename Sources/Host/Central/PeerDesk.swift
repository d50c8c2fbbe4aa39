import ATT
import HCI
import Synchronization
import Wire

/// Who listens to notifications, and what is known of each connection.
struct PeerDesk {
    private var connections: [ConnectionID: Connection] = [:]
    private var endings: [ConnectionID: Status] = [:]
    /// Who shares each connection.
    private var users: [ConnectionID: Set<Ticket>] = [:]
    private var watchers: [ConnectionID: [Watcher]] = [:]
    private var readers: [HostEngine.Source: [Reader]] = [:]
    private var streams: [Ticket: AsyncStream<Delivery<AttributeNotification>>] = [:]

    /// A user who is told of a connection's numbers.
    private final class Watcher: Sendable {
        let user: Ticket
        let outlet: AsyncStream<Connection>.Continuation
        private let hasEnded = Atomic(false)

        init(user: Ticket, outlet: AsyncStream<Connection>.Continuation) {
            self.user = user
            self.outlet = outlet
            outlet.onTermination = { [weak self] _ in self?.hasEnded.store(true, ordering: .releasing) }
        }

        /// Whether nobody reads any more.
        var hasLeft: Bool { hasEnded.load(ordering: .acquiring) }
    }

    /// One of those who read the values of a source, and the request by which it began.
    private struct Reader {
        var asker: SharingDesk.Asker
        var outlet: Outlet<AttributeNotification>
    }

    /// Notifications that wait for their reader: a quarter of an hour of a strap's.
    private static let bound = 1024
    /// Reasons of ended connections that are kept for those who ask late.
    private static let mostEndings = 64

    func connection(_ id: ConnectionID, _ user: Ticket) -> Connection? {
        hasLeft(id, user) ? nil : connections[id]
    }

    /// Whom a connection is with; `nil` once it has ended.
    func peer(of id: ConnectionID) -> DeviceAddress? { connections[id]?.peer }

    /// Why a connection is over for a user; `nil` while it lasts.
    func ending(of id: ConnectionID, _ user: Ticket) -> Status? {
        hasLeft(id, user) ? .terminatedByLocalHost : endings[id]
    }

    // MARK: Users

    mutating func join(_ id: ConnectionID, _ user: Ticket) { users[id, default: []].insert(user) }

    /// Whether a user has left a connection that lasts for others, or until it is ended.
    func hasLeft(_ id: ConnectionID, _ user: Ticket) -> Bool {
        connections[id] != nil && users[id]?.contains(user) != true
    }

    /// A user leaves: his streams end.
    ///
    /// - Returns: whether nobody is left
    mutating func leave(_ id: ConnectionID, _ user: Ticket) -> Bool {
        users[id]?.remove(user)
        for watcher in watchers[id] ?? [] where watcher.user == user { watcher.outlet.finish() }
        watchers[id]?.removeAll { $0.user == user }
        let mine = readers.filter { $0.key.connection == id }
        let over = mine.values.joined().filter { $0.asker.user == user }
        // In the order in which it began, so that a run repeats itself.
        for reader in over.sorted(by: { $0.asker.ticket < $1.asker.ticket }) { reader.outlet.finish() }
        for (source, reading) in mine { keep(reading.filter { $0.asker.user != user }, of: source) }
        return users[id]?.isEmpty ?? true
    }

    // MARK: The connection

    mutating func update(_ connection: Connection) {
        connections[connection.id] = connection
        watchers[connection.id]?.removeAll { watcher in
            if case .terminated = watcher.outlet.yield(connection) { true } else { false }
        }
    }

    /// What is known of a connection, now and whenever it changes; only the newest waits for the reader.
    mutating func changes(of id: ConnectionID, _ user: Ticket) -> AsyncStream<Connection> {
        let (stream, watcher) = AsyncStream.makeStream(of: Connection.self, bufferingPolicy: .bufferingNewest(1))
        if let connection = connection(id, user) {
            watcher.yield(connection)
            // The numbers may stay the same for days, while watchers come and go.
            watchers[id]?.removeAll(where: \.hasLeft)
            watchers[id, default: []].append(Watcher(user: user, outlet: watcher))
        } else {
            watcher.finish()
        }
        return stream
    }

    // MARK: Values

    /// Opens a stream before the first notification can come; the subscriber fetches it with its ticket. Others who read the same
    /// source go on reading.
    mutating func open(_ source: HostEngine.Source, for asker: SharingDesk.Asker) {
        // Handles that turned out to be stale were the first try.
        forget(asker.ticket)
        let (outlet, stream) = Outlet<AttributeNotification>.make(bound: Self.bound)
        readers[source, default: []].append(Reader(asker: asker, outlet: outlet))
        streams[asker.ticket] = stream
    }

    mutating func takeStream(of ticket: Ticket) -> AsyncStream<Delivery<AttributeNotification>>? {
        streams.removeValue(forKey: ticket)
    }

    /// The request of this ticket came to nothing: whoever else reads from there is not touched.
    mutating func forget(_ ticket: Ticket) {
        guard streams.removeValue(forKey: ticket) != nil else { return }
        for (source, reading) in readers {
            for reader in reading where reader.asker.ticket == ticket { reader.outlet.finish() }
            keep(reading.filter { $0.asker.ticket != ticket }, of: source)
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

    /// What comes from there is something else from now on: whoever reads it is told by the end of the stream.
    mutating func endReading(from source: HostEngine.Source) {
        for reader in readers.removeValue(forKey: source) ?? [] { reader.outlet.finish() }
    }

    mutating func close(_ id: ConnectionID, _ status: Status) {
        connections[id] = nil
        users[id] = nil
        for watcher in watchers.removeValue(forKey: id) ?? [] { watcher.outlet.finish() }
        if endings.count >= Self.mostEndings, let oldest = endings.keys.min(by: { $0.generation < $1.generation }) {
            endings[oldest] = nil
        }
        endings[id] = status
        finish { $0.connection == id }
    }

    /// Ends the reading of some sources, in the order in which it began, so that a run repeats itself.
    private mutating func finish(_ isOver: (HostEngine.Source) -> Bool) {
        let over = readers.filter { isOver($0.key) }
        for reader in over.values.joined().sorted(by: { $0.asker.ticket < $1.asker.ticket }) { reader.outlet.finish() }
        for source in over.keys { readers[source] = nil }
    }

    mutating func closeAll() {
        finish { _ in true }
        for id in watchers.keys.sorted(by: { $0.generation < $1.generation }) {
            for watcher in watchers[id] ?? [] { watcher.outlet.finish() }
        }
        watchers = [:]
        users = [:]
        connections = [:]
    }
}
