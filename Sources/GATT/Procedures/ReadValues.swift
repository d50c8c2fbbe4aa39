public import ATT
import Wire

/// Reads several values of known lengths in one request (Core Vol 3, Part G, 4.8.4). The last may have any length; what
/// does not fit into the response is cut.
public struct ReadValues: Procedure {
    private let handles: [Handle]
    private let lengths: [Int]

    /// - Parameters:
    ///   - handles: two at least
    ///   - lengths: octets of each value; for the last as many as come
    public init(_ handles: [Handle], lengths: [Int]) {
        self.handles = handles
        self.lengths = lengths
    }

    public mutating func start() -> Step<[[UInt8]]> {
        .request(.readMultiple(ReadMultipleRequest(handles: handles)))
    }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<[[UInt8]]> {
        switch outcome {
        case .success(.readMultiple(let response)): split(response)
        case .success(let response): .failed(response.unexpected)
        case .failure(let error): .failed(GATTError(error))
        }
    }

    private func split(_ response: ReadMultipleResponse) -> Step<[[UInt8]]> {
        var rest = response.values[...]
        var values: [[UInt8]] = []
        for length in lengths.prefix(max(handles.count - 1, 0)) {
            values.append([UInt8](rest.prefix(max(length, 0))))
            rest = rest.dropFirst(max(length, 0))
        }
        values.append([UInt8](rest))
        return .finished(.success(values))
    }
}

/// Reads several values of any lengths in one request (Core Vol 3, Part G, 4.8.5). What does not fit into the response
/// is cut or missing.
public struct ReadVariableValues: Procedure {
    private let handles: [Handle]

    /// - Parameter handles: two at least
    public init(_ handles: [Handle]) { self.handles = handles }

    public mutating func start() -> Step<[ReadMultipleVariableResponse.Entry]> {
        .request(.readMultipleVariable(ReadMultipleVariableRequest(handles: handles)))
    }

    public mutating func receive(
        _ outcome: Result<ServerPDU, BearerError>
    ) -> Step<[ReadMultipleVariableResponse.Entry]> {
        switch outcome {
        case .success(.readMultipleVariable(let response)):
            let entries = response.entries
            guard entries.count <= handles.count else {
                return .broken(.readMultipleVariableResponse, .tooManyValues(entries.count))
            }
            return .finished(.success(entries))
        case .success(let response): return .failed(response.unexpected)
        case .failure(let error): return .failed(GATTError(error))
        }
    }
}
