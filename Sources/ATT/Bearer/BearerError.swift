public import Wire

/// Why a request was not answered as it should.
public enum BearerError: Error, Hashable, Sendable {
    /// The peer answered with an Error Response.
    case refused(request: Opcode, handle: Handle, code: ErrorCode)
    /// The peer's response cannot be read.
    case malformed(response: Opcode, WireError)
    /// The peer did not answer for 30 s; the bearer has failed with it.
    case timedOut(request: Opcode)
    /// An earlier request timed out; this one was never sent.
    case bearerFailed
    /// The link is gone.
    case disconnected
    /// The caller withdrew the request.
    case cancelled
    /// Too many requests wait already.
    case queueFull
    /// The PDU does not fit into the MTU; both in octets.
    case tooLong(octets: Int, mtu: Int)
    /// A PDU that nothing answers cannot be waited for.
    case notARequest(Opcode)
    /// A PDU that must wait its turn cannot go past the queue.
    case notACommand(Opcode)
}
