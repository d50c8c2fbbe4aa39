extension [UInt8] {
    /// The octets that `text` spells, two digits each, either case, nothing between; `nil` for anything else.
    public init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = hexadecimalDigit(digit) else { return nil }
            if let first = high {
                append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
    }
}

extension Sequence<UInt8> {
    /// The octets as lower-case hexadecimal digits, nothing between.
    public var hexadecimal: String {
        var text: [UInt8] = []
        text.append(lowerHexadecimal: Array(self))
        return String(decoding: text, as: UTF8.self)
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// All digits of the number in upper-case hexadecimal, without a prefix: `0D` for the octet 13.
    public var paddedHexadecimal: String {
        var text: [UInt8] = []
        text.append(upperHexadecimal: self)
        return String(decoding: text, as: UTF8.self)
    }
}

/// The value of one hexadecimal digit in ASCII.
func hexadecimalDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
}
