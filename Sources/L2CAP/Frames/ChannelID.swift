public import Wire

/// A channel identifier on an LE link (Core Vol 3, Part A, 2.1).
public struct ChannelID: AssignedNumber {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Never a channel; stands for "none" in signalling.
    public static let null = Self(rawValue: 0x0000)
    /// Attribute protocol.
    public static let attribute = Self(rawValue: 0x0004)
    /// L2CAP's own signalling on an LE link.
    public static let signaling = Self(rawValue: 0x0005)
    /// Security Manager protocol.
    public static let securityManager = Self(rawValue: 0x0006)

    public var name: String? {
        switch rawValue {
        case 0x0000: "Null"
        case 0x0001: "Signaling (BR/EDR)"
        case 0x0002: "Connectionless"
        case 0x0004: "Attribute Protocol"
        case 0x0005: "LE Signaling"
        case 0x0006: "Security Manager"
        case 0x0007: "Security Manager (BR/EDR)"
        case 0x0040...0x007F: "Dynamic \(hexadecimal)"
        default: nil
        }
    }
}
