import HCI
import Wire

extension HostController {
    mutating func performConnecting(
        _ opcode: Opcode, _ parameters: [UInt8], at now: Moment, into consequences: inout [ControllerEffect]
    ) throws(Refusal) -> [UInt8]? {
        switch opcode {
        case LECreateConnection.opcode: try initiate(read(parameters, as: LECreateConnection.self), at: now)
        case LEExtendedCreateConnection.opcode:
            try initiate(read(parameters, as: LEExtendedCreateConnection.self), at: now)
        case LECreateConnectionCancel.opcode: try cancelInitiation(into: &consequences)
        default: return nil
        }
        return Self.success
    }

    private mutating func initiate(_ command: LECreateConnection, at now: Moment) throws(Refusal) {
        try initiate(
            Initiation(
                target: command.usesFilterAcceptList ? nil : command.peer, ownAddressKind: command.ownAddressKind,
                parameters: command.parameters,
                window: ListeningWindow(start: now, interval: command.scanInterval, window: command.scanWindow)),
            isValid: ListeningWindow.isValid(interval: command.scanInterval, window: command.scanWindow)
                && command.minCELength <= command.maxCELength)
    }

    /// Of several PHYs, the air is heard on 1M only.
    private mutating func initiate(_ command: LEExtendedCreateConnection, at now: Moment) throws(Refusal) {
        let known: PHYs = plan.features.contains(.leCoded) ? [.le1M, .le2M, .leCoded] : [.le1M, .le2M]
        guard known.isSuperset(of: command.phys) else { throw Refusal(.unsupportedFeatureOrParameterValue) }
        guard command.phys.contains(.le1M), let first = command.initiations.first else {
            throw Refusal(.invalidCommandParameters)
        }
        try initiate(
            Initiation(
                target: command.usesFilterAcceptList ? nil : command.peer, ownAddressKind: command.ownAddressKind,
                parameters: first.parameters,
                window: ListeningWindow(start: now, interval: first.scanInterval, window: first.scanWindow)),
            isValid: command.initiations.allSatisfy {
                $0.parameters.isValid && $0.minCELength <= $0.maxCELength
                    && ListeningWindow.isValid(interval: $0.scanInterval, window: $0.scanWindow)
            })
    }

    private mutating func initiate(_ initiation: Initiation, isValid: Bool) throws(Refusal) {
        guard settings.initiation == nil, settings.scanning == nil || plan.scansWhileInitiating else {
            throw Refusal(.commandDisallowed)
        }
        guard isValid, initiation.parameters.isValid, (initiation.target?.kind.rawValue ?? 0) <= 3 else {
            throw Refusal(.invalidCommandParameters)
        }
        try checkOwnAddress(initiation.ownAddressKind)
        guard links.count < plan.mostConnections else { throw Refusal(.connectionLimitExceeded) }
        var initiation = initiation
        if let target = initiation.target {
            let target = DeviceAddress(target.kind.withoutIdentity, target.address)
            guard !links.contains(where: { $0.identity == target }) else { throw Refusal(.connectionAlreadyExists) }
            initiation.target = target
        }
        settings.initiation = initiation
    }

    private mutating func cancelInitiation(into consequences: inout [ControllerEffect]) throws(Refusal) {
        guard settings.initiation != nil else { throw Refusal(.commandDisallowed) }
        settings.initiation = nil
        emitFailure(.unknownConnectionIdentifier, into: &consequences)
    }

    /// The peer has answered: a connection begins.
    mutating func establish(
        _ initiation: Initiation, with advertisement: Advertisement, from recognition: Recognition, at now: Moment,
        into effects: inout [ControllerEffect]
    ) {
        settings.initiation = nil
        let ownPrivate = privateAddress(initiation.ownAddressKind, shownTo: recognition, at: now)
        let link = Link(
            handle: freeHandle, device: advertisement.device, peer: recognition.advertiser,
            peerPrivate: recognition.isResolved ? advertisement.sender.address : nil, ownPrivate: ownPrivate,
            interval: initiation.parameters.intervalMax, latency: initiation.parameters.latency,
            supervisionTimeout: initiation.parameters.supervisionTimeout, anchor: now + .milliseconds(5))
        links.append(link)
        emitCompletion(link, into: &effects)
        if plan.features.contains(.channelSelectionAlgorithm2) {
            emit(LEChannelSelectionAlgorithm { $0.handle = link.handle }, into: &effects)
        }
        let central = ownPrivate.map { DeviceAddress(.random, $0) } ?? ownAddress(initiation.ownAddressKind)
        effects.append(.peer(link.device, .connected(by: central, as: advertisement.sender)))
    }

    /// The least handle that no connection has: what a connection had is used again soon.
    private var freeHandle: ConnectionHandle {
        let used = Set(links.map(\.handle))
        let first = min(plan.firstHandle.rawValue, 0xEFF)
        return (first...0xEFF).lazy.map { ConnectionHandle(rawValue: $0) }.first { !used.contains($0) }
            ?? ConnectionHandle(rawValue: first)
    }

    /// Sends the kind of completion that the host asked for.
    private func emitCompletion(_ link: Link, into effects: inout [ControllerEffect]) {
        if isWanted(.enhancedConnectionComplete) {
            let event = LEEnhancedConnectionComplete {
                $0.handle = link.handle
                $0.peer = link.peer
                $0.localPrivateAddress = link.ownPrivate ?? .zero
                $0.peerPrivateAddress = link.peerPrivate ?? .zero
                $0.interval = link.interval
                $0.latency = link.latency
                $0.supervisionTimeout = link.supervisionTimeout
            }
            emit(event, into: &effects)
        } else {
            let event = LEConnectionComplete {
                $0.handle = link.handle
                $0.peer = link.identity
                $0.interval = link.interval
                $0.latency = link.latency
                $0.supervisionTimeout = link.supervisionTimeout
            }
            emit(event, into: &effects)
        }
    }

    /// Tells of an attempt that led to nothing. All fields but the status are zero, the handle among them.
    private func emitFailure(_ status: Status, into effects: inout [ControllerEffect]) {
        if isWanted(.enhancedConnectionComplete) {
            emit(LEEnhancedConnectionComplete { $0.status = status }, into: &effects)
        } else {
            emit(LEConnectionComplete { $0.status = status }, into: &effects)
        }
    }
}
