public import Wire

/// The version of the Core specification that a controller follows, the same numbers for HCI and the link layer.
public struct SpecificationVersion: AssignedNumber, Comparable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public var name: String? {
        Int(rawValue) < Self.names.count ? "Bluetooth " + Self.names[Int(rawValue)] : nil
    }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// By number.
    private static let names = [
        "1.0b", "1.1", "1.2", "2.0", "2.1", "3.0", "4.0", "4.1", "4.2", "5.0", "5.1", "5.2", "5.3", "5.4", "6.0", "6.1",
    ]
}
