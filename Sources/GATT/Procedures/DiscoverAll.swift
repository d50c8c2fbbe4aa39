public import ATT
import Wire

/// Discovers a peer's whole database: primary and secondary services, then includes and characteristics in one walk
/// each over all services, then the descriptors between characteristics.
///
/// Only the primary services are required. A peer that refuses another part has it left out and the refusal noted in
/// the database.
public struct DiscoverAll: Procedure {
    /// More requests than this and the peer is leading us on.
    public static let requestLimit = 4096

    private var database = Database()
    private var phase = Phase.primary(DiscoverPrimaryServices())
    private var requests = 0

    private enum Phase: Sendable {
        case primary(DiscoverPrimaryServices)
        case secondary(Walk<ServiceListing>)
        case includes(DiscoverIncludedServices)
        case characteristics(Walk<CharacteristicListing>)
        /// The characteristic whose descriptors are being listed, and those that still want theirs.
        case descriptors(DiscoverDescriptors, of: Place, then: ArraySlice<Place>)
    }

    /// A characteristic, by the indices of its service and of itself.
    private struct Place: Sendable {
        var service: Int
        var characteristic: Int
    }

    public init() {}

    public mutating func start() -> Step<Database> {
        var procedure = DiscoverPrimaryServices()
        let step = procedure.start()
        phase = .primary(procedure)
        return follow(step) { $0.tookPrimary($1) }
    }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<Database> {
        switch phase {
        case .primary(var procedure):
            let step = procedure.receive(outcome)
            phase = .primary(procedure)
            return follow(step) { $0.tookPrimary($1) }
        case .secondary(var walk):
            let step = walk.receive(outcome)
            phase = .secondary(walk)
            return follow(step, else: walk.found) { $0.tookSecondary($1) }
        case .includes(var procedure):
            let step = procedure.receive(outcome)
            phase = .includes(procedure)
            return follow(step, else: []) { $0.tookIncludes($1) }
        case .characteristics(var walk):
            let step = walk.receive(outcome)
            phase = .characteristics(walk)
            return follow(step, else: walk.found) { $0.tookCharacteristics($1) }
        case .descriptors(var walk, let place, let rest):
            let step = walk.receive(outcome)
            phase = .descriptors(walk, of: place, then: rest)
            return follow(step, else: walk.found) { $0.took(descriptors: $1, of: place, then: rest) }
        }
    }
}

// MARK: - From phase to phase

extension DiscoverAll {
    /// Passes a phase's requests on, and goes to the next phase with its result, or with `fallback` where the peer
    /// refuses.
    private mutating func follow<Output>(
        _ step: Step<Output>, else fallback: Output? = nil, then proceed: (inout DiscoverAll, Output) -> Step<Database>
    ) -> Step<Database> {
        switch step {
        case .request(let pdu):
            guard requests < Self.requestLimit else {
                return .broken(pdu.opcode.response ?? pdu.opcode, .endless(requests: requests))
            }
            requests += 1
            return .request(pdu)
        case .finished(.success(let output)):
            return proceed(&self, output)
        case .finished(.failure(let error)):
            guard case .refused = error, let fallback else { return .failed(error) }
            database.refusals.append(error)
            return proceed(&self, fallback)
        }
    }

    private mutating func tookPrimary(_ services: [Service]) -> Step<Database> {
        database.services = services
        var walk = Walk(ServiceListing.secondary)
        let step = walk.start()
        phase = .secondary(walk)
        return follow(step, else: []) { $0.tookSecondary($1) }
    }

    private mutating func tookSecondary(_ services: [Service]) -> Step<Database> {
        database.services = (database.services + services.withEnds()).sorted { $0.handle < $1.handle }
        guard let whole = database.range else { return .finished(.success(database)) }
        var procedure = DiscoverIncludedServices(in: whole)
        let step = procedure.start()
        phase = .includes(procedure)
        return follow(step, else: []) { $0.tookIncludes($1) }
    }

    private mutating func tookIncludes(_ includes: [IncludedService]) -> Step<Database> {
        for index in database.services.indices {
            let range = database.services[index].range
            database.services[index].includes = includes.filter { range.contains($0.handle) }
        }
        guard let whole = database.range else { return .finished(.success(database)) }
        var walk = Walk(CharacteristicListing(), in: whole)
        let step = walk.start()
        phase = .characteristics(walk)
        return follow(step, else: []) { $0.tookCharacteristics($1) }
    }

    private mutating func tookCharacteristics(_ characteristics: [Characteristic]) -> Step<Database> {
        var places: [Place] = []
        for index in database.services.indices {
            let range = database.services[index].range
            let own = characteristics.filter { range.contains($0.handle) }.withEnds(upTo: range.last)
            database.services[index].characteristics = own
            places += own.indices.filter { own[$0].descriptorRange != nil }.map {
                Place(service: index, characteristic: $0)
            }
        }
        return discoverDescriptors(of: places[...])
    }

    private mutating func discoverDescriptors(of places: ArraySlice<Place>) -> Step<Database> {
        guard let place = places.first, let range = self[place].descriptorRange else {
            return .finished(.success(database))
        }
        var walk = DiscoverDescriptors(in: range)
        let step = walk.start()
        let rest = places.dropFirst()
        phase = .descriptors(walk, of: place, then: rest)
        return follow(step, else: []) { $0.took(descriptors: $1, of: place, then: rest) }
    }

    private mutating func took(
        descriptors: [Descriptor], of place: Place, then rest: ArraySlice<Place>
    ) -> Step<Database> {
        self[place].descriptors = descriptors
        return discoverDescriptors(of: rest)
    }

    private subscript(place: Place) -> Characteristic {
        get { database.services[place.service].characteristics[place.characteristic] }
        set { database.services[place.service].characteristics[place.characteristic] = newValue }
    }
}

extension Database {
    /// From the first service's start to the last handle of any; `nil` without services.
    fileprivate var range: HandleRange? {
        guard let first = services.map(\.range.first).min(), let last = services.map(\.range.last).max() else {
            return nil
        }
        return HandleRange(first, last)
    }
}
