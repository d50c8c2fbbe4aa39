public import Wire

/// The code of a command: a group (OGF) and a number in it (OCF) (Core Vol 4, Part E, 5.4.1).
public struct Opcode: AssignedNumber {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Keeps the low 6 bits of the group and the low 10 of the number.
    public init(group: UInt8, number: UInt16) { rawValue = UInt16(group & 0x3F) << 10 | number & 0x3FF }

    /// The opcode group field, OGF.
    public var group: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 10) }

    /// The opcode command field, OCF.
    public var number: UInt16 { rawValue & 0x3FF }

    /// No command: stands in events that only grant command credits.
    public static let none = Opcode(rawValue: 0)

    /// Whether the command is the chip maker's own.
    public var isVendorSpecific: Bool { group == 0x3F }

    public var name: String? {
        switch group {
        case 0x00: self == .none ? "No Operation" : nil
        case 0x01: Self.linkControl[number]
        case 0x02: Self.linkPolicy[number]
        case 0x03: Self.controllerAndBaseband[number]
        case 0x04: Self.informational[number]
        case 0x05: Self.statusParameters[number]
        case 0x06: Self.testing[number]
        case 0x08: Self.lowEnergy[number]
        case 0x3F: "Vendor Specific \(hexadecimal)"
        default: nil
        }
    }
}
