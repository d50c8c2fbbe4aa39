import HCI
import Wire

/// One connection, as its two link layers see it.
///
/// The two sides meet at connection events, an interval apart. Nothing is done for events at which neither has anything to say.
struct Link: Hashable, Sendable {
    let handle: ConnectionHandle
    /// The peer's place in the air.
    let device: Int
    /// As the host is told: its identity where the controller has found that.
    let peer: DeviceAddress
    /// The private addresses on air that the host did not choose itself.
    let peerPrivate: Address?
    let ownPrivate: Address?
    var interval: ConnectionInterval
    var latency: UInt16
    var supervisionTimeout: SupervisionTimeout
    /// The time of one connection event, from which all others follow.
    var anchor: Moment

    /// Data from the host, each holding one of the controller's buffers.
    var toPeer: [Fragment] = []
    /// Data from the peer.
    var toHost: [Fragment] = []
    /// Octets of data in one packet on air.
    var packetOctets: UInt16 = 27
    var tx = PHY.le1M
    var rx = PHY.le1M

    /// Whether data on air is encrypted.
    var isEncrypted = false
    /// Encryption is about to begin, or to begin anew: data waits meanwhile.
    var encryption: EncryptionStart?

    /// Procedures of the link layer under way, in the order of their ends.
    var procedures: [ScheduledProcedure] = []
    /// The next connection event at which something happens.
    var eventDue: Moment?
    /// Why the peer ends the link, once all that it had to say is said.
    var peerLeaves: Status?
    /// When the link counts as lost, and with which reason: set once the peer is not heard any more.
    var loss: Loss?
    /// Whether the peer waits for the host's word about its parameters.
    var awaitsParameterReply = false

    struct Fragment: Hashable, Sendable {
        var octets: [UInt8]
        var isContinuation: Bool
    }

    struct Loss: Hashable, Sendable {
        var due: Moment
        var reason: Status
    }

    struct ScheduledProcedure: Timed, Hashable, Sendable {
        var due: Moment
        var procedure: LinkProcedure
    }

    /// Packets in each direction that one connection event has time for.
    static let packetsPerEvent = 4
    /// Packets that a peer can have waiting; a device has little memory, too.
    static let mostWaiting = 64

    var isSilent: Bool { loss != nil }

    /// The peer as commands know it.
    var identity: DeviceAddress { DeviceAddress(peer.kind.withoutIdentity, peer.address) }

    /// The first connection event after `moment`.
    func event(after moment: Moment) -> Moment {
        let length = max(interval.duration.wholeNanoseconds, 1)
        let elapsed = moment.nanoseconds(since: anchor)
        guard elapsed >= 0 else { return anchor }
        return anchor.later(by: (elapsed / length + 1) * length)
    }

    /// The connection event after so many more.
    func event(after moment: Moment, skipping count: Int) -> Moment { event(after: moment) + interval.duration * count }

    /// Makes sure that the next connection event takes place.
    mutating func wantEvent(after now: Moment) {
        if eventDue == nil, !isSilent { eventDue = event(after: now) }
    }

    /// Begins a procedure that ends some connection events from now. Tells whether none of its kind was under way.
    mutating func begin(_ procedure: LinkProcedure, events: Int, at now: Moment) -> Bool {
        guard !procedures.contains(where: { $0.procedure.isSameKind(as: procedure) }) else { return false }
        schedule(procedure, at: event(after: now, skipping: events))
        return true
    }

    /// Sets a time for a procedure's end.
    mutating func schedule(_ procedure: LinkProcedure, at due: Moment) {
        procedures.schedule(ScheduledProcedure(due: due, procedure: procedure))
    }

    /// The peer is not heard any more from now on.
    mutating func fallSilent(at now: Moment, within time: Duration? = nil, reason: Status) {
        guard loss == nil else { return }
        loss = Loss(due: now + (time ?? supervisionTimeout.duration), reason: reason)
        eventDue = nil
        procedures.removeAll()
    }

    var nextDeadline: Moment? {
        var earliest = Earliest(eventDue)
        earliest.consider(procedures.first?.due)
        earliest.consider(loss?.due)
        return earliest.moment
    }
}

/// Something that the two link layers settle between them (Core Vol 6, Part B, 5.1).
enum LinkProcedure: Hashable, Sendable {
    case connectionUpdate(ConnectionParameters)
    case featureExchange
    case versionExchange
    case dataLength(UInt16)
    case phyUpdate(PHY)
    /// The peripheral is asked for its key.
    case encryptionRequest
    /// What comes of it.
    case encryptionEnd(EncryptionStart.Outcome)
    /// Ended by this host, with the reason it gave.
    case termination(Status)

    func isSameKind(as other: LinkProcedure) -> Bool {
        switch (self, other) {
        case (.connectionUpdate, .connectionUpdate), (.featureExchange, .featureExchange),
            (.versionExchange, .versionExchange), (.dataLength, .dataLength), (.phyUpdate, .phyUpdate),
            (.encryptionRequest, .encryptionRequest), (.encryptionEnd, .encryptionEnd), (.termination, .termination):
            true
        default:
            false
        }
    }
}
