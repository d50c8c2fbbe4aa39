import HCI
import Wire

extension HostEngine {
    mutating func start(_ ticket: Ticket, at now: Moment, into effects: inout [Effect]) {
        guard case .asleep = phase else {
            effects.append(.answer(ticket, .success(.done)))
            return
        }
        do throws(HostError) {
            try prepareOwnKey()
        } catch {
            return fail(error, into: &effects)
        }
        let initialisation = Initialisation()
        phase = .initialising(initialisation, ticket)
        issue(.reset)
    }

    /// Takes the answer to an initialisation step and goes on with the next.
    mutating func initialised(
        _ step: Initialisation.Step, _ outcome: CommandOutcome, at now: Moment, into effects: inout [Effect]
    ) {
        guard case .initialising(var initialisation, let ticket) = phase, initialisation.step == step else { return }
        if outcome == .silent, Initialisation.isWorthRepeating(step), !initialisation.isRepeated {
            initialisation.again()
            phase = .initialising(initialisation, ticket)
            issue(step)
            return
        }
        do {
            try learn(step, outcome, into: &effects)
        } catch {
            fail(error, into: &effects)
            return
        }
        if step == .resolvingList, privacy.list.hasNext { return issue(step) }
        repeat { initialisation.proceed() } while initialisation.step.map(isNeeded) == false
        guard let next = initialisation.step else {
            return getReady(ticket, at: now, into: &effects)
        }
        phase = .initialising(initialisation, ticket)
        issue(next)
    }

    private mutating func getReady(_ ticket: Ticket?, at now: Moment, into effects: inout [Effect]) {
        let own: OwnAddresses
        do throws(HostError) {
            own = try makeOwnAddresses(at: now)
        } catch {
            return fail(error, into: &effects)
        }
        phase = .ready
        if let ticket { effects.append(.answer(ticket, .success(.done))) }
        let usesList = offersAcceptList
        actOnRadio(at: now, into: &effects) { radio, actions in
            radio.resume(usingList: usesList, as: own, at: now, into: &actions)
        }
    }

    private func isNeeded(_ step: Initialisation.Step) -> Bool {
        switch step {
        case .classicBufferSize: data.buffers == nil
        case .randomAddress: controller.ownAddress.kind == .random
        case .version: controller.offers(ReadLocalVersionInformation.opcode)
        case .features: controller.offers(ReadLocalSupportedFeatures.opcode)
        case .lowEnergyFeatures: controller.offers(LEReadLocalSupportedFeatures.opcode)
        case .eventMask: controller.offers(SetEventMask.opcode)
        case .lowEnergyEventMask: controller.offers(LESetEventMask.opcode)
        case .resolvingListSize: offersResolvingList
        case .resolvingList: privacy.list.hasNext
        // The address decides under which the host goes on air, and is asked for in any case.
        case .reset, .supportedCommands, .publicAddress, .lowEnergyBufferSize: true
        }
    }

    private mutating func issue(_ step: Initialisation.Step) {
        let asker = Asker.initialisation(step)
        switch step {
        case .reset: send(Reset(), asker)
        case .supportedCommands: send(ReadLocalSupportedCommands(), asker, isOptional: true)
        case .version: send(ReadLocalVersionInformation(), asker, isOptional: true)
        case .features: send(ReadLocalSupportedFeatures(), asker, isOptional: true)
        case .publicAddress: send(ReadBDADDR(), asker, isOptional: true)
        case .lowEnergyBufferSize: send(LEReadBufferSize(), asker)
        case .classicBufferSize: send(ReadBufferSize(), asker)
        case .lowEnergyFeatures: send(LEReadLocalSupportedFeatures(), asker, isOptional: true)
        case .eventMask: send(SetEventMask { $0.mask = .central }, asker, isOptional: true)
        case .lowEnergyEventMask:
            send(
                LESetEventMask { [features = controller.lowEnergyFeatures] in $0.mask = .central(features) }, asker,
                isOptional: true)
        case .resolvingListSize: send(LEReadResolvingListSize(), asker, isOptional: true)
        case .resolvingList: issueResolvingList(asker)
        case .randomAddress:
            send(LESetRandomAddress { [own = controller.ownAddress.address] in $0.address = own }, asker)
        }
    }

    /// Keeps what a step's answer tells of the controller.
    private mutating func learn(
        _ step: Initialisation.Step, _ outcome: CommandOutcome, into effects: inout [Effect]
    ) throws(HostError) {
        switch step {
        case .reset:
            _ = try outcome.required(Reset.self)
        case .supportedCommands:
            if let answer = optional(ReadLocalSupportedCommands.self, outcome, into: &effects) {
                controller.supportedCommands = answer.commands
            }
        case .version:
            controller.version = optional(ReadLocalVersionInformation.self, outcome, into: &effects)
        case .features:
            guard let answer = optional(ReadLocalSupportedFeatures.self, outcome, into: &effects) else { return }
            controller.features = answer.features
            guard controller.features.contains(.lowEnergy) else { throw .withoutLowEnergy }
        case .publicAddress:
            controller.publicAddress = optional(ReadBDADDR.self, outcome, into: &effects)?.address ?? .zero
            controller.ownAddress =
                controller.publicAddress == .zero || security?.ownAddress == .static
                ? DeviceAddress(.random, configuration.staticAddress)
                : DeviceAddress(.public, controller.publicAddress)
        case .lowEnergyBufferSize:
            let answer = try outcome.required(LEReadBufferSize.self)
            data.configure(.init(le: answer, classic: nil))
        case .classicBufferSize:
            let answer = try outcome.required(ReadBufferSize.self)
            data.configure(.init(le: .init(), classic: answer))
            guard data.buffers != nil else { throw .withoutDataBuffers }
        case .lowEnergyFeatures:
            guard let answer = optional(LEReadLocalSupportedFeatures.self, outcome, into: &effects) else { return }
            controller.lowEnergyFeatures = answer.features
            controller.usesExtendedCommands = canUseExtendedCommands && !distrustsExtendedCommands
        case .eventMask:
            _ = optional(SetEventMask.self, outcome, into: &effects)
        case .lowEnergyEventMask:
            _ = optional(LESetEventMask.self, outcome, into: &effects)
        case .resolvingListSize:
            guard let answer = optional(LEReadResolvingListSize.self, outcome, into: &effects) else { return }
            privacy.list = ResolvingList(of: identities.all, holding: Int(answer.size))
        case .resolvingList: learnResolvingList(outcome, into: &effects)
        case .randomAddress:
            _ = try outcome.required(LESetRandomAddress.self)
        }
    }

    /// Whether all of the extended family that the host needs is there.
    private var canUseExtendedCommands: Bool {
        controller.lowEnergyFeatures.contains(.extendedAdvertising)
            && controller.supportedCommands.contains(LESetExtendedScanParameters.self)
            && controller.supportedCommands.contains(LESetExtendedScanEnable.self)
            && controller.supportedCommands.contains(LEExtendedCreateConnection.self)
    }

    /// The return parameters of a command that may fail; a failure is noted.
    private func optional<Asked: Command>(
        _ command: Asked.Type, _ outcome: CommandOutcome, into effects: inout [Effect]
    ) -> Asked.ReturnParameters? {
        do {
            return try outcome.required(command)
        } catch {
            effects.append(.note(.optionalCommandRefused(Asked.opcode, error)))
            return nil
        }
    }
}
