public import Wire

/// What a Characteristic Extended Properties descriptor says (Core Vol 3, Part G, 3.3.3.1).
public struct ExtendedProperties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The value may be written reliably.
    public static let reliableWrite = ExtendedProperties(rawValue: 0x0001)
    /// The user description may be written.
    public static let writableAuxiliaries = ExtendedProperties(rawValue: 0x0002)

    /// Reads the descriptor's value.
    public init(decoding octets: Span<UInt8>) throws(WireError) {
        var reader = ByteReader(octets)
        self.init(rawValue: try reader.uint16("Characteristic Extended Properties"))
    }

    /// The set bits by name; a reserved one by its number.
    public var names: [String] {
        (0..<16).filter { rawValue & 1 << $0 != 0 }.map { bit in
            switch bit {
            case 0: "reliable-write"
            case 1: "writable-auxiliaries"
            default: "bit \(bit)"
            }
        }
    }
}
