import Glibc

/// What the program has to say beside its data, on standard error.
struct Messages: Sendable {
    private let style: Style
    /// How much is told: one more for each `-v`.
    let verbosity: Int

    init(verbosity: Int = 0) {
        self.verbosity = verbosity
        style = Style(descriptor: STDERR_FILENO)
    }

    func error(_ text: String) { write(style.red("\(Help.program): ") + text) }
    func warning(_ text: String) { write(style.yellow("\(Help.program): ") + text) }
    func note(_ text: String) { write(text) }
    /// Only told with `-v`.
    func detail(_ text: String) { if verbosity > 0 { write(style.faint(text)) } }

    /// A failure with its remedy on a line of its own.
    func failure(_ failure: Failure) {
        error(failure.message)
        if let remedy = failure.remedy { note("  " + remedy) }
    }

    private func write(_ text: String) {
        // One call, so that lines of several programs do not mix. There is nowhere to report a failure to.
        var line = Array(text.utf8) + [UInt8(ascii: "\n")]
        unsafe _ = line.withUnsafeMutableBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
