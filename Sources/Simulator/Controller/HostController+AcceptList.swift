import HCI
import Wire

extension HostController {
    mutating func performAcceptList(_ opcode: Opcode, _ parameters: [UInt8]) throws(Refusal) -> [UInt8]? {
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
}

extension ScanFilterPolicy {
    var usesFilterAcceptList: Bool { self == .filterAcceptList || self == .filterAcceptListExtended }

    /// Whether directed advertisements are heard, too, whose private target the controller does not recognise.
    var takesUnresolvedTargets: Bool { self == .allExtended || self == .filterAcceptListExtended }
}
