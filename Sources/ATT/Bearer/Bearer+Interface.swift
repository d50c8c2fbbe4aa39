public import Wire

extension Bearer {
    /// Names a request to its caller. The caller chooses it; none is used twice at a time.
    public struct Ticket: Hashable, Sendable, RawRepresentable {
        public let rawValue: UInt64

        public init(rawValue: UInt64) { self.rawValue = rawValue }
        public init(_ rawValue: UInt64) { self.rawValue = rawValue }
    }

    /// What happens to a bearer.
    public enum Input: Hashable, Sendable {
        /// The client wants to ask. Answered with exactly one `Effect.completed`.
        case request(ClientPDU, Ticket)
        /// The client wants to send a command; it goes out at once, past the waiting requests.
        case command(ClientPDU)
        /// The caller of a request no longer wants its answer. A request that already left keeps the bearer until it
        /// is answered.
        case cancel(Ticket)
        /// Our server sends a response, notification or indication.
        case serverSends([UInt8])
        /// The peer sent a PDU.
        case received([UInt8])
        /// `nextDeadline` may have come.
        case wake
        /// The link is gone.
        case disconnected
    }

    /// What is to be done.
    public enum Effect: Hashable, Sendable {
        /// Send this PDU on L2CAP's channel 4.
        case transmit([UInt8])
        /// A request has its answer.
        case completed(Ticket, Result<ServerPDU, BearerError>)
        /// The peer notified a value.
        case notification(Handle, [UInt8])
        /// The peer indicated a value; the confirmation has been transmitted.
        case indication(Handle, [UInt8])
        /// The peer sent our server a request, command or confirmation. What it sends in turn comes back as
        /// `Input.serverSends`.
        case serve([UInt8])
        /// From now on PDUs of up to so many octets may be sent.
        case mtuChanged(Int)
        /// The peer, or a caller, did something odd. Nothing is to be done.
        case noted(Note)
        /// The bearer is of no more use: end the link.
        case disconnect(EndReason)
    }

    /// Why a bearer asks for the end of its link.
    public enum EndReason: Hashable, Sendable {
        /// The peer left a request unanswered for 30 s (Core Vol 3, Part F, 3.3.3).
        case transactionTimedOut(request: Opcode)
    }

    /// Oddities, none of which ends the bearer.
    public enum Note: Hashable, Sendable {
        /// A PDU without an opcode.
        case emptyPDU
        /// A PDU longer than agreed; it was read all the same.
        case longerThanMTU(Opcode, octets: Int, mtu: Int)
        /// A response that answers nothing, or something else than what is awaited; it was ignored.
        case unexpectedResponse(Opcode, awaiting: Opcode?)
        /// A notification or indication that cannot be read; it was ignored.
        case malformed(Opcode, WireError)
        /// A response with octets behind its last field; they were passed over.
        case trailingOctets(Opcode, count: Int)
        /// An unknown request, which was refused, or an unknown command, which was ignored.
        case unknown(Opcode)
        /// A PDU that came after the bearer's end; it was ignored.
        case ignoredAfterEnd(Opcode)
        /// A PDU of our own that was not sent.
        case notSent(Opcode, BearerError)
    }
}
