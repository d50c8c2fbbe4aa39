public import ATT

/// Writes a value that fits into one request, and brings the peer's answer (Core Vol 3, Part G, 4.9.3).
public struct WriteValue: Procedure {
    private let pdu: WriteRequest

    public init(_ value: [UInt8], to handle: Handle) { pdu = WriteRequest(handle: handle, value: value) }

    public mutating func start() -> Step<WriteResponse> { .request(.write(pdu)) }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<WriteResponse> {
        switch outcome {
        case .success(.write(let response)): .finished(.success(response))
        case .success(let response): .failed(response.unexpected)
        case .failure(let error): .failed(GATTError(error))
        }
    }
}
