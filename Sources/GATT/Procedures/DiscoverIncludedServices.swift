public import ATT
import Wire

/// Lists the include declarations in a range (Core Vol 3, Part G, 4.5.1). Only 16-bit UUIDs fit into the declaration.
public struct IncludeListing: Listing {
    public init() {}

    public func request(_ range: HandleRange) -> ClientPDU { .readByType(ReadByTypeRequest(range, type: .include)) }

    public func elements(in response: ServerPDU) throws(GATTError) -> [Listed<IncludedService>] {
        guard case .readByType(let pdu) = response else { throw response.unexpected }
        guard pdu.length == 6 || pdu.length == 8 else {
            throw .brokeProtocol(pdu: response.opcode, .entryLength(Int(pdu.length)))
        }
        return try response.reading(pdu.entries).compactMap { entry in
            HandleRange(littleEndian: entry.value.span).map { range in
                let uuid = BluetoothUUID(littleEndian: entry.value.span.extracting(droppingFirst: 4))
                let included = IncludedService(handle: entry.handle, range: range, uuid: uuid)
                return Listed(HandleRange(entry.handle, entry.handle), included)
            }
        }
    }
}

/// Discovers the included services in a range and reads the UUIDs that do not fit into their declarations (Core Vol
/// 3, Part G, 4.5.1).
public struct DiscoverIncludedServices: Procedure {
    /// So many UUIDs are read, one request each; further ones stay unknown.
    public static let readLimit = 64

    private var walk: Walk<IncludeListing>
    private var included: [IncludedService] = []
    /// The indices in `included` of those whose UUID is still to be read; the first is being read.
    private var unread: ArraySlice<Int> = []
    private var isWalking = true

    /// - Parameter range: the service's, or the whole database's
    public init(in range: HandleRange) { walk = Walk(IncludeListing(), in: range) }

    public mutating func start() -> Step<[IncludedService]> { follow(walk.start()) }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<[IncludedService]> {
        guard isWalking else { return receiveUUID(outcome) }
        return follow(walk.receive(outcome))
    }

    private mutating func follow(_ step: Step<[IncludedService]>) -> Step<[IncludedService]> {
        guard case .finished(.success(let found)) = step else { return step }
        isWalking = false
        included = found
        unread = included.indices.filter { included[$0].uuid == nil }.prefix(Self.readLimit)
        return readNext()
    }

    private func readNext() -> Step<[IncludedService]> {
        guard let index = unread.first else { return .finished(.success(included)) }
        return .request(.read(ReadRequest(handle: included[index].range.first)))
    }

    private mutating func receiveUUID(_ outcome: Result<ServerPDU, BearerError>) -> Step<[IncludedService]> {
        switch outcome {
        case .success(.read(let response)):
            if let index = unread.first { included[index].uuid = BluetoothUUID(littleEndian: response.value.span) }
        case .success(let response):
            return .failed(response.unexpected)
        case .failure(.refused):
            break
        case .failure(let error):
            return .failed(GATTError(error))
        }
        unread = unread.dropFirst()
        return readNext()
    }
}
