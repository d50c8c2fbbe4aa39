/// A universally unique identifier of 16, 32 or 128 bits (Core Vol 3, Part B, 2.5.1).
///
/// The short forms stand for long ones on the Bluetooth base UUID: 180D, 0000180D and 0000180D-0000-1000-8000-00805F9B34FB are equal.
public struct BluetoothUUID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    /// All 128 bits, the most significant first.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The long form of a 32-bit UUID.
    public init(_ short: UInt32) { self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow) }

    /// The long form of a 16-bit UUID.
    public init(_ short: UInt16) { self.init(UInt32(short)) }

    /// Reads 2, 4 or 16 octets, the least significant first; `nil` for any other number.
    public init?(littleEndian octets: Span<UInt8>) {
        func number(_ range: Range<Int>) -> UInt64 {
            range.reversed().reduce(0) { $0 << 8 | UInt64(octets[$1]) }
        }
        switch octets.count {
        case 2: self.init(UInt16(truncatingIfNeeded: number(0..<2)))
        case 4: self.init(UInt32(truncatingIfNeeded: number(0..<4)))
        case 16: self.init(high: number(8..<16), low: number(0..<8))
        default: return nil
        }
    }

    /// The 32-bit form; `nil` for a UUID that is not on the Bluetooth base UUID.
    public var short32: UInt32? {
        low == Self.baseLow && high & 0xFFFF_FFFF == Self.baseHigh ? UInt32(truncatingIfNeeded: high >> 32) : nil
    }

    /// The 16-bit form; `nil` for a UUID that has none.
    public var short16: UInt16? { short32.flatMap(UInt16.init(exactly:)) }

    /// How many octets ATT takes for it: 2 where there is a 16-bit form, else 16 (Core Vol 3, Part F, 3.2.1).
    public var shortestCount: Int { short16 == nil ? 16 : 2 }

    /// The octets as on the wire, the least significant first, in a width of 2, 4 or 16.
    ///
    /// A UUID without a form of that width is written with the low bits that fit.
    public func littleEndian(octets count: Int) -> [UInt8] {
        var octets: [UInt8] = []
        guard count == 16 else {
            octets.append(littleEndian: high >> 32, count: count)
            return octets
        }
        octets.append(littleEndian: low)
        octets.append(littleEndian: high)
        return octets
    }
}

extension BluetoothUUID: LosslessStringConvertible {
    /// 4 or 8 hexadecimal digits, or 32 with the usual dashes; `0x` may stand before a short one. `nil` for other text.
    public init?(_ text: String) {
        var digits = Substring(text)
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") { digits = digits.dropFirst(2) }
        switch digits.utf8.count {
        case 4, 8:
            guard let octets = [UInt8](hexadecimal: digits) else { return nil }
            self.init(octets.reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        case 36:
            let groups = text.split(separator: "-", omittingEmptySubsequences: false)
            guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], let octets = [UInt8](hexadecimal: groups.joined())
            else { return nil }
            self.init(littleEndian: [UInt8](octets.reversed()).span)
        default:
            return nil
        }
    }

    /// Upper-case: 4 digits where there is a 16-bit form, 8 for a 32-bit one, else 32 with dashes.
    public var description: String {
        if let short16 { return short16.paddedHexadecimal }
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends `description` in ASCII.
    public func append(to text: inout [UInt8]) {
        if let short16 {
            text.append(upperHexadecimal: short16)
        } else if let short32 {
            text.append(upperHexadecimal: short32)
        } else {
            text.append(upperHexadecimal: UInt32(truncatingIfNeeded: high >> 32))
            for group in [high >> 16, high, low >> 48] {
                text.append(UInt8(ascii: "-"))
                text.append(upperHexadecimal: UInt16(truncatingIfNeeded: group))
            }
            text.append(UInt8(ascii: "-"))
            text.append(upperHexadecimal: UInt16(truncatingIfNeeded: low >> 32))
            text.append(upperHexadecimal: UInt32(truncatingIfNeeded: low))
        }
    }
}

extension BluetoothUUID: ExpressibleByIntegerLiteral {
    /// A 16-bit UUID written as a number: `0x180D`.
    public init(integerLiteral value: UInt16) { self.init(value) }
}
