public import ATT
public import Wire

/// The server of one connection: answers every request of ATT from a table of attributes (Core Vol 3, Part F, 3.4),
/// keeps what this client subscribed to and queued, and sends values. Pure: inputs and the time in, effects out.
///
/// Copy one table into the server of each connection; `Input.update` brings a new value to the clients that asked for
/// it.
public struct Server: Hashable, Sendable {
    /// How long a client may take to confirm an indication (Core Vol 3, Part F, 3.3.3).
    public static let confirmationTimeout = Duration.seconds(30)
    /// Parts of values that one client may queue; the next is refused with Prepare Queue Full.
    public static let preparedLimit = 64
    /// Indications that may wait for the one before to be confirmed; when one more comes, the oldest waiting is
    /// dropped.
    public static let indicationLimit = 16

    /// The attributes as this client finds them.
    public internal(set) var table: AttributeTable
    /// The longest PDU in octets that may be sent. Follows the client's Exchange MTU Request; set it where our own
    /// client agreed on more.
    public var mtu = Bearer.defaultMTU {
        didSet { mtu = max(Bearer.defaultMTU, mtu) }
    }
    /// How well the link is protected now.
    public var security = LinkSecurity.none
    /// Octets of the key that protects it.
    public var keySize = 16

    /// What we answer to Exchange MTU Requests, in octets.
    let receiveMTU: UInt16
    /// The parts of values that the client queued.
    var prepared: [PrepareWriteRequest] = []
    /// The write on which the owner has still to decide.
    var undecided: UndecidedWrite?
    /// The indication that the client has still to confirm.
    var unconfirmed: UnconfirmedIndication?

    public init(_ table: AttributeTable, receiveMTU: UInt16 = 517) {
        self.table = table
        self.receiveMTU = max(receiveMTU, UInt16(Bearer.defaultMTU))
    }

    var link: ProtectedLink { ProtectedLink(security: security, keySize: keySize) }

    /// What the client wants sent, by the characteristics' value handles. Kept in the descriptors: `Input.set` brings
    /// back what a client asked for in an earlier connection.
    public var configurations: [Handle: ClientConfiguration] {
        var configurations: [Handle: ClientConfiguration] = [:]
        for attribute in table.attributes {
            guard let valueHandle = attribute.configures, let bits = ClientConfiguration(octets: attribute.value),
                !bits.isEmpty
            else { continue }
            configurations[valueHandle] = bits
        }
        return configurations
    }

    /// When to come back with `Input.wake`; `nil` while no confirmation is awaited.
    public var nextDeadline: Moment? { unconfirmed?.deadline }

    /// Takes an input and appends what is to be done, in order.
    public mutating func handle(_ input: Input, at now: Moment, into effects: inout [Effect]) {
        switch input {
        case .received(let octets): receive(octets, at: now, into: &effects)
        case .decided(let refusal): decide(refusal, into: &effects)
        case .update(let handle, let value): update(handle, value, at: now, into: &effects)
        case .set(let handle, let value): table[handle]?.value = value
        case .wake: checkDeadline(at: now, into: &effects)
        }
    }

    /// What happens to a server.
    public enum Input: Hashable, Sendable {
        /// The client sent a request, command or confirmation.
        case received([UInt8])
        /// The owner decides on the write it was asked about: `nil` accepts it, an error code refuses it.
        case decided(ErrorCode?)
        /// An attribute has a new value, to be sent to the client if it asked for it.
        case update(Handle, [UInt8])
        /// An attribute has a new value, for those who read it.
        case set(Handle, [UInt8])
        /// `nextDeadline` may have come.
        case wake
    }

    /// What is to be done.
    public enum Effect: Hashable, Sendable {
        /// Send this PDU to the client.
        case transmit([UInt8])
        /// The client wants to write a value on which the owner decides. Answer with `Input.decided` before anything
        /// else: a request that comes meanwhile is ignored.
        case askedToWrite(Handle, [UInt8])
        /// The client has written a value.
        case written(Handle, [UInt8])
        /// The client changed what it wants sent of the characteristic with this value handle.
        case configured(Handle, ClientConfiguration)
        /// The client confirmed the indication of this value.
        case confirmed(Handle)
        /// An indication was not sent, for too many wait.
        case indicationDropped(Handle)
        /// The client left an indication unconfirmed for 30 s: end the link.
        case disconnect(unconfirmed: Handle)
        /// The client sent something odd. Nothing is to be done.
        case noted(Note)
    }

    /// Oddities, none of which ends the connection.
    public enum Note: Hashable, Sendable {
        /// A PDU that cannot be read; a request was answered with Invalid PDU.
        case malformed(Opcode, WireError)
        /// A request with octets behind its last field; they were passed over.
        case trailingOctets(Opcode, count: Int)
        /// An unknown request, which was refused, or an unknown command, which was ignored.
        case unknown(Opcode)
        /// A command that was not carried out, and why.
        case commandIgnored(Opcode, Handle, ErrorCode)
        /// A request before the last one was answered; it was ignored.
        case requestOutOfTurn(Opcode)
        /// A confirmation when nothing was indicated.
        case unexpectedConfirmation
    }
}

/// A write that waits for the owner's decision.
struct UndecidedWrite: Hashable {
    /// What answers it in the end; `nil` for a command.
    var request: Opcode?
    /// What is still to be written; the owner was asked about the first.
    var writes: ArraySlice<Write>
}

/// A whole value for an attribute.
struct Write: Hashable {
    var handle: Handle
    var value: [UInt8]
}

/// An indication on its way.
struct UnconfirmedIndication: Hashable {
    var handle: Handle
    var deadline: Moment
    /// What is to be indicated next.
    var waiting: [Write] = []
}
