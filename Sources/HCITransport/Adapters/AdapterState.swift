public import Wire

/// Whether an adapter can be used, and what stands in the way.
public enum AdapterState: Hashable, Sendable {
    /// There is no such adapter (any more).
    case absent
    /// It speaks no Bluetooth LE.
    case unsupported
    /// This process may not take it.
    case unauthorized
    /// rfkill blocks it.
    case blocked(Adapter.Block)
    /// Somebody else uses it.
    case busy(Occupation)
    /// Free, and not powered.
    case off
    /// Free, and powered: it will be taken down, used, and put up again.
    case on

    /// What keeps an adapter busy.
    public enum Occupation: Hashable, Sendable {
        /// The kernel, which is setting it up: done in a moment.
        case settingUp
        /// A program with the adapter's user channel; `nil` when it has left no lock file.
        case holder(AdapterHolder?)
        /// Other programs' live connections to these peers.
        case connections([Address])
    }

    /// What the user can do about a state.
    public enum Remedy: Hashable, Sendable {
        /// Plug an adapter in, or load its driver.
        case plugIn
        /// Take another adapter.
        case useAnother
        /// Run as root, or give the program CAP_NET_ADMIN.
        case grantPermission
        /// `rfkill unblock bluetooth`.
        case unblock
        /// Move the machine's switch, or press its key.
        case moveSwitch
        /// Wait a moment.
        case wait
        /// End the program that holds the adapter.
        case endProgram(AdapterHolder?)
        /// Take it from the other programs, which lose these connections: `--take-over`.
        case takeOver([Address])
    }

    /// Whether the adapter can be opened without more ado.
    public var isUsable: Bool { self == .off || self == .on }

    /// What helps; `nil` when nothing is in the way.
    public var remedy: Remedy? {
        switch self {
        case .absent: .plugIn
        case .unsupported: .useAnother
        case .unauthorized: .grantPermission
        case .blocked(.soft): .unblock
        case .blocked(.hard): .moveSwitch
        case .busy(.settingUp): .wait
        case .busy(.holder(let holder)): .endProgram(holder)
        case .busy(.connections(let peers)): .takeOver(peers)
        case .off, .on: nil
        }
    }
}

extension Adapter {
    /// Everything that stands in the way of using the adapter, the hardest to remove first.
    public var obstacles: [AdapterState] {
        var found: [AdapterState] = []
        if supportsLowEnergy == false { found.append(.unsupported) }
        if !isPermitted { found.append(.unauthorized) }
        if let block { found.append(.blocked(block)) }
        if isHeld == true || holder != nil { found.append(.busy(.holder(holder))) }
        if isSettingUp { found.append(.busy(.settingUp)) }
        if !connections.isEmpty { found.append(.busy(.connections(connections))) }
        return found
    }

    /// The first of `obstacles`, or whether the adapter is on or off.
    public var state: AdapterState { obstacles.first ?? (isUp ? .on : .off) }
}
