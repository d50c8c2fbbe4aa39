import Replay

/// Which controller to use, as `--adapter` and HR_RAW_ADAPTER write it.
enum AdapterSpec: Hashable, Sendable {
    /// A Linux adapter by its index, through the kernel's user channel.
    case linux(index: UInt16)
    /// H4 over TCP.
    case tcp(host: String, port: UInt16)
    /// H4 over a serial port or a pty; `baud` is `nil` where none was named.
    case serial(path: String, baud: Int?)
    /// The simulator in this process; `scenario` is `nil` for the usual one.
    case simulator(scenario: String?)
    /// A capture that answers as the controller; `matching` is `nil` where it is to be found out.
    case replay(file: String, Matching?)

    /// The forms, for messages.
    static let forms = [
        "hciN", "tcp:HOST:PORT", "serial:PATH[,BAUD]", "sim[:SCENARIO]", "replay:FILE[,strict|,equivalent]",
    ]

    /// `nil` for text of no such form.
    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count > 1 ? String(parts[1]) : nil
        switch (String(parts[0]), rest) {
        case ("tcp", let rest?): self.init(tcp: rest)
        case ("serial", let rest?): self.init(serial: rest)
        case ("sim", nil): self = .simulator(scenario: nil)
        case ("sim", let scenario?) where !scenario.isEmpty: self = .simulator(scenario: scenario)
        case ("replay", let rest?): self.init(replay: rest)
        case (let name, nil):
            guard name.hasPrefix("hci"), let index = number(name.dropFirst(3), as: UInt16.self) else { return nil }
            self = .linux(index: index)
        default: return nil
        }
    }

    /// `HOST:PORT`; an IPv6 address stands in brackets.
    private init?(tcp text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = number(text[text.index(after: colon)...], as: UInt16.self), port > 0
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self = .tcp(host: String(host), port: port)
    }

    /// `FILE[,strict|,equivalent]`; a file may have other commas in its name.
    private init?(replay text: String) {
        let (file, matching): (Substring, Matching?) =
            if text.hasSuffix(",strict") {
                (text.dropLast(7), .strictly)
            } else if text.hasSuffix(",equivalent") {
                (text.dropLast(11), .equivalently)
            } else {
                (text[...], nil)
            }
        guard !file.isEmpty else { return nil }
        self = .replay(file: String(file), matching)
    }

    /// `PATH[,BAUD]`.
    private init?(serial text: String) {
        guard let comma = text.lastIndex(of: ",") else {
            guard !text.isEmpty else { return nil }
            self = .serial(path: text, baud: nil)
            return
        }
        guard comma > text.startIndex, let baud = number(text[text.index(after: comma)...], as: UInt32.self), baud > 0
        else {
            return nil
        }
        self = .serial(path: String(text[..<comma]), baud: Int(baud))
    }
}

/// Decimal digits and nothing else, unlike the initialisers of the standard library, which take a sign.
private func number<Number: FixedWidthInteger>(_ digits: Substring, as type: Number.Type) -> Number? {
    digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Number(digits) : nil
}
