import HCI
import Wire

extension HostController {
    mutating func performResolvingList(
        _ opcode: Opcode, _ parameters: [UInt8], at now: Moment
    ) throws(Refusal) -> [UInt8]? {
        switch opcode {
        case LEReadResolvingListSize.opcode:
            return [Status.success.rawValue, UInt8(clamping: plan.resolvingListSize)]
        case LEClearResolvingList.opcode:
            try checkResolvingListIsFree()
            settings.resolvingList.removeAll()
        case LEAddDeviceToResolvingList.opcode: try addToResolvingList(read(parameters))
        case LERemoveDeviceFromResolvingList.opcode:
            try removeFromResolvingList(read(parameters, as: LERemoveDeviceFromResolvingList.self).identity)
        case LESetPrivacyMode.opcode: try setPrivacyMode(read(parameters))
        case LESetAddressResolutionEnable.opcode:
            let isEnabled = try read(parameters, as: LESetAddressResolutionEnable.self).isEnabled
            guard !isListening else { throw Refusal(.commandDisallowed) }
            settings.resolvingList.isEnabled = isEnabled
        case LESetResolvablePrivateAddressTimeout.opcode:
            let seconds = try read(parameters, as: LESetResolvablePrivateAddressTimeout.self).seconds
            guard (1...3600).contains(seconds) else { throw Refusal(.invalidCommandParameters) }
            settings.resolvingList.period = .seconds(Int(seconds))
        case LEReadPeerResolvableAddress.opcode: return try readPeerAddress(read(parameters))
        case LEReadLocalResolvableAddress.opcode: return try readLocalAddress(read(parameters), at: now)
        default:
            return nil
        }
        return Self.success
    }

    /// A list in use stays as it is (Core Vol 4, Part E, 7.8.38).
    private func checkResolvingListIsFree() throws(Refusal) {
        guard !settings.resolvingList.isEnabled || !isListening else { throw Refusal(.commandDisallowed) }
    }

    private mutating func addToResolvingList(_ command: LEAddDeviceToResolvingList) throws(Refusal) {
        try checkResolvingListIsFree()
        let entry = ResolvingList.Entry(command)
        guard [.public, .random].contains(entry.identity.kind), settings.resolvingList.hasRoom(beside: entry) else {
            throw Refusal(.invalidCommandParameters)
        }
        guard settings.resolvingList.entries.count < plan.resolvingListSize else {
            throw Refusal(.memoryCapacityExceeded)
        }
        settings.resolvingList.add(entry)
    }

    private mutating func removeFromResolvingList(_ identity: DeviceAddress) throws(Refusal) {
        try checkResolvingListIsFree()
        settings.resolvingList.remove(at: try place(of: identity))
    }

    private mutating func setPrivacyMode(_ command: LESetPrivacyMode) throws(Refusal) {
        try checkResolvingListIsFree()
        guard command.mode.rawValue <= 1 else { throw Refusal(.invalidCommandParameters) }
        settings.resolvingList[try place(of: command.identity)].mode = command.mode
    }

    private func place(of identity: DeviceAddress) throws(Refusal) -> Int {
        guard let index = settings.resolvingList.index(of: identity) else {
            throw Refusal(.unknownConnectionIdentifier)
        }
        return index
    }

    private func readPeerAddress(_ command: LEReadPeerResolvableAddress) throws(Refusal) -> [UInt8] {
        let entry = settings.resolvingList[try place(of: command.identity)]
        return LEReadPeerResolvableAddress.ReturnParameters { $0.address = entry.heard ?? .zero }.encoded
    }

    private func readLocalAddress(
        _ command: LEReadLocalResolvableAddress, at now: Moment
    ) throws(Refusal) -> [UInt8] {
        let entry = settings.resolvingList[try place(of: command.identity)]
        return LEReadLocalResolvableAddress.ReturnParameters {
            $0.address = privateAddress(shownTo: entry, at: now) ?? .zero
        }.encoded
    }
}
