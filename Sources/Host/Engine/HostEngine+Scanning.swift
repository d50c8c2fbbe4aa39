import GAP
import HCI
import Wire

/// What is wanted of the scan.
struct ScanState: Hashable, Sendable {
    /// The request that waits for the controller to begin.
    var starting: [Ticket] = []
    /// When the fast parameters are exchanged for the relaxed ones.
    var relaxAt: Moment?
    var isActive = true
    /// How those who listen want it; `nil` where nobody does.
    var wanted: ScanParameters?
    /// Puts the pieces of extended advertisements together.
    var assembler = ExtendedReportAssembler()

    /// Takes a request to scan back; the scan itself goes on until it is stopped.
    ///
    /// - Returns: whether it was one that waited
    mutating func cancel(_ ticket: Ticket) -> Bool {
        guard let index = starting.firstIndex(of: ticket) else { return false }
        starting.remove(at: index)
        return true
    }
}

extension HostEngine {
    mutating func startScan(isActive: Bool, _ ticket: Ticket, at now: Moment, into effects: inout [Effect]) {
        scan.starting.append(ticket)
        scan.isActive = isActive
        scan.relaxAt = now + ScanParameters.fastPeriod
        scan.wanted = .fast(isActive: isActive)
        renewPrivateAddressIfDue(at: now, into: &effects)
        wantScan(at: now, into: &effects)
        if radio.isScanning { tellScanStarted(into: &effects) }
    }

    /// Has the radio scan as those want it who listen, and for the peers that are sought.
    mutating func wantScan(at now: Moment, into effects: inout [Effect]) {
        var parameters = scan.wanted ?? (listeningSeekers.isEmpty ? nil : .fast(isActive: false))
        parameters?.ownAddress = scanningAddress
        guard parameters != radio.wantedScan else { return }
        actOnRadio(at: now, into: &effects) { radio, actions in
            radio.want(scan: parameters, at: now, into: &actions)
        }
    }

    private mutating func tellScanStarted(into effects: inout [Effect]) {
        for ticket in scan.starting { effects.append(.answer(ticket, .success(.done))) }
        scan.starting = []
    }

    mutating func stopScan(_ ticket: Ticket, at now: Moment, into effects: inout [Effect]) {
        scan.relaxAt = nil
        scan.wanted = nil
        wantScan(at: now, into: &effects)
        effects.append(.answer(ticket, .success(.done)))
        for waiting in scan.starting { effects.append(.answer(waiting, .failure(.cancelled))) }
        scan.starting = []
    }

    /// After half a minute of fast scanning, what has not been found is not near: it is searched for with less power then.
    mutating func relaxScan(at now: Moment, into effects: inout [Effect]) {
        guard let due = scan.relaxAt, due <= now else { return }
        scan.relaxAt = nil
        scan.wanted = .relaxed(isActive: scan.isActive)
        wantScan(at: now, into: &effects)
    }

    // MARK: The radio

    /// Lets `change` act on the radio and carries out what comes of it.
    mutating func actOnRadio(
        at now: Moment, into effects: inout [Effect], _ change: (inout Radio, inout [Radio.Action]) -> Void
    ) {
        var actions: [Radio.Action] = []
        change(&radio, &actions)
        for action in actions { carryOut(action, at: now, into: &effects) }
        finishStopping(into: &effects)
    }

    private mutating func carryOut(_ action: Radio.Action, at now: Moment, into effects: inout [Effect]) {
        switch action {
        case .command(let command):
            send(command)
        case .settled(let command):
            settle(.radio(command), at: now, into: &effects)
        case .scanStarted:
            tellScanStarted(into: &effects)
        case .scanFailed(let error):
            for ticket in scan.starting { effects.append(.answer(ticket, .failure(error))) }
            scan.starting = []
            scan.relaxAt = nil
            scan.wanted = nil
            effects.append(.scanEnded(error))
            endSeeking(listeningSeekers, error, at: now, into: &effects)
        case .connected(let ticket, let handle):
            seekers[ticket] = nil
            guard let link = links[handle] else { return }
            effects.append(.connectionChanged(link.connection))
            effects.append(.answer(ticket, .success(.connected(link.connection))))
        case .connectFailed(let ticket, let error):
            guard !seekAgain(ticket, after: error, at: now, into: &effects) else { return }
            bondless[ticket] = nil
            let error = error.isConnectionLimit ? .connectionLimit(held: links.count) : error
            effects.append(.answer(ticket, .failure(error)))
        case .abandon(let handle):
            guard let link = links[handle] else { return }
            effects.append(.note(.strangersConnection(handle, link.connection.peer.address)))
            strangers.append(now)
            disconnect(handle, .remoteUserTerminated, at: now)
        }
    }

    /// Says it in the family of commands that this controller takes. The extended one can be done without until one of it is accepted.
    private mutating func send(_ command: Radio.Command) {
        let asker = Asker.radio(command)
        let isOptional = canFallBack
        switch command {
        case .setScanParameters(let parameters):
            if controller.usesExtendedCommands {
                send(
                    LESetExtendedScanParameters(parameters, own: radio.own.kind(for: parameters.ownAddress)), asker,
                    isOptional: isOptional)
            } else {
                send(LESetScanParameters(parameters, own: radio.own.kind(for: parameters.ownAddress)), asker)
            }
        case .startScan: send(scanning: true, asker)
        case .stopScan: send(scanning: false, asker)
        case .createConnection(let peer, let parameters): sendConnect(to: peer, parameters, asker)
        case .createConnectionByList(let parameters): sendConnect(to: nil, parameters, asker)
        case .cancelConnection: send(LECreateConnectionCancel(), asker)
        case .readListSize: send(LEReadFilterAcceptListSize(), asker, isOptional: true)
        case .clearList: send(LEClearFilterAcceptList(), asker, isOptional: true)
        case .addToList(let device): send(LEAddDeviceToFilterAcceptList { $0.device = device }, asker, isOptional: true)
        case .setRandomAddress(let address): send(LESetRandomAddress { $0.address = address }, asker)
        case .removeFromList(let device):
            send(LERemoveDeviceFromFilterAcceptList { $0.device = device }, asker, isOptional: true)
        }
    }

    /// - Parameter peer: `nil` for whoever is on the filter accept list
    private mutating func sendConnect(to peer: DeviceAddress?, _ parameters: InitialParameters, _ asker: Asker) {
        if controller.usesExtendedCommands {
            send(
                LEExtendedCreateConnection(peer, parameters, own: radio.own.kind(for: parameters.ownAddress)), asker,
                isOptional: canFallBack)
        } else {
            send(LECreateConnection(peer, parameters, own: radio.own.kind(for: parameters.ownAddress)), asker)
        }
    }

    /// Whether the controller may be asked to use its filter accept list.
    var offersAcceptList: Bool {
        [
            LEReadFilterAcceptListSize.opcode, LEClearFilterAcceptList.opcode, LEAddDeviceToFilterAcceptList.opcode,
            LERemoveDeviceFromFilterAcceptList.opcode,
        ].allSatisfy(controller.offers)
    }

    private mutating func send(scanning isEnabled: Bool, _ asker: Asker) {
        if controller.usesExtendedCommands {
            send(LESetExtendedScanEnable { $0.isEnabled = isEnabled }, asker, isOptional: canFallBack)
        } else {
            send(LESetScanEnable { $0.isEnabled = isEnabled }, asker)
        }
    }

    /// Whether the legacy family may still take the extended one's place. The two are never mixed (Core Vol 4, Part E, 3.1.1).
    private var canFallBack: Bool { controller.usesExtendedCommands && !hasUsedExtendedCommands }

    /// Takes the controller's answer to a command of the radio.
    ///
    /// Where the controller does not know an extended command that it claimed, the legacy family takes its place, unless one of the
    /// extended family has been accepted before; where it does not answer, the legacy family does so after a reset.
    mutating func answered(
        _ command: Radio.Command, _ outcome: CommandOutcome, opcode: HCI.Opcode, at now: Moment,
        into effects: inout [Effect]
    ) {
        let failure = outcome.failure(of: opcode)
        if failure == nil, controller.usesExtendedCommands, command.isOfTwoFamilies { hasUsedExtendedCommands = true }
        if canFallBack, command.isOfTwoFamilies, outcome == .silent {
            // Perhaps it was done, and the answer lost: then the legacy family would be refused until the next reset.
            distrustsExtendedCommands = true
            recoverFromSilence(opcode, at: now, into: &effects)
            return
        }
        if canFallBack, command.isOfTwoFamilies, failure?.isUnknownCommand == true {
            effects.append(.note(.optionalCommandRefused(opcode, failure)))
            controller.usesExtendedCommands = false
            send(command)
            return
        }
        if outcome == .silent, !command.isOptional, command != .cancelConnection {
            recoverFromSilence(opcode, at: now, into: &effects)
            return
        }
        if command.isOptional, let failure { effects.append(.note(.optionalCommandRefused(opcode, failure))) }
        actOnRadio(at: now, into: &effects) { radio, actions in
            if command == .readListSize, let answer = try? outcome.required(LEReadFilterAcceptListSize.self) {
                radio.learn(listSize: Int(answer.size))
            }
            radio.answered(command, failure, at: now, into: &actions)
        }
        if command == .stopScan { endFragments(at: now, into: &effects) }
    }

    /// What scanning has left unfinished comes out as far as it came: nothing will follow.
    mutating func endFragments(at now: Moment, into effects: inout [Effect]) {
        for rest in scan.assembler.reset() { see(rest, at: now, into: &effects) }
    }
}

extension HostError {
    fileprivate var isUnknownCommand: Bool {
        if case .command(.refused(_, .unknownCommand)) = self { true } else { false }
    }
}

extension Radio.Command {
    /// Whether the legacy and the extended family have a command of their own for it.
    fileprivate var isOfTwoFamilies: Bool {
        if case .setRandomAddress = self { false } else { !isOptional && self != .cancelConnection }
    }

    /// Whether the host can do without it: all that concerns the filter accept list.
    fileprivate var isOptional: Bool {
        switch self {
        case .readListSize, .clearList, .addToList, .removeFromList: true
        default: false
        }
    }
}
