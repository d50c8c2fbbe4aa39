/// The help texts, written from the tables that the command line is parsed with.
enum Help {
    static let program = "hr-raw"

    /// The help of the program: what it is, its commands, the options of every command.
    static func general(_ commands: [CommandDescription]) -> String {
        let width = commands.map(\.name.count).max() ?? 0
        let list = commands.map { "  \(padded($0.name, to: width))  \($0.summary)" }.joined(separator: "\n")
        return """
            \(program): Bluetooth heart rates, straight from the controller.

            Usage: \(program) [OPTION …] COMMAND [OPERAND …]

            Commands:
            \(list)

            Options of every command:
            \(table(Option.common))

            '\(program) COMMAND --help' says more of a command. Without an adapter, '--adapter sim' simulates one.
            """
    }

    /// The help of one command.
    static func of(_ command: CommandDescription) -> String {
        let operands = command.operands.isEmpty ? "" : " " + command.operands
        var parts = ["Usage: \(program) \(command.name) [OPTION …]\(operands)\n\n\(command.summary)."]
        if !command.discussion.isEmpty { parts.append(command.discussion) }
        if !command.options.isEmpty { parts.append("Options:\n" + table(command.options)) }
        parts.append("Options of every command:\n" + table(Option.common))
        if !command.examples.isEmpty {
            parts.append("Examples:\n" + command.examples.map { "  " + $0 }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    private static func table(_ options: [Option]) -> String {
        let width = min(24, options.map(\.synopsis.count).max() ?? 0)
        return options.map { option in
            let lines = option.help.split(separator: "\n", omittingEmptySubsequences: false)
            let first = "  \(padded(option.synopsis, to: width))  "
            let rest = "\n" + String(repeating: " ", count: width + 4)
            return first + lines.joined(separator: rest)
        }.joined(separator: "\n")
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
