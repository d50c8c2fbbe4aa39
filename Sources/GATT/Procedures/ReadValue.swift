public import ATT
public import Wire

/// Reads a whole value, with Read Blob Requests where it does not fit into one response (Core Vol 3, Part G, 4.8.1
/// and 4.8.3).
public struct ReadValue: Procedure {
    /// The longest value that the specification allows, in octets (Core Vol 3, Part F, 3.2.9). Nothing is asked for
    /// beyond it.
    public static let longestValue = 512

    private let handle: Handle
    private let mtu: Int
    private var value: [UInt8] = []

    /// - Parameter mtu: the bearer's, in octets: a first part shorter than it allows is the whole value
    public init(_ handle: Handle, mtu: Int) {
        self.handle = handle
        self.mtu = max(Bearer.defaultMTU, mtu)
    }

    public mutating func start() -> Step<[UInt8]> { .request(.read(ReadRequest(handle: handle))) }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<[UInt8]> {
        switch outcome {
        case .success(.read(let response)) where value.isEmpty: return take(response.value)
        case .success(.readBlob(let response)) where !value.isEmpty: return take(response.value)
        case .success(let response): return .failed(response.unexpected)
        // The value ends just where a part did, and the server says so by an error (3.4.4.5); or it does not take Read Blob Requests
        // at all. What it has given is good either way.
        case .failure(.refused) where !value.isEmpty:
            return .finished(.success(value))
        case .failure(let error): return .failed(GATTError(error))
        }
    }

    private mutating func take(_ part: [UInt8]) -> Step<[UInt8]> {
        value += part
        guard part.count >= mtu - 1, value.count < Self.longestValue else { return .finished(.success(value)) }
        return .request(.readBlob(ReadBlobRequest(handle: handle, offset: UInt16(clamping: value.count))))
    }
}

/// Lists the values of all attributes of one type (Core Vol 3, Part G, 4.8.2), each as far as it fits into a response.
public struct ValueListing: Listing {
    private let type: BluetoothUUID

    public init(of type: BluetoothUUID) { self.type = type }

    public func request(_ range: HandleRange) -> ClientPDU { .readByType(ReadByTypeRequest(range, type: type)) }

    public func elements(in response: ServerPDU) throws(GATTError) -> [Listed<ReadByTypeResponse.Entry>] {
        guard case .readByType(let pdu) = response else { throw response.unexpected }
        return try response.reading(pdu.entries).map { Listed(HandleRange($0.handle, $0.handle), $0) }
    }
}

/// Reads the values of all characteristics of one type, without any discovery (Core Vol 3, Part G, 4.8.2).
public typealias ReadByUUID = Walk<ValueListing>

extension Walk where Query == ValueListing {
    public init(_ type: BluetoothUUID, in range: HandleRange = .all) { self.init(ValueListing(of: type), in: range) }
}
