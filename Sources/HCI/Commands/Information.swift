// What a controller is and what it can do.

public import Wire

/// Which specification the controller follows and who made it (Core Vol 4, Part E, 7.4.1).
public struct ReadLocalVersionInformation: Command {
    public static let opcode = Opcode(rawValue: 0x1001)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var hciVersion = SpecificationVersion(rawValue: 0)
        /// The maker's own.
        public var hciSubversion: UInt16 = 0
        public var linkVersion = SpecificationVersion(rawValue: 0)
        /// A company identifier.
        public var manufacturer: UInt16 = 0
        /// The maker's own.
        public var linkSubversion: UInt16 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.number("HCI_Version", &hciVersion)
            try pass.uint16("HCI_Subversion", &hciSubversion)
            try pass.number("LMP_Version", &linkVersion)
            try pass.company("Company_Identifier", &manufacturer)
            try pass.uint16("LMP_Subversion", &linkSubversion)
        }
    }
}

/// Which commands the controller knows (Core Vol 4, Part E, 7.4.2).
public struct ReadLocalSupportedCommands: Command {
    public static let opcode = Opcode(rawValue: 0x1002)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var commands = SupportedCommands()

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.bits("Supported_Commands", &commands.octets, count: SupportedCommands.count) { bit in
                SupportedCommands.opcode(ofBit: bit)?.name
            }
        }
    }
}

/// What the controller's BR/EDR half can do, and whether it has an LE half (Core Vol 4, Part E, 7.4.3).
public struct ReadLocalSupportedFeatures: Command {
    public static let opcode = Opcode(rawValue: 0x1003)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var features = LocalFeatures()

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.number("LMP_Features", &features)
        }
    }
}

/// What the controller's BR/EDR half can do, page by page (Core Vol 4, Part E, 7.4.4).
public struct ReadLocalExtendedFeatures: Command {
    public static let opcode = Opcode(rawValue: 0x1004)

    public var page: UInt8 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("Page_Number", &page)
    }

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var page: UInt8 = 0
        public var lastPage: UInt8 = 0
        /// `LocalFeatures` on page 0, `HostFeatures` on page 1, `MoreLocalFeatures` on page 2.
        public var features: UInt64 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.uint8("Page_Number", &page)
            try pass.uint8("Maximum_Page_Number", &lastPage)
            switch page {
            case 0: try pass.features(LocalFeatures.self, &features)
            case 1: try pass.features(HostFeatures.self, &features)
            case 2: try pass.features(MoreLocalFeatures.self, &features)
            default: try pass.uint64("Extended_LMP_Features", &features)
            }
        }
    }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
    /// One page of features.
    @_lifetime(self: copy self)
    fileprivate mutating func features<Page: NamedBits>(
        _ page: Page.Type, _ value: inout UInt64
    ) throws(WireError) where Page.RawValue == UInt64 {
        var features = Page(rawValue: value)
        try number("Extended_LMP_Features", &features)
        value = features.rawValue
    }
}

/// The buffers of BR/EDR, which LE shares where LE Read Buffer Size says zero (Core Vol 4, Part E, 7.4.5).
public struct ReadBufferSize: Command {
    public static let opcode = Opcode(rawValue: 0x1005)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        /// The most octets of data in an ACL packet.
        public var aclLength: UInt16 = 0
        public var synchronousLength: UInt8 = 0
        /// How many ACL packets the controller holds at a time.
        public var aclCount: UInt16 = 0
        public var synchronousCount: UInt16 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.uint16("ACL_Data_Packet_Length", &aclLength)
            try pass.uint8("Synchronous_Data_Packet_Length", &synchronousLength)
            try pass.uint16("Total_Num_ACL_Data_Packets", &aclCount)
            try pass.uint16("Total_Num_Synchronous_Data_Packets", &synchronousCount)
        }
    }
}

/// The controller's public address; zero where it has none (Core Vol 4, Part E, 7.4.6).
public struct ReadBDADDR: Command {
    public static let opcode = Opcode(rawValue: 0x1009)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var address = Address.zero

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.address("BD_ADDR", &address)
        }
    }
}

/// The buffers for LE data (Core Vol 4, Part E, 7.8.2).
public struct LEReadBufferSize: Command {
    public static let opcode = Opcode(rawValue: 0x2002)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        /// The most octets of data in an ACL packet; 0 says that LE shares the buffers of BR/EDR.
        public var aclLength: UInt16 = 0
        /// How many ACL packets the controller holds at a time; 0 as with the length.
        public var aclCount: UInt8 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.uint16("LE_ACL_Data_Packet_Length", &aclLength)
            try pass.uint8("Total_Num_LE_ACL_Data_Packets", &aclCount)
        }
    }
}

/// The buffers for LE data and for isochronous data (Core Vol 4, Part E, 7.8.2).
public struct LEReadBufferSizeV2: Command {
    public static let opcode = Opcode(rawValue: 0x2060)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var aclLength: UInt16 = 0
        public var aclCount: UInt8 = 0
        public var isoLength: UInt16 = 0
        public var isoCount: UInt8 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.uint16("LE_ACL_Data_Packet_Length", &aclLength)
            try pass.uint8("Total_Num_LE_ACL_Data_Packets", &aclCount)
            try pass.uint16("ISO_Data_Packet_Length", &isoLength)
            try pass.uint8("Total_Num_ISO_Data_Packets", &isoCount)
        }
    }
}

/// What the controller's LE half can do (Core Vol 4, Part E, 7.8.3).
public struct LEReadLocalSupportedFeatures: Command {
    public static let opcode = Opcode(rawValue: 0x2003)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var features = LEFeatures()

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.number("LE_Features", &features)
        }
    }
}

/// Which link-layer states the controller can be in at the same time (Core Vol 4, Part E, 7.8.27).
public struct LEReadSupportedStates: Command {
    public static let opcode = Opcode(rawValue: 0x201C)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var states = LEStates()

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.number("LE_States", &states)
        }
    }
}
