// Advertisements heard, any number in one event, row by row. A report cut short does not cost the whole ones before it.

public import Wire

/// Legacy advertisements (Core Vol 4, Part E, 7.7.65.2).
public struct LEAdvertisingReport: LEEventParameters, RowEvent {
    public static let subevent = LESubevent.advertisingReport

    public var reports: [Report] = []
    public var malformed: WireError?

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        var count = UInt8(clamping: reports.count)
        try pass.uint8("Num_Reports", &count)
        try pass.list("Report", &reports, count: Int(count))
    }

    /// One advertisement.
    public struct Report: Fielded, Hashable {
        public var kind = AdvertisingKind.connectable
        public var advertiser = DeviceAddress.zero
        /// AD structures; at most 31 octets by the specification.
        public var data: [UInt8] = []
        public var rssi = SignalLevel.notAvailable

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Event_Type", &kind)
            try pass.deviceAddress("Address_Type", "Address", &advertiser)
            var length = UInt8(clamping: data.count)
            try pass.uint8("Data_Length", &length)
            try pass.content("Data", .advertisingData, &data, count: Int(length))
            try pass.number("RSSI", &rssi)
        }
    }
}

/// Advertisements directed to a resolvable private address (Core Vol 4, Part E, 7.7.65.11).
public struct LEDirectedAdvertisingReport: LEEventParameters, RowEvent {
    public static let subevent = LESubevent.directedAdvertisingReport

    public var reports: [Report] = []
    public var malformed: WireError?

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        var count = UInt8(clamping: reports.count)
        try pass.uint8("Num_Reports", &count)
        try pass.list("Report", &reports, count: Int(count))
    }

    /// One advertisement; it has no data.
    public struct Report: Fielded, Hashable {
        public var kind = AdvertisingKind.directed
        public var advertiser = DeviceAddress.zero
        /// Whom it is for.
        public var target = DeviceAddress.zero
        public var rssi = SignalLevel.notAvailable

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Event_Type", &kind)
            try pass.deviceAddress("Address_Type", "Address", &advertiser)
            try pass.deviceAddress("Direct_Address_Type", "Direct_Address", &target)
            try pass.number("RSSI", &rssi)
        }
    }
}

/// Advertisements of both kinds, from extended scanning (Core Vol 4, Part E, 7.7.65.13).
public struct LEExtendedAdvertisingReport: LEEventParameters, RowEvent {
    public static let subevent = LESubevent.extendedAdvertisingReport

    public var reports: [Report] = []
    public var malformed: WireError?

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        var count = UInt8(clamping: reports.count)
        try pass.uint8("Num_Reports", &count)
        try pass.list("Report", &reports, count: Int(count))
    }

    /// One advertisement, or a piece of one.
    public struct Report: Fielded, Hashable {
        public var kind = ExtendedAdvertisingKind()
        public var advertiser = DeviceAddress.zero
        public var primaryPHY = PHY.le1M
        public var secondaryPHY = PHY.none
        /// Advertising_SID: tells an advertiser's sets apart; 0xFF where there is none.
        public var setID: UInt8 = 0xFF
        public var txPower = SignalLevel.notAvailable
        public var rssi = SignalLevel.notAvailable
        /// Units of 1.25 ms; 0 where there is no periodic advertising.
        public var periodicInterval: UInt16 = 0
        /// Whom a directed advertisement is for.
        public var target = DeviceAddress.zero
        /// AD structures, or a piece of them.
        public var data: [UInt8] = []

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Event_Type", &kind)
            try pass.deviceAddress("Address_Type", "Address", &advertiser)
            try pass.number("Primary_PHY", &primaryPHY)
            try pass.number("Secondary_PHY", &secondaryPHY)
            try pass.uint8("Advertising_SID", &setID)
            try pass.number("TX_Power", &txPower)
            try pass.number("RSSI", &rssi)
            try pass.time("Periodic_Advertising_Interval", &periodicInterval, in: ConnectionInterval.self)
            try pass.deviceAddress("Direct_Address_Type", "Direct_Address", &target)
            var length = UInt8(clamping: data.count)
            try pass.uint8("Data_Length", &length)
            try pass.content("Data", .advertisingData, &data, count: Int(length))
        }
    }
}
