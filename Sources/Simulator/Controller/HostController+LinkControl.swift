import HCI
import Wire

extension HostController {
    mutating func performLinkControl(
        _ opcode: Opcode, _ parameters: [UInt8], at now: Moment, into consequences: inout [ControllerEffect]
    ) throws(Refusal) -> [UInt8]? {
        switch opcode {
        case Disconnect.opcode: try disconnect(read(parameters), at: now)
        case LEConnectionUpdate.opcode: try update(read(parameters), at: now)
        case ReadRemoteVersionInformation.opcode:
            let command = try read(parameters, as: ReadRemoteVersionInformation.self)
            try begin(.versionExchange, on: command.handle, events: 2, at: now)
        case LEReadRemoteFeatures.opcode:
            let command = try read(parameters, as: LEReadRemoteFeatures.self)
            try begin(.featureExchange, on: command.handle, events: 2, at: now)
        case LEEnableEncryption.opcode: try encrypt(read(parameters), at: now)
        case LELongTermKeyRequestReply.opcode:
            try answerKeyRequest(read(parameters, as: LELongTermKeyRequestReply.self).handle)
        case LELongTermKeyRequestNegativeReply.opcode:
            try answerKeyRequest(read(parameters, as: LELongTermKeyRequestNegativeReply.self).handle)
        case LESetPHY.opcode: try setPHY(read(parameters), at: now)
        case LESetDataLength.opcode: return try setDataLength(read(parameters), at: now)
        case LEReadPHY.opcode: return try readPHY(read(parameters))
        case ReadRSSI.opcode: return try readRSSI(read(parameters))
        case LERemoteConnectionParameterRequestReply.opcode: return try grantParameters(read(parameters), at: now)
        case LERemoteConnectionParameterRequestNegativeReply.opcode:
            return try refuseParameters(read(parameters), into: &consequences)
        default: return nil
        }
        return Self.success
    }

    /// The place of a connection in `links`.
    func index(of handle: ConnectionHandle) throws(Refusal) -> Int {
        guard let index = links.firstIndex(where: { $0.handle == handle }) else {
            throw Refusal(.unknownConnectionIdentifier)
        }
        return index
    }

    private mutating func begin(
        _ procedure: LinkProcedure, on handle: ConnectionHandle, events: Int, at now: Moment
    ) throws(Refusal) {
        let index = try index(of: handle)
        // Nobody there to do it with: the command is taken, and the link's loss is all that comes of it.
        guard !links[index].isSilent else { return }
        guard links[index].begin(procedure, events: events, at: now) else { throw Refusal(.commandDisallowed) }
    }

    private mutating func disconnect(_ command: Disconnect, at now: Moment) throws(Refusal) {
        let allowed: [UInt8] = [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B]
        let index = try index(of: command.handle)
        guard allowed.contains(command.reason.rawValue) else { throw Refusal(.invalidCommandParameters) }
        if links[index].isSilent {
            links[index].loss?.reason = .terminatedByLocalHost
        } else if !links[index].begin(.termination(command.reason), events: 0, at: now) {
            throw Refusal(.commandDisallowed)
        }
    }

    private mutating func update(_ command: LEConnectionUpdate, at now: Moment) throws(Refusal) {
        _ = try index(of: command.handle)
        guard command.parameters.isValid, command.minCELength <= command.maxCELength else {
            throw Refusal(.invalidCommandParameters)
        }
        // The change takes effect at an instant at least six events ahead (Core Vol 6, Part B, 5.1.1).
        try begin(.connectionUpdate(command.parameters), on: command.handle, events: 6, at: now)
    }

    private mutating func setPHY(_ command: LESetPHY, at now: Moment) throws(Refusal) {
        _ = try index(of: command.handle)
        let known: PHYs = plan.features.contains(.le2M) ? [.le1M, .le2M] : .le1M
        let tx = command.noPreference & 1 == 0 ? command.tx : known
        let rx = command.noPreference & 2 == 0 ? command.rx : known
        guard !tx.isEmpty, !rx.isEmpty else { throw Refusal(.invalidCommandParameters) }
        guard known.isSuperset(of: tx.union(rx)) else { throw Refusal(.unsupportedFeatureOrParameterValue) }
        let isFast = tx.contains(.le2M) && rx.contains(.le2M)
        try begin(.phyUpdate(isFast ? .le2M : .le1M), on: command.handle, events: 6, at: now)
    }

    private mutating func setDataLength(_ command: LESetDataLength, at now: Moment) throws(Refusal) -> [UInt8] {
        _ = try index(of: command.handle)
        guard (27...251).contains(command.txOctets), (328...17_040).contains(command.txTime) else {
            throw Refusal(.invalidCommandParameters)
        }
        try begin(.dataLength(command.txOctets), on: command.handle, events: 2, at: now)
        return handleReturn(command.handle)
    }

    private func readPHY(_ command: LEReadPHY) throws(Refusal) -> [UInt8] {
        let link = links[try index(of: command.handle)]
        return LEReadPHY.ReturnParameters {
            $0.handle = link.handle
            $0.tx = link.tx
            $0.rx = link.rx
        }.encoded
    }

    private mutating func readRSSI(_ command: ReadRSSI) throws(Refusal) -> [UInt8] {
        let link = links[try index(of: command.handle)]
        randomCount &+= 1
        let deviation = Int(noise.branch(3).deviation(randomCount) * 8)
        return ReadRSSI.ReturnParameters {
            $0.handle = link.handle
            $0.rssi = SignalLevel(dBm: Int8(clamping: -58 + deviation))
        }.encoded
    }

    private mutating func grantParameters(
        _ command: LERemoteConnectionParameterRequestReply, at now: Moment
    ) throws(Refusal) -> [UInt8] {
        let index = try index(of: command.handle)
        guard links[index].awaitsParameterReply else { throw Refusal(.commandDisallowed) }
        guard command.parameters.isValid else { throw Refusal(.invalidCommandParameters) }
        links[index].awaitsParameterReply = false
        _ = links[index].begin(.connectionUpdate(command.parameters), events: 6, at: now)
        return handleReturn(command.handle)
    }

    private mutating func refuseParameters(
        _ command: LERemoteConnectionParameterRequestNegativeReply, into consequences: inout [ControllerEffect]
    ) throws(Refusal) -> [UInt8] {
        let index = try index(of: command.handle)
        guard links[index].awaitsParameterReply else { throw Refusal(.commandDisallowed) }
        links[index].awaitsParameterReply = false
        consequences.append(.peer(links[index].device, .parametersRefused))
        return handleReturn(command.handle)
    }

    private func handleReturn(_ handle: ConnectionHandle) -> [UInt8] {
        HandleReturn { $0.handle = handle }.encoded
    }
}
