// The two families of scan commands. A controller takes one family from reset to reset (Core Vol 4, Part E, 3.1.1).

public import Wire

/// Whether the scanner asks for scan responses.
public struct ScanKind: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let passive = ScanKind(rawValue: 0)
    public static let active = ScanKind(rawValue: 1)

    public var name: String? {
        switch self {
        case .passive: "Passive"
        case .active: "Active"
        default: nil
        }
    }
}

/// Which advertisements the scanner takes (Core Vol 6, Part B, 4.3.3).
public struct ScanFilterPolicy: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// All but those directed to somebody else.
    public static let all = ScanFilterPolicy(rawValue: 0)
    public static let filterAcceptList = ScanFilterPolicy(rawValue: 1)
    /// All, and those directed to a resolvable private address that could be this device's.
    public static let allExtended = ScanFilterPolicy(rawValue: 2)
    public static let filterAcceptListExtended = ScanFilterPolicy(rawValue: 3)

    public var name: String? {
        switch self {
        case .all: "Basic unfiltered"
        case .filterAcceptList: "Basic filtered"
        case .allExtended: "Extended unfiltered"
        case .filterAcceptListExtended: "Extended filtered"
        default: nil
        }
    }
}

/// How to scan, the legacy way (Core Vol 4, Part E, 7.8.10).
public struct LESetScanParameters: Command {
    public static let opcode = Opcode(rawValue: 0x200B)

    public var kind = ScanKind.passive
    /// From one scan window's start to the next: 2.5 ms to 10.24 s.
    public var interval = ScanTime(rawValue: 0)
    /// How long to listen; at most the interval.
    public var window = ScanTime(rawValue: 0)
    public var ownAddressKind = OwnAddressKind.public
    public var filterPolicy = ScanFilterPolicy.all

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("LE_Scan_Type", &kind)
        try pass.number("LE_Scan_Interval", &interval)
        try pass.number("LE_Scan_Window", &window)
        try pass.number("Own_Address_Type", &ownAddressKind)
        try pass.number("Scanning_Filter_Policy", &filterPolicy)
    }
}

/// Starts or stops scanning, the legacy way (Core Vol 4, Part E, 7.8.11).
public struct LESetScanEnable: Command {
    public static let opcode = Opcode(rawValue: 0x200C)

    public var isEnabled = false
    public var filtersDuplicates = false

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.flag("LE_Scan_Enable", &isEnabled)
        try pass.flag("Filter_Duplicates", &filtersDuplicates)
    }
}

/// How to scan, the extended way (Core Vol 4, Part E, 7.8.64).
public struct LESetExtendedScanParameters: Command {
    public static let opcode = Opcode(rawValue: 0x2041)

    public var ownAddressKind = OwnAddressKind.public
    public var filterPolicy = ScanFilterPolicy.all
    /// The primary channels' PHYs: 1M, Coded.
    public var phys = PHYs()
    /// One for each bit of `phys`, the lowest first.
    public var scans: [Scan] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Own_Address_Type", &ownAddressKind)
        try pass.number("Scanning_Filter_Policy", &filterPolicy)
        try pass.number("Scanning_PHYs", &phys)
        try pass.list("PHY", &scans, count: phys.count)
    }

    /// How to scan on one PHY.
    public struct Scan: Fielded, Hashable {
        public var kind = ScanKind.passive
        /// From one scan window's start to the next, at least 2.5 ms.
        public var interval = ScanTime(rawValue: 0)
        /// How long to listen; at most the interval.
        public var window = ScanTime(rawValue: 0)

        public init() {}

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Scan_Type", &kind)
            try pass.number("Scan_Interval", &interval)
            try pass.number("Scan_Window", &window)
        }
    }
}

/// Starts or stops scanning, the extended way (Core Vol 4, Part E, 7.8.65).
public struct LESetExtendedScanEnable: Command {
    public static let opcode = Opcode(rawValue: 0x2042)

    public var isEnabled = false
    public var duplicateFilter = DuplicateFilter.off
    /// Units of 10 ms; 0 scans until told to stop.
    public var duration: UInt16 = 0
    /// Units of 1.28 s; 0 scans once.
    public var period: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.flag("Enable", &isEnabled)
        try pass.number("Filter_Duplicates", &duplicateFilter)
        try pass.time("Duration", &duration, in: SupervisionTimeout.self)
        try pass.time("Period", &period, in: ScanPeriod.self)
    }
}

/// Whether the controller reports an advertiser again.
public struct DuplicateFilter: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let off = DuplicateFilter(rawValue: 0)
    public static let on = DuplicateFilter(rawValue: 1)
    /// Once in every scan period.
    public static let resetEachPeriod = DuplicateFilter(rawValue: 2)

    public var name: String? {
        switch self {
        case .off: "Off"
        case .on: "On"
        case .resetEachPeriod: "On, reset each period"
        default: nil
        }
    }
}
