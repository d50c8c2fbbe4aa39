import HCI
import Wire

/// What a command to connect says about the peer.
struct ConnectionAttempt {
    /// `nil` where the filter accept list says whom.
    let peer: DeviceAddress?

    /// `nil` for every other command, and for one that is not whole.
    init?(_ opcode: Opcode, _ parameters: ArraySlice<UInt8>) {
        switch opcode {
        case LECreateConnection.opcode:
            guard let command = try? LECreateConnection(decoding: [UInt8](parameters)) else { return nil }
            peer = command.usesFilterAcceptList ? nil : command.peer
        case LEExtendedCreateConnection.opcode:
            guard let command = try? LEExtendedCreateConnection(decoding: [UInt8](parameters)) else { return nil }
            peer = command.usesFilterAcceptList ? nil : command.peer
        default: return nil
        }
    }
}
