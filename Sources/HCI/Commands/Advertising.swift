// What a controller does as an advertiser: named in captures of devices that are one.

public import Wire

/// How to advertise, the legacy way (Core Vol 4, Part E, 7.8.5).
public struct LESetAdvertisingParameters: Command {
    public static let opcode = Opcode(rawValue: 0x2006)

    public var intervalMin = ScanTime(rawValue: 0)
    public var intervalMax = ScanTime(rawValue: 0)
    public var kind = AdvertisingKind.connectable
    public var ownAddressKind = OwnAddressKind.public
    /// Whom directed advertising is for.
    public var peer = DeviceAddress.zero
    /// Channels 37, 38 and 39, the lowest bit first.
    public var channels: UInt8 = 0
    /// Bit 0: scan requests, bit 1: connections are taken only from the filter accept list.
    public var filterPolicy: UInt8 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Advertising_Interval_Min", &intervalMin)
        try pass.number("Advertising_Interval_Max", &intervalMax)
        try pass.number("Advertising_Type", &kind)
        try pass.number("Own_Address_Type", &ownAddressKind)
        try pass.deviceAddress("Peer_Address_Type", "Peer_Address", &peer)
        try pass.uint8("Advertising_Channel_Map", &channels)
        try pass.uint8("Advertising_Filter_Policy", &filterPolicy)
    }
}

/// How strong the controller advertises, the legacy way (Core Vol 4, Part E, 7.8.6).
public struct LEReadAdvertisingPhysicalChannelTxPower: Command {
    public static let opcode = Opcode(rawValue: 0x2007)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var level = SignalLevel.notAvailable

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.number("TX_Power_Level", &level)
        }
    }
}

/// What to advertise, the legacy way (Core Vol 4, Part E, 7.8.7).
public struct LESetAdvertisingData: Command {
    public static let opcode = Opcode(rawValue: 0x2008)

    public var length: UInt8 = 0
    /// AD structures, filled up with zeros to 31 octets.
    public var data: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("Advertising_Data_Length", &length)
        try pass.content("Advertising_Data", .advertisingData, &data, count: 31)
    }
}

/// What to answer scanners, the legacy way (Core Vol 4, Part E, 7.8.8).
public struct LESetScanResponseData: Command {
    public static let opcode = Opcode(rawValue: 0x2009)

    public var length: UInt8 = 0
    /// AD structures, filled up with zeros to 31 octets.
    public var data: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("Scan_Response_Data_Length", &length)
        try pass.content("Scan_Response_Data", .advertisingData, &data, count: 31)
    }
}

/// Starts or stops advertising, the legacy way (Core Vol 4, Part E, 7.8.9).
public struct LESetAdvertisingEnable: Command {
    public static let opcode = Opcode(rawValue: 0x200A)

    public var isEnabled = false

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.flag("Advertising_Enable", &isEnabled)
    }
}

/// How much data one advertisement can have (Core Vol 4, Part E, 7.8.57).
public struct LEReadMaximumAdvertisingDataLength: Command {
    public static let opcode = Opcode(rawValue: 0x203A)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var length: UInt16 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.uint16("Max_Advertising_Data_Length", &length)
        }
    }
}

/// How many things can be advertised at the same time (Core Vol 4, Part E, 7.8.58).
public struct LEReadNumberOfSupportedAdvertisingSets: Command {
    public static let opcode = Opcode(rawValue: 0x203B)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}

    public struct ReturnParameters: CommandReturn {
        public var status = Status.success
        public var count: UInt8 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Status", &status)
            try pass.uint8("Num_Supported_Advertising_Sets", &count)
        }
    }
}
