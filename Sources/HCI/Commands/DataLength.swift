// How many octets go into one packet on air.

public import Wire

/// Suggests packet lengths for one connection (Core Vol 4, Part E, 7.8.33).
public struct LESetDataLength: Command {
    public static let opcode = Opcode(rawValue: 0x2022)
    public typealias ReturnParameters = HandleReturn

    public var handle = ConnectionHandle(rawValue: 0)
    /// 27 to 251 octets.
    public var txOctets: UInt16 = 0
    /// 328 to 17,040 µs.
    public var txTime: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
        try pass.uint16("TX_Octets", &txOctets)
        try pass.uint16("TX_Time", &txTime)
    }
}

/// The packet lengths that new connections begin with (Core Vol 4, Part E, 7.8.34).
public struct LEReadSuggestedDefaultDataLength: Command {
    public static let opcode = Opcode(rawValue: 0x2023)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var txOctets: UInt16 = 0
        /// Microseconds.
        public var txTime: UInt16 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.uint16("Suggested_Max_TX_Octets", &txOctets)
            try pass.uint16("Suggested_Max_TX_Time", &txTime)
        }
    }
}

/// Sets the packet lengths that new connections begin with (Core Vol 4, Part E, 7.8.35).
public struct LEWriteSuggestedDefaultDataLength: Command {
    public static let opcode = Opcode(rawValue: 0x2024)

    /// 27 to 251 octets.
    public var txOctets: UInt16 = 0
    /// 328 to 17,040 µs.
    public var txTime: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint16("Suggested_Max_TX_Octets", &txOctets)
        try pass.uint16("Suggested_Max_TX_Time", &txTime)
    }
}

/// The longest packets the controller can send and receive (Core Vol 4, Part E, 7.8.46).
public struct LEReadMaximumDataLength: Command {
    public static let opcode = Opcode(rawValue: 0x202F)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var txOctets: UInt16 = 0
        /// Microseconds.
        public var txTime: UInt16 = 0
        public var rxOctets: UInt16 = 0
        /// Microseconds.
        public var rxTime: UInt16 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.uint16("Supported_Max_TX_Octets", &txOctets)
            try pass.uint16("Supported_Max_TX_Time", &txTime)
            try pass.uint16("Supported_Max_RX_Octets", &rxOctets)
            try pass.uint16("Supported_Max_RX_Time", &rxTime)
        }
    }
}
