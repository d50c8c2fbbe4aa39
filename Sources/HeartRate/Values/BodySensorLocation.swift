public import Wire

/// Where the sensor is worn: Body Sensor Location, 2A38 (Heart Rate Service 1.0, 3.2).
public struct BodySensorLocation: AssignedNumber {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let other = Self(rawValue: 0)
    public static let chest = Self(rawValue: 1)
    public static let wrist = Self(rawValue: 2)
    public static let finger = Self(rawValue: 3)
    public static let hand = Self(rawValue: 4)
    public static let earLobe = Self(rawValue: 5)
    public static let foot = Self(rawValue: 6)

    /// In lower case: `chest`.
    public var name: String? {
        switch self {
        case .other: "other"
        case .chest: "chest"
        case .wrist: "wrist"
        case .finger: "finger"
        case .hand: "hand"
        case .earLobe: "ear lobe"
        case .foot: "foot"
        default: nil
        }
    }

    /// Reads the characteristic's value: one octet. Octets behind it mean nothing yet and are left alone.
    public init(decoding octets: Span<UInt8>) throws(WireError) {
        var reader = ByteReader(octets)
        self.init(rawValue: try reader.uint8("Body Sensor Location"))
    }
}
