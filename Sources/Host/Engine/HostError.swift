public import GATT
public import HCI
public import SMP

/// Why the host could not do what it was asked.
public enum HostError: Error, Hashable, Sendable {
    /// What took too long.
    public enum Operation: Hashable, Sendable {
        case searching
        case connecting
        case subscribing
    }

    /// The way to the controller is gone.
    case linkEnded(LinkEnd)
    /// The controller refused, garbled or left unanswered a command that the host cannot do without.
    case command(CommandFailure)
    /// The controller reported a failure of its own; the code is the vendor's (Core Vol 4, Part E, 7.7.16).
    case controllerFailed(code: UInt8)
    /// The controller is not for Bluetooth LE.
    case withoutLowEnergy
    /// The controller has no buffers for data, neither for LE nor shared with BR/EDR.
    case withoutDataBuffers
    /// The peer was found and no connection came about, after so many attempts.
    case connectionFailed(Status, attempts: Int)
    /// The controller can hold no further connection besides so many of ours (status 0x09).
    case connectionLimit(held: Int)
    /// The connection ended meanwhile, or had ended before.
    case disconnected(Status)
    case timedOut(Operation)
    /// The peer refused, or broke the protocol.
    case peer(GATTError)
    /// The connection could not be protected as the peer, or the asker, wants it.
    case security(SecurityFailure)
    /// The keys of bonded peers cannot be read or kept.
    case bondStore(BondStoreError)
    /// The asker gave up.
    case cancelled
    /// A fault of the host itself, and of nobody else.
    case ownFault(String)
}

extension HostEngine.Answer {
    /// What an asker throws who got the answer to some other question.
    var isOfAnotherKind: HostError { .ownFault("an answer of another kind than was asked for: \(self)") }
}
