// Text in ASCII, appended to octets: for what is written hundreds of thousands of times, where a `String` for each number
// would cost more than all else.

extension [UInt8] {
    /// Appends all digits of the number in upper-case hexadecimal.
    @inlinable
    public mutating func append(upperHexadecimal value: some FixedWidthInteger & UnsignedInteger) {
        append(hexadecimal: UInt64(truncatingIfNeeded: value), digits: value.bitWidth / 4, ten: UInt8(ascii: "A"))
    }

    /// Appends the octets as lower-case hexadecimal digits, nothing between.
    @inlinable
    public mutating func append(lowerHexadecimal octets: some Collection<UInt8>) {
        let needed = count + 2 * octets.count
        // Doubling keeps appending cheap; asking for what is needed and no more would not.
        if needed > capacity { reserveCapacity(Swift.max(needed, 2 * capacity)) }
        for octet in octets {
            append(hexadecimalDigit(octet >> 4, ten: UInt8(ascii: "a")))
            append(hexadecimalDigit(octet & 15, ten: UInt8(ascii: "a")))
        }
    }

    /// Appends the number in decimal, filled up with zeros to at least `digits` digits.
    @inlinable
    public mutating func append(decimal number: UInt64, digits: Int) {
        var low = count
        var rest = number
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        while count - low < digits { append(UInt8(ascii: "0")) }
        // The digits came from the last to the first.
        var high = count - 1
        while low < high {
            swapAt(low, high)
            low += 1
            high -= 1
        }
    }

    @inlinable
    mutating func append(hexadecimal value: UInt64, digits: Int, ten: UInt8) {
        for index in (0..<digits).reversed() {
            append(hexadecimalDigit(UInt8(truncatingIfNeeded: value >> (4 * UInt64(index))) & 15, ten: ten))
        }
    }
}

/// The digit for a value below 16; `ten` is the digit for 10.
@inlinable
func hexadecimalDigit(_ value: UInt8, ten: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : ten &+ (value &- 10)
}
