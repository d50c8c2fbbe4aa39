/// How a characteristic's value can be used (Core Vol 3, Part G, 3.3.1.1).
public struct CharacteristicProperties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let broadcast = CharacteristicProperties(rawValue: 0x01)
    public static let read = CharacteristicProperties(rawValue: 0x02)
    public static let writeWithoutResponse = CharacteristicProperties(rawValue: 0x04)
    public static let write = CharacteristicProperties(rawValue: 0x08)
    public static let notify = CharacteristicProperties(rawValue: 0x10)
    public static let indicate = CharacteristicProperties(rawValue: 0x20)
    public static let authenticatedSignedWrites = CharacteristicProperties(rawValue: 0x40)
    public static let extendedProperties = CharacteristicProperties(rawValue: 0x80)

    /// The set bits by name, the least significant first.
    public var names: [String] {
        let all = [
            "broadcast", "read", "write-without-response", "write", "notify", "indicate", "authenticated-signed-writes",
            "extended-properties",
        ]
        return all.enumerated().filter { rawValue & 1 << UInt8($0.offset) != 0 }.map(\.element)
    }
}

/// What a client wants sent unasked: the value of a Client Characteristic Configuration descriptor (Core Vol 3, Part
/// G, 3.3.3.3).
public struct ClientConfiguration: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let notifications = ClientConfiguration(rawValue: 0x0001)
    public static let indications = ClientConfiguration(rawValue: 0x0002)

    /// The descriptor's two octets.
    public var octets: [UInt8] { [UInt8(truncatingIfNeeded: rawValue), UInt8(truncatingIfNeeded: rawValue >> 8)] }
}
