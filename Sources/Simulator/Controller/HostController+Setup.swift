import HCI
import Wire

extension HostController {
    mutating func performSetup(
        _ opcode: Opcode, _ parameters: [UInt8], into consequences: inout [ControllerEffect]
    ) throws(Refusal) -> [UInt8]? {
        switch opcode {
        case Reset.opcode:
            reset(into: &consequences)
        case SetEventMask.opcode:
            settings.eventMask = try eventMask(read(parameters))
        case SetEventMaskPage2.opcode, WriteLEHostSupport.opcode:
            break
        case LESetEventMask.opcode:
            settings.lowEnergyEventMask = try read(parameters, as: LESetEventMask.self).mask
        case LESetRandomAddress.opcode:
            try setRandomAddress(read(parameters, as: LESetRandomAddress.self).address)
        case LEWriteSuggestedDefaultDataLength.opcode:
            try setSuggestedDataLength(read(parameters))
        case LESetDefaultPHY.opcode:
            try checkPHYs(read(parameters))
        default:
            return nil
        }
        return Self.success
    }

    /// Forgets everything. Peers are not told: they notice that nobody is there any more.
    mutating func reset(into consequences: inout [ControllerEffect]) {
        settings = ControllerSettings()
        pieces.removeAll()
        consequences += links.map { .peer($0.device, .disconnected(.connectionTimeout)) }
        links.removeAll()
    }

    /// The answers to commands cannot be masked, and by the specification neither can Number Of Completed Packets.
    private func eventMask(_ command: SetEventMask) -> EventMask {
        var always: [EventCode] = [.commandComplete, .commandStatus]
        if !plan.masksCompletedPackets { always.append(.numberOfCompletedPackets) }
        return command.mask.union(EventMask(always))
    }

    private mutating func setRandomAddress(_ address: Address) throws(Refusal) {
        guard !isListening else { throw Refusal(.commandDisallowed) }
        settings.randomAddress = address
    }

    private mutating func setSuggestedDataLength(_ command: LEWriteSuggestedDefaultDataLength) throws(Refusal) {
        guard (27...251).contains(command.txOctets), (328...17_040).contains(command.txTime) else {
            throw Refusal(.invalidCommandParameters)
        }
        settings.suggestedOctets = command.txOctets
        settings.suggestedTime = command.txTime
    }

    private func checkPHYs(_ command: LESetDefaultPHY) throws(Refusal) {
        let known = plan.features.contains(.le2M) ? PHYs([.le1M, .le2M]) : .le1M
        let isBad = { (phys: PHYs, bit: UInt8) in command.noPreference & bit == 0 && phys.isEmpty }
        guard !isBad(command.tx, 1), !isBad(command.rx, 2) else { throw Refusal(.invalidCommandParameters) }
        guard known.isSuperset(of: command.tx.union(command.rx)) else {
            throw Refusal(.unsupportedFeatureOrParameterValue)
        }
    }

    /// Whether the host can use the kind of address now.
    func checkOwnAddress(_ kind: OwnAddressKind) throws(Refusal) {
        guard kind.rawValue <= 3 else { throw Refusal(.invalidCommandParameters) }
        let needsRandom = kind == .random || kind == .resolvableOrRandom
        if needsRandom, settings.randomAddress == nil { throw Refusal(.invalidCommandParameters) }
    }
}
