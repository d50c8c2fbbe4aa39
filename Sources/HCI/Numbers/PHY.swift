public import Wire

/// A physical layer in use (Core Vol 4, Part E, 7.8.47).
public struct PHY: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No packets: an advertisement that stays on its primary channel.
    public static let none = PHY(rawValue: 0)
    public static let le1M = PHY(rawValue: 1)
    public static let le2M = PHY(rawValue: 2)
    public static let leCoded = PHY(rawValue: 3)

    public var name: String? {
        switch self {
        case .none: "None"
        case .le1M: "LE 1M"
        case .le2M: "LE 2M"
        case .leCoded: "LE Coded"
        default: nil
        }
    }
}

/// Physical layers to choose from or to listen on, one bit each (Core Vol 4, Part E, 7.8.48).
public struct PHYs: NamedBits, OptionSet {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let le1M = PHYs(rawValue: 1 << 0)
    public static let le2M = PHYs(rawValue: 1 << 1)
    public static let leCoded = PHYs(rawValue: 1 << 2)

    public static func name(ofBit bit: Int) -> String? {
        switch bit {
        case 0: "LE 1M"
        case 1: "LE 2M"
        case 2: "LE Coded"
        default: nil
        }
    }

    /// How many layers are named, reserved ones included.
    public var count: Int { rawValue.nonzeroBitCount }
}
