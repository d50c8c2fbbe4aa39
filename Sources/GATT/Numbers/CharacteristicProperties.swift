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

    /// Reads the descriptor's two octets; `nil` for another number of them.
    public init?(octets: [UInt8]) {
        guard octets.count == 2 else { return nil }
        self.init(rawValue: UInt16(octets[0]) | UInt16(octets[1]) << 8)
    }

    /// The set bits by name; a reserved one by its number.
    public var names: [String] {
        (0..<16).filter { rawValue & 1 << $0 != 0 }.map { bit in
            switch bit {
            case 0: "notifications"
            case 1: "indications"
            default: "bit \(bit)"
            }
        }
    }

    /// The descriptor's two octets.
    public var octets: [UInt8] { [UInt8(truncatingIfNeeded: rawValue), UInt8(truncatingIfNeeded: rawValue >> 8)] }
}
