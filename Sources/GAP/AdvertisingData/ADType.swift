public import Wire

/// What an AD structure holds (Assigned Numbers, 2.3; Core Specification Supplement, Part A, 1).
@frozen
public struct ADType: AssignedNumber {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let flags = Self(rawValue: 0x01)
    public static let incomplete16BitServices = Self(rawValue: 0x02)
    public static let complete16BitServices = Self(rawValue: 0x03)
    public static let incomplete32BitServices = Self(rawValue: 0x04)
    public static let complete32BitServices = Self(rawValue: 0x05)
    public static let incomplete128BitServices = Self(rawValue: 0x06)
    public static let complete128BitServices = Self(rawValue: 0x07)
    public static let shortenedLocalName = Self(rawValue: 0x08)
    public static let completeLocalName = Self(rawValue: 0x09)
    public static let txPowerLevel = Self(rawValue: 0x0A)
    public static let classOfDevice = Self(rawValue: 0x0D)
    public static let peripheralConnectionIntervalRange = Self(rawValue: 0x12)
    public static let solicited16BitServices = Self(rawValue: 0x14)
    public static let solicited128BitServices = Self(rawValue: 0x15)
    public static let serviceData16Bit = Self(rawValue: 0x16)
    public static let publicTargetAddress = Self(rawValue: 0x17)
    public static let randomTargetAddress = Self(rawValue: 0x18)
    public static let appearance = Self(rawValue: 0x19)
    public static let advertisingInterval = Self(rawValue: 0x1A)
    public static let leDeviceAddress = Self(rawValue: 0x1B)
    public static let leRole = Self(rawValue: 0x1C)
    public static let solicited32BitServices = Self(rawValue: 0x1F)
    public static let serviceData32Bit = Self(rawValue: 0x20)
    public static let serviceData128Bit = Self(rawValue: 0x21)
    public static let uri = Self(rawValue: 0x24)
    public static let leSupportedFeatures = Self(rawValue: 0x27)
    public static let advertisingIntervalLong = Self(rawValue: 0x2F)
    public static let broadcastName = Self(rawValue: 0x30)
    public static let manufacturerSpecificData = Self(rawValue: 0xFF)

    public var name: String? {
        if self == .manufacturerSpecificData { return "Manufacturer Specific Data" }
        if rawValue == 0x3D { return "3D Information Data" }
        return Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : nil
    }

    private static let names: [String?] = [
        nil,
        "Flags",
        "Incomplete List of 16-bit Service Class UUIDs",
        "Complete List of 16-bit Service Class UUIDs",
        "Incomplete List of 32-bit Service Class UUIDs",
        "Complete List of 32-bit Service Class UUIDs",
        "Incomplete List of 128-bit Service Class UUIDs",
        "Complete List of 128-bit Service Class UUIDs",
        "Shortened Local Name",
        "Complete Local Name",
        "Tx Power Level",
        nil,
        nil,
        "Class of Device",
        "Simple Pairing Hash C-192",
        "Simple Pairing Randomizer R-192",
        "Security Manager TK Value",
        "Security Manager Out of Band Flags",
        "Peripheral Connection Interval Range",
        nil,
        "List of 16-bit Service Solicitation UUIDs",
        "List of 128-bit Service Solicitation UUIDs",
        "Service Data - 16-bit UUID",
        "Public Target Address",
        "Random Target Address",
        "Appearance",
        "Advertising Interval",
        "LE Bluetooth Device Address",
        "LE Role",
        "Simple Pairing Hash C-256",
        "Simple Pairing Randomizer R-256",
        "List of 32-bit Service Solicitation UUIDs",
        "Service Data - 32-bit UUID",
        "Service Data - 128-bit UUID",
        "LE Secure Connections Confirmation Value",
        "LE Secure Connections Random Value",
        "URI",
        "Indoor Positioning",
        "Transport Discovery Data",
        "LE Supported Features",
        "Channel Map Update Indication",
        "PB-ADV",
        "Mesh Message",
        "Mesh Beacon",
        "BIGInfo",
        "Broadcast_Code",
        "Resolvable Set Identifier",
        "Advertising Interval - long",
        "Broadcast_Name",
        "Encrypted Advertising Data",
        "Periodic Advertising Response Timing Information",
        nil,
        "Electronic Shelf Label",
    ]
}
