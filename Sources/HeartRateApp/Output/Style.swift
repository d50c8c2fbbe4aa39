import Glibc

/// Colours, where they are wanted: on a terminal that has them, and not with NO_COLOR (no-color.org).
struct Style: Sendable {
    let isOn: Bool

    static let plain = Style(isOn: false)

    init(isOn: Bool) { self.isOn = isOn }

    init(descriptor: Int32) {
        let refused = environmentVariable("NO_COLOR").map { !$0.isEmpty } ?? false
        isOn = isatty(descriptor) == 1 && !refused && environmentVariable("TERM") != "dumb"
    }

    func bold(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }
    func red(_ text: String) -> String { wrap(text, "31") }
    func green(_ text: String) -> String { wrap(text, "32") }
    func yellow(_ text: String) -> String { wrap(text, "33") }
    func blue(_ text: String) -> String { wrap(text, "34") }
    func magenta(_ text: String) -> String { wrap(text, "35") }
    func cyan(_ text: String) -> String { wrap(text, "36") }

    private func wrap(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
