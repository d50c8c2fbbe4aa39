import HCI
import Wire

extension HostController {
    mutating func performList(_ opcode: Opcode, _ parameters: [UInt8]) throws(Refusal) -> [UInt8]? {
        switch opcode {
        case LEReadFilterAcceptListSize.opcode:
            return [Status.success.rawValue, UInt8(clamping: plan.filterAcceptListSize)]
        case LEClearFilterAcceptList.opcode:
            try checkFilterAcceptListIsFree()
            settings.filterAcceptList.removeAll()
        case LEAddDeviceToFilterAcceptList.opcode:
            try addToFilterAcceptList(read(parameters, as: LEAddDeviceToFilterAcceptList.self).device)
        case LERemoveDeviceFromFilterAcceptList.opcode:
            let device = try read(parameters, as: LERemoveDeviceFromFilterAcceptList.self).device
            try checkFilterAcceptListIsFree()
            settings.filterAcceptList.removeAll { $0 == device }
        case LEReadResolvingListSize.opcode:
            return [Status.success.rawValue, UInt8(clamping: plan.resolvingListSize)]
        case LEClearResolvingList.opcode:
            try checkResolvingListIsFree()
            settings.resolvingList.removeAll()
        case LEAddDeviceToResolvingList.opcode:
            try addToResolvingList(read(parameters, as: LEAddDeviceToResolvingList.self).identity)
        case LERemoveDeviceFromResolvingList.opcode:
            try removeFromResolvingList(read(parameters, as: LERemoveDeviceFromResolvingList.self).identity)
        case LESetAddressResolutionEnable.opcode:
            let isEnabled = try read(parameters, as: LESetAddressResolutionEnable.self).isEnabled
            guard !isListening else { throw Refusal(.commandDisallowed) }
            settings.resolvesAddresses = isEnabled
        default:
            return nil
        }
        return Self.success
    }

    /// A list in use stays as it is (Core Vol 4, Part E, 7.8.15).
    private func checkFilterAcceptListIsFree() throws(Refusal) {
        let scans = settings.scanning.map { $0.settings.filterPolicy.usesFilterAcceptList } ?? false
        let initiates = settings.initiation.map { $0.target == nil } ?? false
        guard !scans, !initiates else { throw Refusal(.commandDisallowed) }
    }

    private mutating func addToFilterAcceptList(_ device: DeviceAddress) throws(Refusal) {
        try checkFilterAcceptListIsFree()
        guard [.public, .random, .anonymous].contains(device.kind) else { throw Refusal(.invalidCommandParameters) }
        guard !settings.filterAcceptList.contains(device) else { return }
        guard settings.filterAcceptList.count < plan.filterAcceptListSize else {
            throw Refusal(.memoryCapacityExceeded)
        }
        settings.filterAcceptList.append(device)
    }

    /// A list in use stays as it is (Core Vol 4, Part E, 7.8.38).
    private func checkResolvingListIsFree() throws(Refusal) {
        guard !settings.resolvesAddresses || !isListening else { throw Refusal(.commandDisallowed) }
    }

    private mutating func addToResolvingList(_ identity: DeviceAddress) throws(Refusal) {
        try checkResolvingListIsFree()
        guard [.public, .random].contains(identity.kind), !settings.resolvingList.contains(identity) else {
            throw Refusal(.invalidCommandParameters)
        }
        guard settings.resolvingList.count < plan.resolvingListSize else { throw Refusal(.memoryCapacityExceeded) }
        settings.resolvingList.append(identity)
    }

    private mutating func removeFromResolvingList(_ identity: DeviceAddress) throws(Refusal) {
        try checkResolvingListIsFree()
        guard let index = settings.resolvingList.firstIndex(of: identity) else {
            throw Refusal(.unknownConnectionIdentifier)
        }
        settings.resolvingList.remove(at: index)
    }
}

extension ScanFilterPolicy {
    var usesFilterAcceptList: Bool { self == .filterAcceptList || self == .filterAcceptListExtended }
}
