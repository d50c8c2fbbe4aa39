// Text that somebody sent, made harmless for where it is shown: peers name themselves as they like.

extension String {
    /// The text with everything that could steer a terminal, break the line or turn the rest of it around replaced.
    public var printable: String {
        guard utf8.contains(where: { !$0.isPrintableASCII }) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.steersTerminal ? "\u{FFFD}" : $0 }))
    }
}

extension [UInt8] {
    /// Appends `text.printable`; most texts are plain and are taken as they are.
    public mutating func append(printable text: String) {
        let start = count
        append(text)
        guard !isPlain(from: start) else { return }
        removeLast(count - start)
        append(text.printable)
    }

    /// Appends the text as it stands in a string of JSON (RFC 8259): what JSON does not allow in it escaped, and what a terminal
    /// that shows it would obey.
    public mutating func append(escaped text: String) {
        let start = count
        append(text)
        guard !isPlain(from: start) || self[start...].contains(where: \.isSpecialInJSON) else { return }
        removeLast(count - start)
        for octet in text.utf8 { append(escaping: octet) }
    }

    /// Whether all octets from `start` on are ASCII that can be seen.
    private func isPlain(from start: Int) -> Bool {
        let octets = span
        for index in start..<count where !octets[index].isPrintableASCII { return false }
        return true
    }

    private mutating func append(escaping octet: UInt8) {
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            append(UInt8(ascii: "\\"))
            append(octet)
        case 0x0A: append(#"\n"# as StaticString)
        case 0..<0x20, 0x7F:
            append(#"\u00"# as StaticString)
            append(lowerHexadecimal: CollectionOfOne(octet))
        case 0x80..<0xA0 where last == 0xC2:
            // The control characters U+0080 to U+009F, such as CSI, begin with C2 in UTF-8, and nothing else follows it so.
            removeLast()
            append(#"\u00"# as StaticString)
            append(lowerHexadecimal: CollectionOfOne(octet))
        default: append(octet)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var steersTerminal: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}

extension UInt8 {
    fileprivate var isPrintableASCII: Bool { (0x20..<0x7F).contains(self) }

    fileprivate var isSpecialInJSON: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
