public import HCI

/// A rule of HCI that the host broke. A host under test should break none.
public enum Offence: Hashable, Sendable {
    /// A packet that cannot be read, or that no host sends.
    case malformedPacket([UInt8])
    /// A command without a credit for it.
    case commandWithoutCredit(Opcode)
    /// Parameters of the wrong length.
    case malformedCommand(Opcode)
    /// A command that was answered with this error.
    case refusedCommand(Opcode, Status)
    /// More data than the controller has buffers, or longer than these.
    case dataWithoutBuffer(ConnectionHandle)
    /// Data on a connection that does not exist.
    case dataOnUnknownHandle(ConnectionHandle)
    /// A continuation without a start, or a frame of the wrong length.
    case brokenFrame(ConnectionHandle)
}
