public import Wire

/// What a controller's BR/EDR half can do, page 0, with the two bits that say which halves it has (Core Vol 2, Part C, 3.3).
public struct LocalFeatures: NamedBits, OptionSet {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let classicNotSupported = LocalFeatures(rawValue: 1 << 37)
    public static let lowEnergy = LocalFeatures(rawValue: 1 << 38)

    public static func name(ofBit bit: Int) -> String? { names.indices.contains(bit) ? names[bit] : nil }

    /// By bit.
    private static let names: [String?] = [
        "3 slot packets",
        "5 slot packets",
        "Encryption",
        "Slot offset",
        "Timing accuracy",
        "Role switch",
        "Hold mode",
        "Sniff mode",
        nil,
        "Power control requests",
        "Channel quality driven data rate",
        "SCO link",
        "HV2 packets",
        "HV3 packets",
        "u-law log synchronous data",
        "A-law log synchronous data",
        "CVSD synchronous data",
        "Paging parameter negotiation",
        "Power control",
        "Transparent synchronous data",
        "Flow control lag (least significant bit)",
        "Flow control lag (middle bit)",
        "Flow control lag (most significant bit)",
        "Broadcast Encryption",
        nil,
        "EDR ACL 2 Mb/s mode",
        "EDR ACL 3 Mb/s mode",
        "Enhanced inquiry scan",
        "Interlaced inquiry scan",
        "Interlaced page scan",
        "RSSI with inquiry results",
        "Extended SCO link (EV3 packets)",
        "EV4 packets",
        "EV5 packets",
        nil,
        "AFH capable Peripheral",
        "AFH classification Peripheral",
        "BR/EDR Not Supported",
        "LE Supported (Controller)",
        "3 slot EDR ACL packets",
        "5 slot EDR ACL packets",
        "Sniff subrating",
        "Pause encryption",
        "AFH capable Central",
        "AFH classification Central",
        "EDR eSCO 2 Mb/s mode",
        "EDR eSCO 3 Mb/s mode",
        "3 slot EDR eSCO packets",
        "Extended Inquiry Response",
        "Simultaneous LE and BR/EDR to same device capable (Controller)",
        nil,
        "Secure Simple Pairing (Controller Support)",
        "Encapsulated PDU",
        "Erroneous Data Reporting",
        "Non-flushable Packet Boundary Flag",
        nil,
        "HCI Link Supervision Timeout Changed event",
        "Variable Inquiry TX Power Level",
        "Enhanced Power Control",
        nil, nil, nil, nil,
        "Extended features",
    ]
}

/// What the host above a controller can do, as it told the controller: page 1 (Core Vol 2, Part C, 3.3).
public struct HostFeatures: NamedBits {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static func name(ofBit bit: Int) -> String? {
        switch bit {
        case 0: "Secure Simple Pairing (Host Support)"
        case 1: "LE Supported (Host)"
        case 2: "Simultaneous LE and BR/EDR to same device capable (Host)"
        case 3: "Secure Connections (Host Support)"
        default: nil
        }
    }
}

/// What a controller's BR/EDR half can do besides: page 2 (Core Vol 2, Part C, 3.3).
public struct MoreLocalFeatures: NamedBits {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static func name(ofBit bit: Int) -> String? { names.indices.contains(bit) ? names[bit] : nil }

    private static let names: [String?] = [
        "Connectionless Peripheral Broadcast - Transmitter",
        "Connectionless Peripheral Broadcast - Receiver",
        "Synchronization Train",
        "Synchronization Scan",
        "HCI Inquiry Response Notification event",
        "Generalized interlaced scan",
        "Coarse Clock Adjustment",
        nil,
        "Secure Connections (Controller Support)",
        "Ping",
        "Slot Availability Mask",
        "Train nudging",
    ]
}
