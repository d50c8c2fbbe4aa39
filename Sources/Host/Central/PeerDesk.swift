import ATT
import HCI
import Wire

/// Who listens to notifications, and what is known of each connection.
struct PeerDesk {
    private var connections: [ConnectionID: Connection] = [:]
    private var endings: [ConnectionID: Status] = [:]
    private var outlets: [HostEngine.Source: Outlet<AttributeNotification>] = [:]
    private var streams: [Ticket: AsyncStream<Delivery<AttributeNotification>>] = [:]

    /// Notifications that wait for their reader: a quarter of an hour of a strap's.
    private static let bound = 1024
    /// Reasons of ended connections that are kept for those who ask late.
    private static let mostEndings = 64

    func connection(_ id: ConnectionID) -> Connection? { connections[id] }

    func ending(of id: ConnectionID) -> Status? { endings[id] }

    mutating func update(_ connection: Connection) { connections[connection.id] = connection }

    /// Opens a stream before the first notification can come; the subscriber fetches it with its ticket.
    mutating func open(_ source: HostEngine.Source, for ticket: Ticket) {
        let (outlet, stream) = Outlet<AttributeNotification>.make(bound: Self.bound)
        outlets.updateValue(outlet, forKey: source)?.finish()
        streams[ticket] = stream
    }

    mutating func takeStream(of ticket: Ticket) -> AsyncStream<Delivery<AttributeNotification>>? {
        streams.removeValue(forKey: ticket)
    }

    /// The request of this ticket came to nothing.
    mutating func forget(_ ticket: Ticket) { streams[ticket] = nil }

    mutating func deliver(_ value: [UInt8], from source: HostEngine.Source, at moment: Moment) {
        outlets[source]?.send(AttributeNotification(value: value, moment: moment))
    }

    mutating func close(_ id: ConnectionID, _ status: Status) {
        connections[id] = nil
        if endings.count >= Self.mostEndings, let oldest = endings.keys.min(by: { $0.generation < $1.generation }) {
            endings[oldest] = nil
        }
        endings[id] = status
        for (source, outlet) in outlets where source.connection == id {
            outlet.finish()
            outlets[source] = nil
        }
    }

    mutating func closeAll() {
        for outlet in outlets.values { outlet.finish() }
        outlets = [:]
        connections = [:]
    }
}
