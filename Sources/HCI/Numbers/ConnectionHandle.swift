public import Wire

/// The controller's number for one connection: 12 bits (Core Vol 4, Part E, 5.3.1).
///
/// It is free again after the disconnection, and the next connection may well get the same.
public struct ConnectionHandle: AssignedNumber, Comparable {
    public let rawValue: UInt16

    /// Keeps the low 12 bits; the others are flags or reserved.
    public init(rawValue: UInt16) { self.rawValue = rawValue & 0x0FFF }

    public var name: String? { nil }

    public static func < (left: ConnectionHandle, right: ConnectionHandle) -> Bool { left.rawValue < right.rawValue }
}
