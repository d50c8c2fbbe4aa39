public import ATT

/// A GATT procedure (Core Vol 3, Part G, 4) as a value: it says what to request, is told the outcome, and says what
/// next.
///
/// ```
/// var step = procedure.start()
/// while case .request(let pdu) = step { step = procedure.receive(outcome(of: pdu)) }
/// ```
public protocol Procedure: Sendable {
    associatedtype Output: Sendable

    /// The first step. To be called once, before anything is received.
    mutating func start() -> Step<Output>

    /// The step after the last request's outcome.
    mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<Output>
}

/// What a procedure does next.
public enum Step<Output: Sendable>: Sendable {
    /// Send this request and bring its outcome.
    case request(ClientPDU)
    /// The procedure is over.
    case finished(Result<Output, GATTError>)

    /// Over, with a failure.
    static func failed(_ error: GATTError) -> Step { .finished(.failure(error)) }

    /// Over, with the peer's breach of the protocol.
    static func broken(_ pdu: Opcode, _ violation: GATTError.Violation) -> Step {
        .failed(.brokeProtocol(pdu: pdu, violation))
    }
}

extension Step: Equatable where Output: Equatable {}
