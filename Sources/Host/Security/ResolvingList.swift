import HCI
import SMP

/// The controller's list of peers whose private addresses it resolves by itself (Core Vol 6, Part B, 4.7): what it is told, one command
/// after the other, and whom it recognises in the end.
struct ResolvingList: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case clear
        case add(DeviceAddress)
        /// Have it accept the peer under its identity address, too: not every peer that has a key uses it.
        case trustIdentity(DeviceAddress)
        case remove(DeviceAddress)
        case enable

        var opcode: HCI.Opcode {
            switch self {
            case .clear: LEClearResolvingList.opcode
            case .add: LEAddDeviceToResolvingList.opcode
            case .trustIdentity: LESetPrivacyMode.opcode
            case .remove: LERemoveDeviceFromResolvingList.opcode
            case .enable: LESetAddressResolutionEnable.opcode
            }
        }
    }

    private var steps: [Step] = []
    private var added: Set<DeviceAddress> = []
    private var isEnabled = false

    /// Nobody is on it.
    init() {}

    /// - Parameters:
    ///   - bonds: those without a key have no place on it
    ///   - size: how many entries there are
    init(of bonds: [Bond], holding size: Int) {
        let peers = bonds.filter { $0.identityResolvingKey != nil }.map(\.identity.plain).prefix(size)
        guard !peers.isEmpty else { return }
        steps = [.clear] + peers.map(Step.add) + [.enable]
    }

    var next: Step? { steps.first }

    var hasNext: Bool { !steps.isEmpty }

    /// The controller has answered the step. A peer that it would not accept under its identity address is better not on the list at all.
    mutating func answered(_ isSuccess: Bool) {
        guard !steps.isEmpty else { return }
        switch (steps.removeFirst(), isSuccess) {
        case (.clear, false): steps = []
        case (.add(let identity), true): steps.insert(.trustIdentity(identity), at: 0)
        case (.trustIdentity(let identity), true): added.insert(identity)
        case (.trustIdentity(let identity), false): steps.insert(.remove(identity), at: 0)
        // What cannot be taken off the list must not be in force.
        case (.remove, false): steps = []
        case (.enable, true): isEnabled = true
        default: return
        }
    }

    /// What it knows of a peer is no longer so. A command that is under way is answered all the same.
    mutating func forget(_ identity: DeviceAddress) {
        added.remove(identity)
        guard let current = steps.first else { return }
        steps = [current] + steps.dropFirst().filter { $0 != .add(identity) && $0 != .trustIdentity(identity) }
    }

    /// Whether the controller recognises that peer under any of its addresses.
    func recognises(_ identity: DeviceAddress) -> Bool { isEnabled && added.contains(identity) }
}
