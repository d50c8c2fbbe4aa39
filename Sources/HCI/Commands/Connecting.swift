// Beginning a connection, and changing one's mind.

public import Wire

/// How often the two sides of a connection meet, and how long they may miss each other (Core Vol 4, Part E, 7.8.12).
public struct ConnectionParameters: Fielded, Hashable {
    public var intervalMin = ConnectionInterval(rawValue: 0)
    public var intervalMax = ConnectionInterval(rawValue: 0)
    /// How many meetings the peripheral may pass over.
    public var latency: UInt16 = 0
    public var supervisionTimeout = SupervisionTimeout(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Connection_Interval_Min", &intervalMin)
        try pass.number("Connection_Interval_Max", &intervalMax)
        try pass.uint16("Max_Latency", &latency)
        try pass.number("Supervision_Timeout", &supervisionTimeout)
    }

    /// Whether the specification allows the values: 7.5 ms to 4 s, at most 499 meetings passed over, 100 ms to 32 s,
    /// and time for more than two meetings before the link counts as lost.
    public var isValid: Bool {
        let meetings = (Int(latency) + 1) * Int(intervalMax.rawValue)
        return intervalMin <= intervalMax && (6...3200).contains(intervalMin.rawValue)
            && (6...3200).contains(intervalMax.rawValue) && latency <= 499
            && (10...3200).contains(supervisionTimeout.rawValue)
            // timeout · 10 ms > (1 + latency) · interval · 1.25 ms · 2
            && Int(supervisionTimeout.rawValue) * 4 > meetings
    }
}

/// Connects, the legacy way; ended by LE (Enhanced) Connection Complete (Core Vol 4, Part E, 7.8.12).
public struct LECreateConnection: DeferredCommand {
    public static let opcode = Opcode(rawValue: 0x200D)

    public var scanInterval = ScanTime(rawValue: 0)
    public var scanWindow = ScanTime(rawValue: 0)
    /// Connects to whoever on the filter accept list advertises first; `peer` is then ignored.
    public var usesFilterAcceptList = false
    public var peer = DeviceAddress.zero
    public var ownAddressKind = OwnAddressKind.public
    public var parameters = ConnectionParameters()
    /// How long a meeting is expected to take, in units of 0.625 ms.
    public var minCELength: UInt16 = 0
    public var maxCELength: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("LE_Scan_Interval", &scanInterval)
        try pass.number("LE_Scan_Window", &scanWindow)
        try pass.initiatorFilterPolicy(&usesFilterAcceptList)
        try pass.deviceAddress("Peer_Address_Type", "Peer_Address", &peer)
        try pass.number("Own_Address_Type", &ownAddressKind)
        try parameters.fields(&pass)
        try pass.time("Min_CE_Length", &minCELength, in: Slots.self)
        try pass.time("Max_CE_Length", &maxCELength, in: Slots.self)
    }
}

/// Connects, the extended way; ended by LE Enhanced Connection Complete (Core Vol 4, Part E, 7.8.66).
public struct LEExtendedCreateConnection: DeferredCommand {
    public static let opcode = Opcode(rawValue: 0x2043)

    /// Connects to whoever on the filter accept list advertises first; `peer` is then ignored.
    public var usesFilterAcceptList = false
    public var ownAddressKind = OwnAddressKind.public
    public var peer = DeviceAddress.zero
    public var phys = PHYs()
    /// One for each bit of `phys`, the lowest first.
    public var initiations: [Initiation] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.initiatorFilterPolicy(&usesFilterAcceptList)
        try pass.number("Own_Address_Type", &ownAddressKind)
        try pass.deviceAddress("Peer_Address_Type", "Peer_Address", &peer)
        try pass.number("Initiating_PHYs", &phys)
        try pass.list("PHY", &initiations, count: phys.count)
    }

    /// How to connect on one PHY.
    public struct Initiation: Fielded, Hashable {
        public var scanInterval = ScanTime(rawValue: 0)
        public var scanWindow = ScanTime(rawValue: 0)
        public var parameters = ConnectionParameters()
        /// How long a meeting is expected to take, in units of 0.625 ms.
        public var minCELength: UInt16 = 0
        public var maxCELength: UInt16 = 0

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Scan_Interval", &scanInterval)
            try pass.number("Scan_Window", &scanWindow)
            try parameters.fields(&pass)
            try pass.time("Min_CE_Length", &minCELength, in: Slots.self)
            try pass.time("Max_CE_Length", &maxCELength, in: Slots.self)
        }
    }
}

/// Gives up connecting. A connection complete event follows all the same, with status 0x02 or, too late, with success
/// (Core Vol 4, Part E, 7.8.13).
public struct LECreateConnectionCancel: Command {
    public static let opcode = Opcode(rawValue: 0x200E)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}
}

/// Whether the filter accept list or the command names the peer (Core Vol 4, Part E, 7.8.12).
private struct InitiatorFilterPolicy: AssignedNumber {
    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    var name: String? {
        switch rawValue {
        case 0: "Filter accept list not used"
        case 1: "Filter accept list"
        default: nil
        }
    }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
    @_lifetime(self: copy self)
    fileprivate mutating func initiatorFilterPolicy(_ usesList: inout Bool) throws(WireError) {
        var policy = InitiatorFilterPolicy(rawValue: usesList ? 1 : 0)
        try number("Initiator_Filter_Policy", &policy)
        usesList = policy.rawValue != 0
    }
}
