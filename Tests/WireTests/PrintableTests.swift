import Testing
import Wire

/// What peers call themselves, as a terminal gets it.
@Suite struct PrintableTests {
    @Test(arguments: [
        "\u{1B}[2J", "\u{9B}31m", "a\r\nb", "\u{7F}", "\u{0}", "\u{2028}\u{2029}",
        // Whatever follows would be shown from right to left.
        "\u{202E}gnp", "\u{2066}x", "\u{200F}",
    ])
    func whatSteersATerminalIsReplaced(_ text: String) {
        #expect(text.printable.unicodeScalars.contains("\u{FFFD}"))
        #expect(text.printable.unicodeScalars.count == text.unicodeScalars.count)
        var octets = Array("before ".utf8)
        octets.append(printable: text)
        #expect(octets == Array("before \(text.printable)".utf8))
    }

    @Test(arguments: ["Polar H10", "Jürgens Uhr", "心拍計", "שעון", "👨‍👩‍👧‍👦❤️", "e\u{301}", ""])
    func allElseStays(_ text: String) {
        #expect(text.printable == text)
    }
}
