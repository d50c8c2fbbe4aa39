// Which physical layers connections use.

public import Wire

/// The PHYs of one connection (Core Vol 4, Part E, 7.8.47).
public struct LEReadPHY: Command {
    public static let opcode = Opcode(rawValue: 0x2030)

    public var handle = ConnectionHandle(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
    }

    public struct ReturnParameters: ConnectionReturn {
        public var status = Status.success
        public var handle = ConnectionHandle(rawValue: 0)
        public var tx = PHY.none
        public var rx = PHY.none

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.number("Connection_Handle", &handle)
            try pass.number("TX_PHY", &tx)
            try pass.number("RX_PHY", &rx)
        }
    }
}

/// The PHYs that new connections prefer (Core Vol 4, Part E, 7.8.48).
public struct LESetDefaultPHY: Command {
    public static let opcode = Opcode(rawValue: 0x2031)

    /// Bit 0: no preference for sending, bit 1: for receiving.
    public var noPreference: UInt8 = 0
    public var tx = PHYs()
    public var rx = PHYs()

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("All_PHYs", &noPreference)
        try pass.number("TX_PHYs", &tx)
        try pass.number("RX_PHYs", &rx)
    }
}

/// Changes the PHYs of one connection; ended by LE PHY Update Complete (Core Vol 4, Part E, 7.8.49).
public struct LESetPHY: DeferredCommand {
    public static let opcode = Opcode(rawValue: 0x2032)

    public var handle = ConnectionHandle(rawValue: 0)
    /// Bit 0: no preference for sending, bit 1: for receiving.
    public var noPreference: UInt8 = 0
    public var tx = PHYs()
    public var rx = PHYs()
    /// Coding of the Coded PHY: 0 any, 1 prefers 500 kb/s, 2 prefers 125 kb/s.
    public var options: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Handle", &handle)
        try pass.uint8("All_PHYs", &noPreference)
        try pass.number("TX_PHYs", &tx)
        try pass.number("RX_PHYs", &rx)
        try pass.uint16("PHY_Options", &options)
    }
}
