/// An option of the command line, as it is parsed and as the help shows it.
struct Option: Hashable, Sendable {
    /// The name behind the two dashes.
    var name: String
    /// The letter behind one dash, if there is one.
    var letter: Character?
    /// What the help calls the option's value; `nil` for an option that takes none.
    var value: String?
    /// What it does, in lines that stand beside it.
    var help: String

    init(_ name: String, letter: Character? = nil, value: String? = nil, help: String) {
        self.name = name
        self.letter = letter
        self.value = value
        self.help = help
    }

    /// `--duration S`, `-v, --verbose`.
    var synopsis: String {
        (letter.map { "-\($0), " } ?? "") + "--" + name + (value.map { " " + $0 } ?? "")
    }
}

extension Option {
    static let adapter = Option(
        "adapter", value: "SPEC",
        help: "hciN (a Linux adapter; default: the first usable one), tcp:HOST:PORT,\n"
            + "serial:PATH[,BAUD], sim[:SCENARIO] (simulated);\n"
            + "also taken from HR_RAW_ADAPTER")
    static let json = Option("json", help: "one JSON object a line")
    static let capture = Option("capture", value: "FILE", help: "record all HCI traffic as btsnoop")
    static let redact = Option("redact", help: "without keys in it (also what convert and decode put out)")
    static let verbose = Option("verbose", letter: "v", help: "tell more")
    static let help = Option("help", letter: "h", help: "show this help")
    static let version = Option("version", help: "show the version")

    /// The options of every command.
    static let common = [adapter, json, capture, redact, verbose, help, version]
}
