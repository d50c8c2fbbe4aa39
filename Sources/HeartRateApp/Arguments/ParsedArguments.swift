/// The command line, taken apart and not yet interpreted.
struct ParsedArguments: Sendable {
    /// The command; `nil` where only help or the version was asked for.
    private(set) var command: CommandDescription?
    private(set) var operands: [String] = []
    /// The values of each option given, by its name; an option without a value counts with empty ones.
    private var values: [String: [String]] = [:]
    private let variables: @Sendable (String) -> String?

    /// Takes a command line apart. Options stand before or after the command, as `--name value` or `--name=value`; `--` ends them.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program's own name
    ///   - commands: what there is to choose from
    ///   - variables: looks an environment variable up
    init(
        _ arguments: [String], commands: [CommandDescription],
        variables: @escaping @Sendable (String) -> String? = { _ in nil }
    ) throws(UsageError) {
        self.variables = variables
        let words: [String]
        do throws(UsageError) {
            words = try takeOptions(of: commands, from: arguments)
        } catch {
            // The help that helps is the command's, also where an option was wrong before the command was looked at.
            let command = arguments.first { argument in commands.contains { $0.name == argument } }
            throw UsageError(error.message, command: command)
        }
        try choose(words, from: commands)
    }

    // MARK: Taking apart

    /// Takes the options in.
    ///
    /// - Returns: the words that are none
    private mutating func takeOptions(
        of commands: [CommandDescription], from arguments: [String]
    ) throws(UsageError) -> [String] {
        let known = commands.reduce(into: Option.common) { $0 += $1.options }
        var words: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                break
            } else if argument.hasPrefix("--") {
                try take(long: argument.dropFirst(2), from: known, &rest)
            } else if argument.hasPrefix("-"), argument.utf8.count > 1 {
                try take(letters: argument.dropFirst(), from: known, &rest)
            } else {
                words.append(argument)
            }
        }
        return words
    }

    private mutating func take(
        long text: Substring, from known: [Option], _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        guard let option = known.first(where: { $0.name == name }) else {
            throw UsageError(unknown(name, among: known))
        }
        try note(option, attached: parts.count > 1 ? String(parts[1]) : nil, from: known, &rest)
    }

    private mutating func take(
        letters: Substring, from known: [Option], _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        for letter in letters {
            guard let option = known.first(where: { $0.letter == letter }) else {
                throw UsageError(unknown(String(letters), among: known))
            }
            try note(option, attached: nil, from: known, &rest)
        }
    }

    private mutating func note(
        _ option: Option, attached: String?, from known: [Option], _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard let placeholder = option.value else {
            guard attached == nil else { throw UsageError("--\(option.name) takes no value") }
            values[option.name, default: []].append("")
            return
        }
        let isOption = { (text: String) in
            text.hasPrefix("--") && known.contains { text == "--" + $0.name || text.hasPrefix("--\($0.name)=") }
        }
        guard let value = attached ?? (rest.first.map(isOption) == false ? rest.popFirst() : nil) else {
            throw UsageError("--\(option.name) needs a value: --\(option.name) \(placeholder)")
        }
        values[option.name, default: []].append(value)
    }

    private func unknown(_ name: String, among known: [Option]) -> String {
        let dashes = name.count > 1 ? "--" : "-"
        let nearest = known.map(\.name).nearest(to: name).map { "; the nearest is --\($0)" } ?? ""
        return "unknown option \(dashes)\(name)\(nearest)"
    }

    private mutating func choose(_ words: [String], from commands: [CommandDescription]) throws(UsageError) {
        var words = words[...]
        // `help scan` means `scan --help`.
        if words.first == "help" {
            words.removeFirst()
            values[Option.help.name, default: []].append("")
        }
        guard let name = words.popFirst() else {
            if has(.help) || has(.version) { return }
            throw UsageError("no command given; the commands are \(commands.map(\.name).joined(separator: ", "))")
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            let nearest = commands.map(\.name).nearest(to: name).map { "; the nearest is '\($0)'" } ?? ""
            throw UsageError("unknown command '\(name)'\(nearest)")
        }
        self.command = command
        operands = Array(words)
        if has(.help) || has(.version) { return }
        try checkOptions(of: command)
        try checkOperands(of: command)
    }

    private func checkOptions(of command: CommandDescription) throws(UsageError) {
        let allowed = (Option.common + command.options).map(\.name)
        guard let stray = values.keys.sorted().first(where: { !allowed.contains($0) }) else { return }
        let nearest = allowed.nearest(to: stray).map { "; the nearest is --\($0)" } ?? ""
        throw UsageError("'\(command.name)' has no option --\(stray)\(nearest)", command: command.name)
    }

    private func checkOperands(of command: CommandDescription) throws(UsageError) {
        guard !command.operandCount.contains(operands.count) else { return }
        let right = "hr-raw \(command.name)\(command.operands.isEmpty ? "" : " " + command.operands)"
        guard operands.count < command.operandCount.lowerBound else {
            throw UsageError(
                "'\(operands[command.operandCount.upperBound])' is one operand too many: \(right)",
                command: command.name)
        }
        throw UsageError("'\(command.name)' needs more: \(right)", command: command.name)
    }
}

// MARK: Asking

extension ParsedArguments {
    func has(_ option: Option) -> Bool { values[option.name] != nil }

    /// How often the option was given.
    func count(_ option: Option) -> Int { values[option.name]?.count ?? 0 }

    /// The option's value, the last one where it was given more than once.
    func text(_ option: Option) -> String? { values[option.name]?.last }

    /// All values of an option that may be repeated.
    func texts(_ option: Option) -> [String] { values[option.name] ?? [] }

    /// A whole number within `range`.
    func integer(_ option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = text(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw wrong(option, text, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number of seconds, fractions allowed, more than nothing and at most ten years.
    func seconds(_ option: Option) throws(UsageError) -> Duration? {
        guard let text = text(option) else { return nil }
        let longest = 315_360_000.0
        guard let number = Double(text), number > 0, number <= longest else {
            throw wrong(option, text, "a number of seconds greater than 0")
        }
        return .seconds(number)
    }

    /// One of a few words.
    func choice<Value>(_ option: Option, _ choices: KeyValuePairs<String, Value>) throws(UsageError) -> Value? {
        guard let text = text(option) else { return nil }
        guard let choice = choices.first(where: { $0.key == text }) else {
            let words = choices.map(\.key)
            throw wrong(option, text, words.joined(separator: " or "), nearest: words.nearest(to: text))
        }
        return choice.value
    }

    /// The adapter asked for: by the option, else by the environment; `nil` means the first usable one.
    func adapter() throws(UsageError) -> AdapterSpec? {
        let variable = variables("HR_RAW_ADAPTER").flatMap { $0.isEmpty ? nil : $0 }
        guard let text = text(.adapter) ?? variable else { return nil }
        guard let spec = AdapterSpec(text) else {
            let forms = AdapterSpec.forms
            let source = has(.adapter) ? "--adapter" : "HR_RAW_ADAPTER"
            let nearest = forms.nearest(to: text).map { "; the nearest form is \($0)" } ?? ""
            throw UsageError(
                "\(source) '\(text)' is no adapter\(nearest) (there are \(forms.joined(separator: ", ")))",
                command: command?.name)
        }
        return spec
    }

    /// The error for an option with a wrong value.
    func wrong(_ option: Option, _ text: String, _ expected: String, nearest: String? = nil) -> UsageError {
        let hint = nearest.map { "; the nearest is '\($0)'" } ?? ""
        return UsageError("--\(option.name) '\(text)' is wrong: it takes \(expected)\(hint)", command: command?.name)
    }
}
