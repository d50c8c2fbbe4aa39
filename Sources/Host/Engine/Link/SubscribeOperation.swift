import ATT
import GATT
import Wire

/// Subscribes to a characteristic: with handles known from an earlier connection where those hold, else with handles
/// found now. No descriptor is written to whose type was not proven.
///
/// Where the peer shows that known handles are stale, by a proof that fails or by refusing the write, they are found
/// anew in the same connection. Where it says in the midst of it that its attributes have changed, the handles are
/// proven at the end; an answer that comes behind such a word already takes it into account.
struct SubscribeOperation: Operation {
    private let service: BluetoothUUID
    private let characteristic: BluetoothUUID
    private let known: KnownHandles?
    private var phase: Phase
    /// Whether the peer said that its attributes changed since handles were last proven.
    private var isInDoubt = false
    private var restarts = 0

    /// So often a peer may change its attributes before one subscription comes about.
    static let restartLimit = 8

    private enum Phase {
        /// Can transition to `enabling`, `finding`.
        case proving(ProveHandles, NotifyingCharacteristic, HandleBasis)
        /// Can transition to `enabling`, `proving`.
        case finding(FindNotifyingCharacteristic)
        /// Can transition to the end; or, where the handles are in doubt, to `checking`; or, where they are stale, to `finding`.
        case enabling(WriteValue, NotifyingCharacteristic, HandleBasis)
        /// Enabled, and looked at once more. Can transition to the end, `finding`.
        case checking(ProveHandles, NotifyingCharacteristic, HandleBasis)
    }

    /// - Parameter known: what an earlier connection left; of another characteristic it counts for nothing
    init(service: BluetoothUUID, characteristic: BluetoothUUID, known: KnownHandles?) {
        self.service = service
        self.characteristic = characteristic
        let isTheSame = known?.service == service && known?.characteristic.uuid == characteristic
        self.known = isTheSame ? known : nil
        phase = .finding(FindNotifyingCharacteristic(characteristic, in: service))
    }

    mutating func start() -> OperationStep {
        guard let known else { return find() }
        if known.proof == .none { return enable(known.characteristic, .known) }
        return prove(ProveHandles(known), known.characteristic, .proven)
    }

    mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> OperationStep {
        switch phase {
        case .proving(var procedure, let target, let basis):
            let step = procedure.receive(outcome)
            phase = .proving(procedure, target, basis)
            return follow(step) { $0.enable(target, basis) }
        case .finding(var procedure):
            let step = procedure.receive(outcome)
            phase = .finding(procedure)
            return follow(step)
        case .enabling(var write, let target, let basis):
            let step = write.receive(outcome)
            phase = .enabling(write, target, basis)
            return follow(step, target, basis)
        case .checking(var procedure, let target, let basis):
            let step = procedure.receive(outcome)
            phase = .checking(procedure, target, basis)
            return follow(step) { _ in .finished(.success(.subscribed(target, basis))) }
        }
    }

    mutating func attributesChanged() { isInDoubt = true }

    // MARK: Proof

    private mutating func prove(
        _ procedure: ProveHandles, _ target: NotifyingCharacteristic, _ basis: HandleBasis
    ) -> OperationStep {
        var procedure = procedure
        let step = procedure.start()
        phase = .proving(procedure, target, basis)
        return follow(step) { $0.enable(target, basis) }
    }

    /// Goes on where the handles hold, and finds them anew where not.
    private mutating func follow(
        _ step: Step<ProveHandles.Finding>, then proceed: (inout SubscribeOperation) -> OperationStep
    ) -> OperationStep {
        switch step {
        case .request(let pdu): return .request(pdu)
        case .finished(.success(let finding)):
            isInDoubt = false
            return finding == .hold ? proceed(&self) : findAgain()
        case .finished(.failure(let error)): return .finished(.failure(error))
        }
    }

    // MARK: Discovery

    private mutating func find() -> OperationStep {
        var procedure = FindNotifyingCharacteristic(characteristic, in: service)
        let step = procedure.start()
        phase = .finding(procedure)
        return follow(step)
    }

    private mutating func findAgain() -> OperationStep {
        restarts += 1
        guard restarts <= Self.restartLimit else {
            return .finished(
                .failure(.brokeProtocol(pdu: .handleValueIndication, .endless(requests: Self.restartLimit))))
        }
        return find()
    }

    private mutating func follow(_ step: Step<NotifyingCharacteristic>) -> OperationStep {
        switch step {
        case .request(let pdu): .request(pdu)
        case .finished(.success(let found)):
            isInDoubt ? prove(ProveHandles(typesOf: found), found, .found) : enable(found, .found)
        // What was not found may have moved to where it was looked for before.
        case .finished(.failure(let error)) where isInDoubt && error.isOfContent: findAgain(isInDoubt: false)
        case .finished(.failure(let error)): .finished(.failure(error))
        }
    }

    private mutating func findAgain(isInDoubt: Bool) -> OperationStep {
        self.isInDoubt = isInDoubt
        return findAgain()
    }

    // MARK: The write

    private mutating func enable(_ target: NotifyingCharacteristic, _ basis: HandleBasis) -> OperationStep {
        var write = target.enabling
        let step = write.start()
        phase = .enabling(write, target, basis)
        guard case .request(let pdu) = step else { return follow(step, target, basis) }
        return .prepareFor(target.valueHandle, then: pdu)
    }

    private mutating func follow(
        _ step: Step<WriteResponse>, _ target: NotifyingCharacteristic, _ basis: HandleBasis
    ) -> OperationStep {
        switch step {
        case .request(let pdu): .request(pdu)
        case .finished(.success) where isInDoubt: check(target, basis)
        case .finished(.success): .finished(.success(.subscribed(target, basis)))
        // Whatever the reason that is given, it may be another attribute's by now.
        case .finished(.failure(.refused)) where basis != .found || isInDoubt: findAgain(isInDoubt: false)
        case .finished(.failure(let error)): .finished(.failure(error))
        }
    }

    private mutating func check(_ target: NotifyingCharacteristic, _ basis: HandleBasis) -> OperationStep {
        var procedure = ProveHandles(typesOf: target)
        let step = procedure.start()
        phase = .checking(procedure, target, basis)
        return follow(step) { _ in .finished(.success(.subscribed(target, basis))) }
    }
}

extension GATTError {
    /// Whether it is about what the peer has, and not about the way to it.
    fileprivate var isOfContent: Bool {
        switch self {
        case .refused, .brokeProtocol, .serviceNotFound, .characteristicNotFound, .cannotNotify, .configurationNotFound:
            true
        default: false
        }
    }
}
