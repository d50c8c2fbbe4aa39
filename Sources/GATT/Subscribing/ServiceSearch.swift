import ATT
import Wire

/// Finds the primary services of one type, page by page: by value, or among all services where that finds none.
///
/// A peer may refuse to search. And it compares octets: a service that was declared with the 128-bit form of its UUID is
/// not found by the 16-bit form, although both are the same UUID (Core Vol 3, Part F, 3.2.1).
struct ServiceSearch: Sendable {
    private let uuid: BluetoothUUID
    private var way: Way
    /// How many of the services found so far were handed out.
    private var taken = 0

    private enum Way: Sendable {
        case byValue(Walk<ServiceByUUIDListing>)
        case amongAll(Walk<ServiceListing>)
    }

    init(_ uuid: BluetoothUUID) {
        self.uuid = uuid
        way = .byValue(Walk(ServiceByUUIDListing(uuid)))
    }

    mutating func start() -> Step<[Service]> {
        switch way {
        case .byValue(var walk):
            defer { way = .byValue(walk) }
            return walk.start()
        case .amongAll(var walk):
            defer { way = .amongAll(walk) }
            return walk.start()
        }
    }

    mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<[Service]> {
        switch way {
        case .byValue(var walk):
            let step = walk.receive(outcome)
            way = .byValue(walk)
            guard walk.found.isEmpty else { return step }
            switch step {
            case .finished(.success), .finished(.failure(.refused)):
                way = .amongAll(Walk(.primary))
                return start()
            default: return step
            }
        case .amongAll(var walk):
            defer { way = .amongAll(walk) }
            return walk.receive(outcome)
        }
    }

    /// The services of the type that were found since the last call.
    mutating func takeFound() -> ArraySlice<Service> {
        let found =
            switch way {
            case .byValue(let walk): walk.found.withEnds()
            case .amongAll(let walk): walk.found.withEnds().filter { $0.uuid == uuid }
            }
        defer { taken = found.count }
        return found[taken...]
    }
}
