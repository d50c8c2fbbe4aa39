/// Which octet of a number comes first in a file.
public enum ByteOrder: Hashable, Sendable, CaseIterable {
    /// The most significant one.
    case big
    /// The least significant one.
    case little

    /// The number that four octets are.
    func uint32(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> UInt32 {
        switch self {
        case .big: UInt32(first) << 24 | UInt32(second) << 16 | UInt32(third) << 8 | UInt32(fourth)
        case .little: UInt32(fourth) << 24 | UInt32(third) << 16 | UInt32(second) << 8 | UInt32(first)
        }
    }

    /// The number that two octets are.
    func uint16(_ first: UInt8, _ second: UInt8) -> UInt16 {
        switch self {
        case .big: UInt16(first) << 8 | UInt16(second)
        case .little: UInt16(second) << 8 | UInt16(first)
        }
    }
}

extension [UInt8] {
    /// Appends the octets of `value` in an order.
    mutating func append(_ value: some FixedWidthInteger & UnsignedInteger, _ order: ByteOrder) {
        var value = order == .big ? value.byteSwapped : value
        for _ in 0..<value.bitWidth / 8 {
            append(UInt8(truncatingIfNeeded: value))
            value >>= 8
        }
    }
}
