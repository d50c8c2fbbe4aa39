import Wire

/// Text appended to a buffer of octets, for the paths that write hundreds of thousands of lines.
extension [UInt8] {
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe append(contentsOf: $0) }
    }

    mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    /// The number in decimal.
    mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: value.magnitude, digits: 1)
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
        append(decimal: UInt64(whole), digits: 1)
        append(UInt8(ascii: "."))
        append(decimal: UInt64(fraction), digits: 3)
        for _ in 0..<2 where last == UInt8(ascii: "0") { removeLast() }
    }

    /// `0x` and the four hexadecimal digits of a handle.
    mutating func append(handle: UInt16) {
        append("0x" as StaticString)
        append(upperHexadecimal: handle)
    }
}
