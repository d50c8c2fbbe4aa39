// Text in ASCII, appended to octets: for what is written hundreds of thousands of times, where a `String` for each number
// would cost more than all else.

extension [UInt8] {
    /// Appends one of this program's own words.
    @inlinable
    public mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe append(contentsOf: $0) }
    }

    /// Appends a text in UTF-8.
    @inlinable
    public mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    /// Appends that many spaces.
    @inlinable
    public mutating func append(spaces count: Int) {
        append(addingCapacity: Swift.max(0, count)) { output in
            for _ in 0..<Swift.max(0, count) { output.append(UInt8(ascii: " ")) }
        }
    }

    // MARK: Hexadecimal

    /// Appends all digits of the number in upper-case hexadecimal.
    @inlinable
    public mutating func append(upperHexadecimal value: some FixedWidthInteger & UnsignedInteger) {
        append(hexadecimal: UInt64(truncatingIfNeeded: value), digits: value.bitWidth / 4)
    }

    /// Appends `0x` and that many digits of the number in upper-case hexadecimal.
    public mutating func append(prefixedHexadecimal value: UInt64, digits: Int) {
        append(addingCapacity: 2) { output in
            output.append(UInt8(ascii: "0"))
            output.append(UInt8(ascii: "x"))
        }
        append(hexadecimal: value, digits: digits)
    }

    /// Appends the octets as lower-case hexadecimal digits, nothing between.
    @inlinable
    public mutating func append(lowerHexadecimal octets: some Collection<UInt8>) {
        append(addingCapacity: 2 * octets.count) { output in
            for octet in octets {
                output.append(hexadecimalDigit(octet >> 4, ten: UInt8(ascii: "a")))
                output.append(hexadecimalDigit(octet & 15, ten: UInt8(ascii: "a")))
            }
        }
    }

    /// Appends the octets as lower-case hexadecimal digits, nothing between.
    public mutating func append(lowerHexadecimal octets: Span<UInt8>) {
        append(addingCapacity: 2 * octets.count) { output in
            for index in octets.indices {
                output.append(hexadecimalDigit(octets[index] >> 4, ten: UInt8(ascii: "a")))
                output.append(hexadecimalDigit(octets[index] & 15, ten: UInt8(ascii: "a")))
            }
        }
    }

    @usableFromInline
    mutating func append(hexadecimal value: UInt64, digits: Int) {
        append(addingCapacity: digits) { output in
            for index in (0..<digits).reversed() {
                let digit = UInt8(truncatingIfNeeded: value >> (4 &* UInt64(index))) & 15
                output.append(hexadecimalDigit(digit, ten: UInt8(ascii: "A")))
            }
        }
    }

    // MARK: Decimal

    /// Appends the number in decimal.
    public mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: value.magnitude, digits: 1)
    }

    /// Appends the number in decimal.
    @inlinable
    public mutating func append(decimal value: some BinaryInteger) { append(decimal: Int64(clamping: value)) }

    /// Appends the number in decimal, filled up with zeros to at least `digits` digits.
    public mutating func append(decimal number: UInt64, digits: Int) {
        guard number < 100_000_000, digits <= 8 else {
            let (front, back) = number.quotientAndRemainder(dividingBy: 100_000_000)
            append(decimal: front, digits: digits - 8)
            return append(decimal: back, digits: 8)
        }
        // The digits come from the last to the first, and go from the first to the last.
        var reversed: UInt64 = 0
        var count = 0
        var rest = UInt32(truncatingIfNeeded: number)
        repeat {
            reversed = reversed << 8 | UInt64(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            count += 1
        } while rest > 0 || count < digits
        append(addingCapacity: count) { output in
            for _ in 0..<count {
                output.append(UInt8(truncatingIfNeeded: reversed))
                reversed >>= 8
            }
        }
    }

    /// Appends a number given in thousandths, with one to three digits behind the point.
    public mutating func append(thousandths value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        let (whole, fraction) = value.magnitude.quotientAndRemainder(dividingBy: 1000)
        append(decimal: UInt64(whole), digits: 1)
        append(UInt8(ascii: "."))
        if fraction % 100 == 0 {
            append(decimal: UInt64(fraction / 100), digits: 1)
        } else if fraction % 10 == 0 {
            append(decimal: UInt64(fraction / 10), digits: 2)
        } else {
            append(decimal: UInt64(fraction), digits: 3)
        }
    }
}

/// The digit for a value below 16; `ten` is the digit for 10.
@inlinable
func hexadecimalDigit(_ value: UInt8, ten: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : ten &+ (value &- 10)
}
