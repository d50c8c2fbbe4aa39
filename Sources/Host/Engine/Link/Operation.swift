import ATT
import GATT
import Wire

/// A GATT procedure on its way, whatever its output: the link asks it what to request next.
protocol Operation: Sendable {
    mutating func start() -> OperationStep
    mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> OperationStep
    /// The peer's attributes changed. What a handle was a moment ago counts no longer.
    mutating func attributesChanged()
}

extension Operation {
    mutating func attributesChanged() {}
}

enum OperationStep {
    case request(ClientPDU)
    /// Values will come from this handle, perhaps before the request is answered.
    case prepareFor(Handle, then: ClientPDU)
    case finished(Result<HostEngine.Answer, GATTError>)
}

/// A procedure and what its output is called as an answer.
struct ProcedureOperation<Running: Procedure>: Operation {
    private var procedure: Running
    private let answer: @Sendable (Running.Output) -> HostEngine.Answer

    init(_ procedure: Running, answer: @escaping @Sendable (Running.Output) -> HostEngine.Answer) {
        self.procedure = procedure
        self.answer = answer
    }

    mutating func start() -> OperationStep { OperationStep(procedure.start(), answer) }

    mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> OperationStep {
        OperationStep(procedure.receive(outcome), answer)
    }
}

extension OperationStep {
    init<Output>(_ step: Step<Output>, _ answer: (Output) -> HostEngine.Answer) {
        switch step {
        case .request(let pdu): self = .request(pdu)
        case .finished(let result): self = .finished(result.map(answer))
        }
    }
}

/// Two operations, the second made from what the first brought.
struct ChainedOperation<First: Procedure>: Operation {
    private var first: First
    private var second: (any Operation)?
    private let next: @Sendable (First.Output) -> any Operation

    init(_ first: First, next: @escaping @Sendable (First.Output) -> any Operation) {
        self.first = first
        self.next = next
    }

    mutating func start() -> OperationStep { follow(first.start()) }

    mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> OperationStep {
        second?.receive(outcome) ?? follow(first.receive(outcome))
    }

    private mutating func follow(_ step: Step<First.Output>) -> OperationStep {
        switch step {
        case .request(let pdu):
            return .request(pdu)
        case .finished(.failure(let error)):
            return .finished(.failure(error))
        case .finished(.success(let found)):
            var operation = next(found)
            let step = operation.start()
            second = operation
            return step
        }
    }
}

/// Nothing more to do: the answer is known.
struct SettledOperation: Operation {
    let answer: HostEngine.Answer

    func start() -> OperationStep { .finished(.success(answer)) }

    func receive(_ outcome: Result<ServerPDU, BearerError>) -> OperationStep { start() }
}

/// Writes the configuration descriptor of a characteristic, with the receiver of its values in place before.
struct EnableOperation: Operation {
    private var write: WriteValue
    private let characteristic: NotifyingCharacteristic

    init(_ characteristic: NotifyingCharacteristic) {
        write = characteristic.enabling
        self.characteristic = characteristic
    }

    mutating func start() -> OperationStep {
        let step = self.step(write.start())
        guard case .request(let pdu) = step else { return step }
        return .prepareFor(characteristic.valueHandle, then: pdu)
    }

    mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> OperationStep { step(write.receive(outcome)) }

    private func step(_ step: Step<WriteResponse>) -> OperationStep {
        OperationStep(step) { _ in .subscribed(characteristic, .found) }
    }
}

/// Agrees on the MTU. A peer that refuses keeps the one in force, which is no failure.
struct MTUOperation: Operation {
    private let current: Int

    init(current: Int) { self.current = current }

    mutating func start() -> OperationStep {
        .request(.exchangeMTU(ExchangeMTURequest(clientRxMTU: LinkTuning.mtu)))
    }

    mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> OperationStep {
        switch outcome {
        case .success(.exchangeMTU(let response)):
            let agreed = max(Bearer.defaultMTU, Int(min(LinkTuning.mtu, response.serverRxMTU)))
            return .finished(.success(.mtu(agreed)))
        case .failure(.refused):
            return .finished(.success(.mtu(current)))
        case .success(let response):
            return .finished(.failure(.brokeProtocol(pdu: response.opcode, .unexpectedType)))
        case .failure(let error):
            return .finished(.failure(GATTError(error)))
        }
    }
}
