import ATT
import GATT
import Wire

/// A GATT procedure on its way, whatever its output: the link asks it what to request next.
protocol Operation: Sendable {
    mutating func start() -> OperationStep
    mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> OperationStep
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

/// Finds a characteristic where it is not known, then writes its configuration descriptor.
struct SubscribeOperation: Operation {
    private enum State: Sendable {
        /// Can transition to `enabling`.
        case finding(FindNotifyingCharacteristic)
        /// Can transition to `enabling`.
        case known(NotifyingCharacteristic)
        case enabling(WriteValue, Handle)
    }

    private var state: State

    init(service: BluetoothUUID, characteristic: BluetoothUUID) {
        state = .finding(FindNotifyingCharacteristic(characteristic, in: service))
    }

    init(_ characteristic: NotifyingCharacteristic) { state = .known(characteristic) }

    mutating func start() -> OperationStep {
        switch state {
        case .finding(var find):
            let step = find.start()
            state = .finding(find)
            return follow(step)
        case .known(let characteristic):
            return enable(characteristic)
        case .enabling:
            return .finished(.failure(.cancelled))
        }
    }

    mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> OperationStep {
        switch state {
        case .finding(var find):
            let step = find.receive(outcome)
            state = .finding(find)
            return follow(step)
        case .known:
            return .finished(.failure(.cancelled))
        case .enabling(var write, let handle):
            let step = write.receive(outcome)
            state = .enabling(write, handle)
            return OperationStep(step) { _ in .subscribed(valueHandle: handle) }
        }
    }

    private mutating func follow(_ step: Step<NotifyingCharacteristic>) -> OperationStep {
        switch step {
        case .request(let pdu):
            return .request(pdu)
        case .finished(.failure(let error)):
            return .finished(.failure(error))
        case .finished(.success(let found)):
            return enable(found)
        }
    }

    private mutating func enable(_ characteristic: NotifyingCharacteristic) -> OperationStep {
        var write = characteristic.enabling
        let first = write.start()
        state = .enabling(write, characteristic.valueHandle)
        guard case .request(let pdu) = first else { return .finished(.failure(.cancelled)) }
        return .prepareFor(characteristic.valueHandle, then: pdu)
    }
}

/// Finds a service and its characteristics.
struct ServiceOperation: Operation {
    private enum State: Sendable {
        /// Can transition to `listing`.
        case finding(DiscoverServices)
        case listing(DiscoverCharacteristics, Service)
    }

    private var state: State

    init(_ uuid: BluetoothUUID) { state = .finding(DiscoverServices(uuid)) }

    mutating func start() -> OperationStep {
        guard case .finding(var find) = state else { return .finished(.failure(.cancelled)) }
        let step = find.start()
        state = .finding(find)
        return follow(step)
    }

    mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> OperationStep {
        switch state {
        case .finding(var find):
            let step = find.receive(outcome)
            state = .finding(find)
            return follow(step)
        case .listing(var list, var service):
            let step = list.receive(outcome)
            state = .listing(list, service)
            return OperationStep(step) { characteristics in
                service.characteristics = characteristics
                return .service(service)
            }
        }
    }

    private mutating func follow(_ step: Step<[Service]>) -> OperationStep {
        switch step {
        case .request(let pdu):
            return .request(pdu)
        case .finished(.failure(let error)):
            return .finished(.failure(error))
        case .finished(.success(let services)):
            guard let service = services.first else { return .finished(.success(.service(nil))) }
            var list = DiscoverCharacteristics(in: service.range)
            let first = list.start()
            state = .listing(list, service)
            return OperationStep(first) { _ in .service(service) }
        }
    }
}

/// Agrees on the MTU. A peer that refuses keeps the one in force, which is no failure.
struct MTUOperation: Operation {
    /// What the host takes: a whole attribute value with its header, so that most values need one response.
    static let ownMTU: UInt16 = 517

    private let current: Int

    init(current: Int) { self.current = current }

    mutating func start() -> OperationStep {
        .request(.exchangeMTU(ExchangeMTURequest(clientRxMTU: Self.ownMTU)))
    }

    mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> OperationStep {
        switch outcome {
        case .success(.exchangeMTU(let response)):
            let agreed = max(Bearer.defaultMTU, Int(min(Self.ownMTU, response.serverRxMTU)))
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
