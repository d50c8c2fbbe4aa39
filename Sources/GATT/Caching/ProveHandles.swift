public import ATT
import Wire

/// Finds out whether handles known from an earlier connection are still those of the characteristic, mostly in one
/// request: by the Database Hash where one is known, else by the types of the attributes from the value to its
/// descriptor.
///
/// What a server refuses or answers in any unexpected way proves nothing, and so the handles count as stale.
public struct ProveHandles: Procedure {
    /// What was found out.
    public enum Finding: Hashable, Sendable {
        /// The handles are the characteristic's.
        case hold
        /// They are not, or it cannot be told.
        case stale
    }

    private let characteristic: NotifyingCharacteristic
    private var way: Way

    private enum Way: Sendable {
        case hash([UInt8])
        case types(DiscoverDescriptors)
    }

    public init(_ known: KnownHandles) {
        self.init(typesOf: known.characteristic)
        if case .hash(let hash) = known.proof { way = .hash(hash) }
    }

    /// Proves by the types of the attributes.
    public init(typesOf characteristic: NotifyingCharacteristic) {
        self.characteristic = characteristic
        // Empty where the two do not stand in that order, which no server can mean.
        let range = HandleRange(characteristic.valueHandle, characteristic.configurationHandle)
        way = .types(DiscoverDescriptors(in: range))
    }

    public mutating func start() -> Step<Finding> {
        switch way {
        case .hash:
            return .request(.readByType(ReadByTypeRequest(.all, type: .databaseHash)))
        case .types(var walk):
            let step = walk.start()
            way = .types(walk)
            return follow(step)
        }
    }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<Finding> {
        switch way {
        case .hash(let hash):
            return compare(outcome, with: hash)
        case .types(var walk):
            let step = walk.receive(outcome)
            way = .types(walk)
            return follow(step)
        }
    }

    // MARK: The hash

    private func compare(_ outcome: Result<ServerPDU, BearerError>, with hash: [UInt8]) -> Step<Finding> {
        switch outcome {
        case .success(.readByType(let response)):
            let entries = try? response.entries()
            return .finished(.success(entries?.first?.value == hash ? .hold : .stale))
        case .success: return .finished(.success(.stale))
        case .failure(let error): return failed(GATTError(error))
        }
    }

    // MARK: The types

    private func follow(_ step: Step<[Descriptor]>) -> Step<Finding> {
        switch step {
        case .request(let pdu): return .request(pdu)
        case .finished(.success(let attributes)): return .finished(.success(isShown(by: attributes) ? .hold : .stale))
        case .finished(.failure(let error)): return failed(error)
        }
    }

    /// The value first, the descriptor last, and no declaration between them, behind which the descriptor would be
    /// another characteristic's.
    private func isShown(by attributes: [Descriptor]) -> Bool {
        let value = Descriptor(uuid: characteristic.uuid, handle: characteristic.valueHandle)
        let descriptor = Descriptor(
            uuid: .clientCharacteristicConfiguration, handle: characteristic.configurationHandle)
        return attributes.first == value && attributes.last == descriptor
            && !attributes.contains { $0.uuid.isDeclaration }
    }

    /// A peer that refuses, or answers nonsense, has proved nothing; a link that is gone is another matter.
    private func failed(_ error: GATTError) -> Step<Finding> {
        switch error {
        case .refused, .brokeProtocol: .finished(.success(.stale))
        default: .failed(error)
        }
    }
}
