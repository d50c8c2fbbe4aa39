public import ATT
import Wire

/// What a server says of how long its handles hold (Core Vol 3, Part G, 2.5.2 and 7).
public struct Caching: Hashable, Sendable {
    /// Whether the server has the Service Changed characteristic; `nil` where it does not tell.
    public var hasServiceChanged: Bool?
    /// The value handle of the Service Changed characteristic whose indications were asked for.
    public var serviceChanged: Handle?
    /// The Database Hash; `nil` where there is none.
    public var databaseHash: [UInt8]?
    /// Whether the handles were there behind all of this, so that it counts for them.
    public var doHandlesHold = true

    public init() {}
}

/// Learns how long the handles of a characteristic hold, once it sends its values: whether the server has Service
/// Changed, whose indications are asked for, and its Database Hash.
///
/// The handles are looked at again behind all that is said of them, and of every change from then on the server tells: a
/// hash must never stand for handles that are older than it, and those that this connection took on trust are not to be
/// trusted again unseen.
public struct LearnCaching: Procedure {
    private let characteristic: NotifyingCharacteristic
    private var caching = Caching()
    /// The handles of the Generic Attribute service, where it has a hash.
    private var hashRange: HandleRange?
    private var phase = Phase.service(DiscoverServices(.genericAttribute))

    private enum Phase: Sendable {
        /// Can transition to `characteristics`, `handles`, or to the end.
        case service(DiscoverServices)
        /// Can transition to `configuration`, `hash`, `handles`, or to the end.
        case characteristics(DiscoverCharacteristics, in: HandleRange)
        /// Can transition to `enabling`, `hash`, `handles`, or to the end.
        case configuration(DiscoverDescriptors, of: Characteristic)
        /// Can transition to `hash`, `handles`, or to the end.
        case enabling(WriteValue, of: Characteristic)
        /// Can transition to `handles`, or to the end.
        case hash(ReadByUUID)
        /// Can transition to the end.
        case handles(ProveHandles)
    }

    /// - Parameter characteristic: found in this connection, or known from an earlier one
    public init(_ characteristic: NotifyingCharacteristic) { self.characteristic = characteristic }

    public mutating func start() -> Step<Caching> {
        var procedure = DiscoverServices(.genericAttribute)
        let step = procedure.start()
        phase = .service(procedure)
        return follow(step) { $0.took(services: $1) }
    }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<Caching> {
        switch phase {
        case .service(var procedure):
            let step = procedure.receive(outcome)
            phase = .service(procedure)
            return follow(step) { $0.took(services: $1) }
        case .characteristics(var procedure, let range):
            let step = procedure.receive(outcome)
            phase = .characteristics(procedure, in: range)
            return follow(step) { $0.took(characteristics: $1, in: range) }
        case .configuration(var walk, let owner):
            let step = walk.receive(outcome)
            phase = .configuration(walk, of: owner)
            return follow(step, else: []) { $0.took(descriptors: $1, of: owner) }
        case .enabling(var procedure, let owner):
            let step = procedure.receive(outcome).map { _ in true }
            phase = .enabling(procedure, of: owner)
            return follow(step, else: false) { learning, isEnabled in
                learning.caching.serviceChanged = isEnabled ? owner.valueHandle : nil
                return learning.readHash()
            }
        case .hash(var walk):
            let step = walk.receive(outcome)
            phase = .hash(walk)
            return follow(step, else: []) { $0.took(hashes: $1) }
        case .handles(var procedure):
            let step = procedure.receive(outcome)
            phase = .handles(procedure)
            return follow(step) { $0.took($1) }
        }
    }
}

// MARK: - From phase to phase

extension LearnCaching {
    private var finished: Step<Caching> { .finished(.success(caching)) }

    /// Passes a phase's requests on, and goes to the next phase with its result. A refusal ends the learning with what
    /// is known, or gives `fallback` where there is one.
    private mutating func follow<Output>(
        _ step: Step<Output>, else fallback: Output? = nil, then proceed: (inout LearnCaching, Output) -> Step<Caching>
    ) -> Step<Caching> {
        switch step {
        case .request(let pdu): return .request(pdu)
        case .finished(.success(let output)): return proceed(&self, output)
        case .finished(.failure(.refused)): return fallback.map { proceed(&self, $0) } ?? finished
        case .finished(.failure(let error)): return .failed(error)
        }
    }

    private mutating func took(services: [Service]) -> Step<Caching> {
        // There is at most one (Core Vol 3, Part G, 7).
        guard let service = services.first else {
            caching.hasServiceChanged = false
            return lookAgain()
        }
        var procedure = DiscoverCharacteristics(in: service.range)
        let step = procedure.start()
        phase = .characteristics(procedure, in: service.range)
        return follow(step) { $0.took(characteristics: $1, in: service.range) }
    }

    private mutating func took(characteristics: [Characteristic], in range: HandleRange) -> Step<Caching> {
        let serviceChanged = characteristics.first { $0.uuid == .serviceChanged }
        caching.hasServiceChanged = serviceChanged != nil
        hashRange = characteristics.contains { $0.uuid == .databaseHash } ? range : nil
        guard let owner = serviceChanged, owner.properties.contains(.indicate), let range = owner.descriptorRange else {
            return readHash()
        }
        var walk = DiscoverDescriptors(in: range)
        let step = walk.start()
        phase = .configuration(walk, of: owner)
        return follow(step, else: []) { $0.took(descriptors: $1, of: owner) }
    }

    private mutating func took(descriptors: [Descriptor], of owner: Characteristic) -> Step<Caching> {
        let own = descriptors.prefix { !$0.uuid.isDeclaration }
        guard let descriptor = own.first(where: { $0.uuid == .clientCharacteristicConfiguration }) else {
            return readHash()
        }
        var procedure = WriteValue(ClientConfiguration.indications.octets, to: descriptor.handle)
        let step = procedure.start().map { _ in true }
        phase = .enabling(procedure, of: owner)
        return follow(step, else: false) { learning, _ in learning.readHash() }
    }

    private mutating func readHash() -> Step<Caching> {
        guard let hashRange else { return lookAgain() }
        var walk = ReadByUUID(.databaseHash, in: hashRange)
        let step = walk.start()
        phase = .hash(walk)
        return follow(step, else: []) { $0.took(hashes: $1) }
    }

    private mutating func took(hashes: [ReadByTypeResponse.Entry]) -> Step<Caching> {
        if let hash = hashes.first?.value, hash.count == KnownHandles.hashCount { caching.databaseHash = hash }
        return lookAgain()
    }

    private mutating func lookAgain() -> Step<Caching> {
        var procedure = ProveHandles(typesOf: characteristic)
        let step = procedure.start()
        phase = .handles(procedure)
        return follow(step) { $0.took($1) }
    }

    private mutating func took(_ finding: ProveHandles.Finding) -> Step<Caching> {
        caching.doHandlesHold = finding == .hold
        return finished
    }
}
