extension String {
    /// The text with everything that could steer a terminal replaced: peers name themselves as they like.
    var printable: String {
        guard utf8.contains(where: { !$0.isPrintableASCII }) else { return self }
        return String(
            String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 })
        )
    }
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

extension UInt8 {
    fileprivate var isPrintableASCII: Bool { (0x20..<0x7F).contains(self) }
}
