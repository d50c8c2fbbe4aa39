public import ATT
public import Wire

/// Lists all services of one kind (Core Vol 3, Part G, 4.4.1), secondary ones by the same request.
public struct ServiceListing: Listing {
    /// Primary or secondary service.
    private let type: BluetoothUUID

    /// Services that stand for themselves.
    public static let primary = ServiceListing(type: .primaryService)
    /// Services that are there to be included.
    public static let secondary = ServiceListing(type: .secondaryService)

    public func request(_ range: HandleRange) -> ClientPDU {
        .readByGroupType(ReadByGroupTypeRequest(range, type: type))
    }

    public func elements(in response: ServerPDU) throws(GATTError) -> [Listed<Service>] {
        guard case .readByGroupType(let pdu) = response else { throw response.unexpected }
        guard pdu.length == 6 || pdu.length == 20 else {
            throw .brokeProtocol(pdu: response.opcode, .entryLength(Int(pdu.length)))
        }
        let isPrimary = type == .primaryService
        return try response.reading(pdu.entries).compactMap { entry in
            BluetoothUUID(littleEndian: entry.value.span).map { uuid in
                Listed(entry.range, Service(uuid: uuid, range: entry.range, isPrimary: isPrimary))
            }
        }
    }
}

/// Lists the primary services of one type (Core Vol 3, Part G, 4.4.2).
public struct ServiceByUUIDListing: Listing {
    private let uuid: BluetoothUUID

    public init(_ uuid: BluetoothUUID) { self.uuid = uuid }

    public func request(_ range: HandleRange) -> ClientPDU {
        let value = uuid.littleEndian(octets: uuid.shortestCount)
        return .findByTypeValue(FindByTypeValueRequest(range, type: .primaryService, value: value))
    }

    public func elements(in response: ServerPDU) throws(GATTError) -> [Listed<Service>] {
        guard case .findByTypeValue(let pdu) = response else { throw response.unexpected }
        return try response.reading(pdu.groups).map { Listed($0, Service(uuid: uuid, range: $0)) }
    }
}

extension [Service] {
    /// The services with ends that make sense: where a peer gives one that lies before the start (some send 0), the
    /// service reaches to the next one, or to the last handle of all.
    func withEnds() -> [Service] {
        var services = self
        var following = Handle?.none
        for index in services.indices.reversed() {
            if services[index].range.isEmpty { services[index].range.last = following?.previous ?? .last }
            following = services[index].range.first
        }
        return services
    }
}

/// Discovers all primary services (Core Vol 3, Part G, 4.4.1).
public struct DiscoverPrimaryServices: Procedure {
    private var walk: Walk<ServiceListing>

    public init(in range: HandleRange = .all) { walk = Walk(.primary, in: range) }

    public mutating func start() -> Step<[Service]> { walk.start() }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<[Service]> {
        walk.receive(outcome).map { $0.withEnds() }
    }
}

/// Discovers the primary services of one type (Core Vol 3, Part G, 4.4.2); where the search by value finds none, among all (4.4.1).
public struct DiscoverServices: Procedure {
    private var search: ServiceSearch

    public init(_ uuid: BluetoothUUID) { search = ServiceSearch(uuid) }

    public mutating func start() -> Step<[Service]> { follow(search.start()) }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<[Service]> {
        follow(search.receive(outcome))
    }

    /// The search ends with the services of its last way; those of this type are what was asked for.
    private mutating func follow(_ step: Step<[Service]>) -> Step<[Service]> {
        guard case .finished(.success) = step else { return step }
        return .finished(.success(Array(search.takeFound())))
    }
}

extension Step {
    /// The same step of a procedure that makes something else of the result.
    func map<Other: Sendable>(_ transform: (Output) -> Other) -> Step<Other> {
        switch self {
        case .request(let pdu): .request(pdu)
        case .finished(let result): .finished(result.map(transform))
        }
    }
}
