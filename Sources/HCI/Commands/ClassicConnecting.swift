// Connections of BR/EDR, and what they carry.

public import Wire

/// The packets that a BR/EDR connection may use (Core Vol 4, Part E, 7.1.5).
public struct ACLPacketTypes: NamedBits {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static func name(ofBit bit: Int) -> String? {
        switch bit {
        case 1: "2-DH1 may not be used"
        case 2: "3-DH1 may not be used"
        case 3: "DM1 may be used"
        case 4: "DH1 may be used"
        case 8: "2-DH3 may not be used"
        case 9: "3-DH3 may not be used"
        case 10: "DM3 may be used"
        case 11: "DH3 may be used"
        case 12: "2-DH5 may not be used"
        case 13: "3-DH5 may not be used"
        case 14: "DM5 may be used"
        case 15: "DH5 may be used"
        default: nil
        }
    }
}

/// How often a device listens for pages (Core Vol 4, Part E, 7.1.5).
public struct PageScanRepetition: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public var name: String? { rawValue < 3 ? "R\(rawValue)" : nil }
}

/// Whether the other device may take over the role of central (Core Vol 4, Part E, 7.1.5).
public struct RoleSwitch: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public var name: String? {
        switch rawValue {
        case 0: "Not allowed"
        case 1: "Allowed"
        default: nil
        }
    }
}

/// What a connection does without being told (Core Vol 4, Part E, 7.2.10).
public struct LinkPolicy: NamedBits {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static func name(ofBit bit: Int) -> String? {
        switch bit {
        case 0: "Role switch"
        case 1: "Hold mode"
        case 2: "Sniff mode"
        default: nil
        }
    }
}

/// What a connection of BR/EDR carries (Core Vol 4, Part E, 7.7.3).
public struct ClassicLinkType: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public var name: String? {
        switch rawValue {
        case 0: "SCO"
        case 1: "ACL"
        case 2: "eSCO"
        default: nil
        }
    }
}

/// Connects to a device on BR/EDR (Core Vol 4, Part E, 7.1.5).
public struct CreateConnection: DeferredCommand {
    public static let opcode = Opcode(rawValue: 0x0405)

    public var peer = Address.zero
    public var packetTypes = ACLPacketTypes(rawValue: 0)
    public var repetition = PageScanRepetition(rawValue: 0)
    /// To be 0.
    public var reserved: UInt8 = 0
    /// Bits 16 to 2 of the difference of the clocks; bit 15 tells that it is valid.
    public var clockOffset: UInt16 = 0
    public var roleSwitch = RoleSwitch(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.address("BD_ADDR", &peer)
        try pass.number("Packet_Type", &packetTypes)
        try pass.number("Page_Scan_Repetition_Mode", &repetition)
        try pass.uint8("Reserved", &reserved)
        try pass.uint16("Clock_Offset", &clockOffset)
        try pass.number("Allow_Role_Switch", &roleSwitch)
    }
}

/// What connections do without being told (Core Vol 4, Part E, 7.2.12).
public struct WriteDefaultLinkPolicySettings: Command {
    public static let opcode = Opcode(rawValue: 0x080F)

    public var policy = LinkPolicy(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Default_Link_Policy_Settings", &policy)
    }
}

/// The buffers of the host (Core Vol 4, Part E, 7.3.39).
public struct HostBufferSize: Command {
    public static let opcode = Opcode(rawValue: 0x0C33)

    /// The most octets of data in an ACL packet.
    public var aclLength: UInt16 = 0
    public var synchronousLength: UInt8 = 0
    /// How many ACL packets the host holds at a time.
    public var aclCount: UInt16 = 0
    public var synchronousCount: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint16("Host_ACL_Data_Packet_Length", &aclLength)
        try pass.uint8("Host_Synchronous_Data_Packet_Length", &synchronousLength)
        try pass.uint16("Host_Total_Num_ACL_Data_Packets", &aclCount)
        try pass.uint16("Host_Total_Num_Synchronous_Data_Packets", &synchronousCount)
    }
}
