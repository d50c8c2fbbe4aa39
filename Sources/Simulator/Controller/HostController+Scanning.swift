import HCI
import Wire

extension HostController {
    mutating func performScanning(_ opcode: Opcode, _ parameters: [UInt8], at now: Moment) throws(Refusal) -> [UInt8]? {
        switch opcode {
        case LESetScanParameters.opcode: try setScan(read(parameters, as: LESetScanParameters.self))
        case LESetExtendedScanParameters.opcode: try setScan(read(parameters, as: LESetExtendedScanParameters.self))
        case LESetScanEnable.opcode: try enableScan(read(parameters, as: LESetScanEnable.self), at: now)
        case LESetExtendedScanEnable.opcode: try enableScan(read(parameters, as: LESetExtendedScanEnable.self), at: now)
        default: return nil
        }
        return Self.success
    }

    private mutating func setScan(_ command: LESetScanParameters) throws(Refusal) {
        guard command.kind.rawValue <= 1 else { throw Refusal(.invalidCommandParameters) }
        try setScan(
            ScanSettings(
                isActive: command.kind == .active, interval: command.interval, window: command.window,
                ownAddressKind: command.ownAddressKind, filterPolicy: command.filterPolicy))
    }

    /// Of several PHYs, the air is heard on 1M only.
    private mutating func setScan(_ command: LESetExtendedScanParameters) throws(Refusal) {
        guard !command.phys.isEmpty, command.scans.count == command.phys.count else {
            throw Refusal(.invalidCommandParameters)
        }
        guard command.phys == .le1M || plan.features.contains(.leCoded), let scan = command.scans.first else {
            throw Refusal(.unsupportedFeatureOrParameterValue)
        }
        guard command.scans.allSatisfy({ $0.kind.rawValue <= 1 }) else { throw Refusal(.invalidCommandParameters) }
        try setScan(
            ScanSettings(
                isActive: scan.kind == .active, interval: scan.interval, window: scan.window,
                ownAddressKind: command.ownAddressKind, filterPolicy: command.filterPolicy))
    }

    private mutating func setScan(_ scan: ScanSettings) throws(Refusal) {
        guard settings.scanning == nil else { throw Refusal(.commandDisallowed) }
        guard ListeningWindow.isValid(interval: scan.interval, window: scan.window),
            scan.ownAddressKind.rawValue <= 3, scan.filterPolicy.rawValue <= 3
        else { throw Refusal(.invalidCommandParameters) }
        guard !scan.filterPolicy.takesUnresolvedTargets || plan.features.contains(.extendedScanningFilterPolicies)
        else {
            throw Refusal(.unsupportedFeatureOrParameterValue)
        }
        settings.scan = scan
    }

    private mutating func enableScan(_ command: LESetScanEnable, at now: Moment) throws(Refusal) {
        try enableScan(
            command.isEnabled, settings.scan ?? .byDefault, isExtended: false, filters: command.filtersDuplicates,
            duration: .zero, at: now)
    }

    private mutating func enableScan(_ command: LESetExtendedScanEnable, at now: Moment) throws(Refusal) {
        guard command.duplicateFilter.rawValue <= 2 else { throw Refusal(.invalidCommandParameters) }
        if command.duplicateFilter == .resetEachPeriod, command.period == 0 || command.duration == 0 {
            throw Refusal(.invalidCommandParameters)
        }
        guard !command.isEnabled || settings.scan != nil else { throw Refusal(.commandDisallowed) }
        try enableScan(
            command.isEnabled, settings.scan ?? .byDefault, isExtended: true, filters: command.duplicateFilter != .off,
            duration: command.period == 0 ? .milliseconds(10 * Int(command.duration)) : .zero, at: now)
    }

    /// - Parameter duration: after which scanning ends by itself; zero for never
    private mutating func enableScan(
        _ isEnabled: Bool, _ scan: ScanSettings, isExtended: Bool, filters: Bool, duration: Duration, at now: Moment
    ) throws(Refusal) {
        guard isEnabled else {
            settings.scanning = nil
            pieces.removeAll()
            return
        }
        try checkOwnAddress(scan.ownAddressKind)
        guard settings.initiation == nil || plan.scansWhileInitiating else { throw Refusal(.commandDisallowed) }
        settings.scanning = Scanning(
            settings: scan,
            window: ListeningWindow(start: now, interval: scan.interval, window: scan.window), isExtended: isExtended,
            filter: filters ? DuplicateMemory(limit: plan.duplicateFilterSize) : nil,
            ends: duration > .zero ? now + duration : nil)
    }
}
