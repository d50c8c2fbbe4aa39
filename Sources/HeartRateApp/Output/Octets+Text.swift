import Wire

/// Text appended to a buffer of octets, for the paths that write hundreds of thousands of lines.
extension [UInt8] {
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe append(contentsOf: $0) }
    }

    mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    /// The number in decimal.
    mutating func append(decimal value: Int64) {
        guard value >= 10 || value < 0 else {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
            return
        }
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let first = count
        while rest > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        self[first...].reverse()
    }

    mutating func append(decimal value: some BinaryInteger) { append(decimal: Int64(clamping: value)) }

    /// The number in decimal, filled up with spaces on the left.
    mutating func append(decimal value: Int, width: Int) {
        let first = count
        append(decimal: Int64(value))
        let missing = width - (count - first)
        if missing > 0 { insert(contentsOf: repeatElement(UInt8(ascii: " "), count: missing), at: first) }
    }

    /// A number given in thousandths, with one to three digits behind the point.
    mutating func append(thousandths value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        let (whole, fraction) = value.magnitude.quotientAndRemainder(dividingBy: 1000)
        append(decimal: Int64(clamping: whole))
        append(UInt8(ascii: "."))
        var digits = [fraction / 100, fraction / 10 % 10, fraction % 10].map {
            UInt8(ascii: "0") + UInt8(truncatingIfNeeded: $0)
        }
        while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
        append(contentsOf: digits)
    }

    /// Octets as lower-case hexadecimal digits.
    mutating func append(hexadecimal octets: some Collection<UInt8>) {
        reserveCapacityAmortised(2 * octets.count)
        for octet in octets {
            append(hexadecimalDigit(octet >> 4))
            append(hexadecimalDigit(octet & 15))
        }
    }

    /// `0x` and the four hexadecimal digits of a handle.
    mutating func append(handle: UInt16) {
        append("0x" as StaticString)
        append(upperHexadecimal: UInt8(handle >> 8))
        append(upperHexadecimal: UInt8(truncatingIfNeeded: handle))
    }

    /// An address, upper-case with colons.
    mutating func append(_ address: Address) {
        for index in (0..<6).reversed() {
            let octet = UInt8(truncatingIfNeeded: address.rawValue >> (8 * UInt64(index)))
            append(upperHexadecimal: octet)
            if index > 0 { append(UInt8(ascii: ":")) }
        }
    }

    /// Two upper-case hexadecimal digits.
    mutating func append(upperHexadecimal octet: UInt8) {
        append(upperHexadecimalDigit(octet >> 4))
        append(upperHexadecimalDigit(octet & 15))
    }

    /// Makes room without giving up the doubling that keeps appending cheap.
    private mutating func reserveCapacityAmortised(_ more: Int) {
        if count + more > capacity { reserveCapacity(Swift.max(count + more, 2 * capacity)) }
    }
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
}

private func upperHexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
}
