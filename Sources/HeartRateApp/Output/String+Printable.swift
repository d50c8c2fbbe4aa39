extension String {
    /// The text with everything that could steer a terminal, break the line or turn the rest of it around replaced: peers name
    /// themselves as they like.
    var printable: String {
        guard utf8.contains(where: { !$0.isPrintableASCII }) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.steersTerminal ? "\u{FFFD}" : $0 }))
    }

    /// The text, or its beginning where it is longer than a line can bear.
    ///
    /// - Parameter limit: in characters
    func shortened(to limit: Int) -> String { count > limit ? prefix(limit) + "…" : self }
}

extension [UInt8] {
    /// Appends `text.printable`; most texts are plain and are taken as they are.
    mutating func append(printable text: String) {
        let start = count
        append(text)
        guard self[start...].contains(where: { !$0.isPrintableASCII }) else { return }
        removeLast(count - start)
        append(text.printable)
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
}
