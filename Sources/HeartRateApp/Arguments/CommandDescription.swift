/// What a command is called, takes and does: the source of its parsing and of its help.
struct CommandDescription: Sendable {
    var name: String
    /// One line, for the list of commands.
    var summary: String
    /// What stands behind the command's name in the usage line: `FILE`, `ADDRESS …`.
    var operands: String
    /// How many operands are right.
    var operandCount: ClosedRange<Int>
    /// The command's own options, without the common ones.
    var options: [Option]
    /// What a user should know beyond the summary; may be empty.
    var discussion: String
    /// Command lines that show it in use.
    var examples: [String]

    init(
        _ name: String, summary: String, operands: String = "", operandCount: ClosedRange<Int> = 0...0,
        options: [Option] = [], discussion: String = "", examples: [String] = []
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.operandCount = operandCount
        self.options = options
        self.discussion = discussion
        self.examples = examples
    }
}
