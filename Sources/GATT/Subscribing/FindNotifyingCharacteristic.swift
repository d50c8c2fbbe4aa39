public import ATT
public import Wire

/// Finds what must be known to subscribe to a characteristic of an unknown peer, in three requests;
/// `NotifyingCharacteristic.enabling` is the fourth:
///
/// 1. Find By Type Value: the service, by its UUID;
/// 2. Read By Type: its characteristics, no further than the page with the wanted one;
/// 3. Find Information: the attributes behind its value, up to the descriptor or the next declaration. The
///    descriptor's type is seen, never guessed from its place.
///
/// A peer that refuses the first, or finds nothing, is asked for all its services with Read By Group Type: only then has
/// it no such service. Where a peer has several services of the type, they are tried in order, each as soon as it is found.
public struct FindNotifyingCharacteristic: Procedure {
    private let uuid: BluetoothUUID
    private let service: BluetoothUUID
    private var search: ServiceSearch
    /// What the search for services does once those found so far will not do.
    private var afterCandidates: Step<[Service]>
    /// Services of the type that were found and not yet looked into.
    private var candidates: ArraySlice<Service> = []
    /// Why the last service looked into would not do.
    private var shortfall: GATTError?
    private var state = State.findingService

    private enum State: Sendable {
        /// Can transition to `findingCharacteristic`, in the first service found.
        case findingService
        /// Can transition to `findingDescriptor`; or, in the next service, to this; or back to `findingService`.
        case findingCharacteristic(Walk<CharacteristicListing>, in: HandleRange)
        /// Can transition to the end; or, in the next service, to `findingCharacteristic`; or back to `findingService`.
        case findingDescriptor(DiscoverDescriptors, of: Characteristic, in: HandleRange)
    }

    /// - Parameters:
    ///   - uuid: the characteristic's type
    ///   - service: the type of the primary service that holds it
    public init(_ uuid: BluetoothUUID, in service: BluetoothUUID) {
        self.uuid = uuid
        self.service = service
        search = ServiceSearch(service)
        afterCandidates = .failed(.serviceNotFound(service))
    }

    public mutating func start() -> Step<NotifyingCharacteristic> { follow(search.start()) }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<NotifyingCharacteristic> {
        switch state {
        case .findingService:
            return follow(search.receive(outcome))
        case .findingCharacteristic(var walk, let range):
            let step = walk.receive(outcome)
            state = .findingCharacteristic(walk, in: range)
            return follow(step, found: walk.found, in: range)
        case .findingDescriptor(var walk, let owner, let range):
            let step = walk.receive(outcome)
            state = .findingDescriptor(walk, of: owner, in: range)
            return follow(step, found: walk.found, of: owner, in: range)
        }
    }
}

extension FindNotifyingCharacteristic {
    // MARK: The service

    private mutating func follow(_ step: Step<[Service]>) -> Step<NotifyingCharacteristic> {
        candidates = search.takeFound()
        afterCandidates = step
        return tryNextService()
    }

    private mutating func tryNextService() -> Step<NotifyingCharacteristic> {
        guard let candidate = candidates.popFirst() else {
            state = .findingService
            switch afterCandidates {
            case .request(let pdu): return .request(pdu)
            case .finished(.success): return .failed(shortfall ?? .serviceNotFound(service))
            // What a peer lacks is of no interest where it breaks the protocol as well.
            case .finished(.failure(.brokeProtocol(let pdu, let violation))): return .broken(pdu, violation)
            case .finished(.failure(let error)): return .failed(shortfall ?? error)
            }
        }
        var walk = Walk(CharacteristicListing(), in: candidate.range)
        let step = walk.start()
        state = .findingCharacteristic(walk, in: candidate.range)
        return follow(step, found: [], in: candidate.range)
    }

    private mutating func tryNextService(because shortfall: GATTError) -> Step<NotifyingCharacteristic> {
        self.shortfall = shortfall
        return tryNextService()
    }

    // MARK: The characteristic

    private mutating func follow(
        _ step: Step<[Characteristic]>, found: [Characteristic], in range: HandleRange
    ) -> Step<NotifyingCharacteristic> {
        let wanted = found.withEnds(upTo: range.last).filter { $0.uuid == uuid }
        if let owner = wanted.first(where: { $0.properties.preferredConfiguration != nil }) {
            return findDescriptor(of: owner, in: range)
        }
        switch step {
        case .request(let pdu):
            return .request(pdu)
        case .finished(.failure(let error)):
            return .failed(error)
        case .finished(.success):
            let missing = GATTError.characteristicNotFound(uuid, service: service)
            return tryNextService(because: wanted.first.map { .cannotNotify(uuid, $0.properties) } ?? missing)
        }
    }

    // MARK: The descriptor

    private mutating func findDescriptor(
        of owner: Characteristic, in range: HandleRange
    ) -> Step<NotifyingCharacteristic> {
        guard range.contains(owner.valueHandle) else {
            return .broken(.readByTypeResponse, .valueHandle(owner.valueHandle, declaration: owner.handle))
        }
        guard let descriptors = owner.descriptorRange else { return tryNextService(because: noConfiguration(owner)) }
        var walk = DiscoverDescriptors(in: descriptors)
        let step = walk.start()
        state = .findingDescriptor(walk, of: owner, in: range)
        return follow(step, found: [], of: owner, in: range)
    }

    private mutating func follow(
        _ step: Step<[Descriptor]>, found: [Descriptor], of owner: Characteristic, in range: HandleRange
    ) -> Step<NotifyingCharacteristic> {
        // Where the end of the characteristic is not known, the listing may run into what follows it.
        let end = found.firstIndex { $0.uuid.isDeclaration }
        let own = found.prefix(upTo: end ?? found.endIndex)
        if let descriptor = own.first(where: { $0.uuid == .clientCharacteristicConfiguration }),
            let configuration = owner.properties.preferredConfiguration
        {
            let result = NotifyingCharacteristic(
                service: range, uuid: uuid, valueHandle: owner.valueHandle, properties: owner.properties,
                configurationHandle: descriptor.handle, configuration: configuration)
            return .finished(.success(result))
        }
        switch step {
        case .request(let pdu) where end == nil: return .request(pdu)
        case .finished(.failure(let error)) where end == nil: return .failed(error)
        default: return tryNextService(because: noConfiguration(owner))
        }
    }

    private func noConfiguration(_ owner: Characteristic) -> GATTError {
        .configurationNotFound(uuid, valueHandle: owner.valueHandle)
    }
}

extension BluetoothUUID {
    /// Whether an attribute of this type begins a service or a part of one (Core Vol 3, Part G, 3).
    var isDeclaration: Bool {
        switch self {
        case .primaryService, .secondaryService, .include, .characteristic: true
        default: false
        }
    }
}
