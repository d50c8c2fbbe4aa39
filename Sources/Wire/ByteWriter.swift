extension [UInt8] {
    /// Appends `count` octets of `value`, the least significant first.
    @inlinable
    public mutating func append(littleEndian value: UInt64, count: Int) {
        for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
    }

    /// Appends the octets of `value`, the least significant first.
    @inlinable
    public mutating func append(littleEndian value: some FixedWidthInteger & UnsignedInteger) {
        append(littleEndian: UInt64(value), count: value.bitWidth / 8)
    }
}
