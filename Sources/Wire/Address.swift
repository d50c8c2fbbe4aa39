/// A device address, BD_ADDR: 48 bits, without its kind (Core Vol 6, Part B, 1.3).
public struct Address: Hashable, Sendable, Comparable {
    /// The address as a number; the 16 top bits are zero. The first octet that people write is the most significant.
    public let rawValue: UInt64

    /// Keeps the low 48 bits.
    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue & 0xFFFF_FFFF_FFFF }

    /// 00:00:00:00:00:00.
    public static let zero = Address(rawValue: 0)

    public static func < (left: Address, right: Address) -> Bool { left.rawValue < right.rawValue }

    /// The six octets as on the wire, the least significant first.
    public var littleEndian: [UInt8] {
        (0..<6).map { UInt8(truncatingIfNeeded: rawValue >> (8 * UInt64($0))) }
    }
}

extension Address: LosslessStringConvertible {
    /// Six pairs of hexadecimal digits with colons between, the most significant first, in either case; `nil` for other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 }),
            let octets = [UInt8](hexadecimal: parts.joined())
        else { return nil }
        self.init(rawValue: octets.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Upper-case with colons: `F0:F1:F2:F3:F4:01`.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends `description` in ASCII.
    public func append(to text: inout [UInt8]) {
        for shift in stride(from: UInt64(40), through: 0, by: -8) {
            text.append(upperHexadecimal: UInt8(truncatingIfNeeded: rawValue >> shift))
            if shift > 0 { text.append(UInt8(ascii: ":")) }
        }
    }
}
