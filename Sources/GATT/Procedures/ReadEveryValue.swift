public import ATT
import Wire

/// Reads several values whole, in as few requests as can be: all in one Read Multiple Variable Length Request, and by
/// itself what did not fit into the response. A peer that does not take that request, as those before Bluetooth 5.2, or
/// refuses one of the values, is asked for each.
public struct ReadEveryValue: Procedure {
    /// A value, or why the peer does not give it.
    public typealias Content = Result<[UInt8], GATTError>

    /// The longest value in octets that is taken out of a response with several. Servers are about that cut longer ones in the midst of
    /// a list, so that what follows them cannot be told apart.
    private static let longestTogether = 251

    private let handles: [Handle]
    private let mtu: Int
    private var contents: [Content] = []
    private var phase: Phase

    private enum Phase: Sendable {
        /// Can transition to `each`, or to the end.
        case together(ReadVariableValues)
        /// The value that follows the contents is being read. Can transition to itself, or to the end.
        case each(ReadValue)
    }

    /// - Parameter mtu: the bearer's, in octets
    public init(_ handles: [Handle], mtu: Int) {
        self.handles = handles
        self.mtu = mtu
        phase = .together(ReadVariableValues(handles))
    }

    public mutating func start() -> Step<[Content]> {
        // A request for more than fits into it asks for nothing.
        guard handles.count >= 2, 1 + 2 * handles.count <= mtu else { return next() }
        var procedure = ReadVariableValues(handles)
        let step = procedure.start()
        phase = .together(procedure)
        return follow(step)
    }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<[Content]> {
        switch phase {
        case .together(var procedure):
            let step = procedure.receive(outcome)
            phase = .together(procedure)
            return follow(step)
        case .each(var procedure):
            let step = procedure.receive(outcome)
            phase = .each(procedure)
            return follow(step)
        }
    }

    private mutating func follow(_ step: Step<[ReadMultipleVariableResponse.Entry]>) -> Step<[Content]> {
        switch step {
        case .request(let pdu): return .request(pdu)
        case .finished(.success(let entries)):
            contents = entries.prefix { !$0.isCut && $0.value.count <= Self.longestTogether }.map { .success($0.value) }
            return next()
        case .finished(.failure(.refused)): return next()
        case .finished(.failure(let error)): return .failed(error)
        }
    }

    private mutating func follow(_ step: Step<[UInt8]>) -> Step<[Content]> {
        switch step {
        case .request(let pdu): return .request(pdu)
        case .finished(.success(let value)): contents.append(.success(value))
        case .finished(.failure(let error)):
            guard error.isOfOneValue else { return .failed(error) }
            contents.append(.failure(error))
        }
        return next()
    }

    private mutating func next() -> Step<[Content]> {
        guard contents.count < handles.count else { return .finished(.success(contents)) }
        var procedure = ReadValue(handles[contents.count], mtu: mtu)
        let step = procedure.start()
        phase = .each(procedure)
        return follow(step)
    }
}

extension GATTError {
    /// Whether the next value may be had all the same.
    fileprivate var isOfOneValue: Bool {
        switch self {
        case .refused, .brokeProtocol: true
        default: false
        }
    }
}
