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

    /// How a random address was made, from its two top bits (Core Vol 6, Part B, 1.3.2). Means nothing in a public one.
    public var randomness: Randomness {
        switch rawValue >> 46 {
        case 0b11: .static
        case 0b01: .resolvable
        case 0b00: .nonResolvable
        default: .reserved
        }
    }

    /// The kinds of random addresses.
    public enum Randomness: Hashable, Sendable {
        /// Kept at least until the device is switched on again.
        case `static`
        /// Changes; who holds the device's identity resolving key recognises it.
        case resolvable
        /// Changes; nobody recognises it.
        case nonResolvable
        case reserved

        var text: StaticString {
            switch self {
            case .static: "static"
            case .resolvable: "resolvable"
            case .nonResolvable: "non-resolvable"
            case .reserved: "reserved kind"
            }
        }
    }

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
        text.append(addingCapacity: 17) { output in
            for digit in (0..<12).reversed() {
                let value = UInt8(truncatingIfNeeded: rawValue >> (4 &* UInt64(digit))) & 15
                output.append(hexadecimalDigit(value, ten: UInt8(ascii: "A")))
                if digit > 0, digit & 1 == 0 { output.append(UInt8(ascii: ":")) }
            }
        }
    }
}
