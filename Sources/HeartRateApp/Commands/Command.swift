/// One command of the program.
///
/// To add one: conform a type, give it its description, and list it in `CommandTable`. Its help, its parsing and the check of its
/// options follow from the description.
protocol Command: Sendable {
    static var description: CommandDescription { get }

    /// Interprets the command line; whatever is wrong with it is found here, before anything is done.
    init(_ arguments: ParsedArguments) throws(UsageError)

    /// Whether each line of data must reach its reader at once, because the next may be long in coming.
    var follows: Bool { get }

    /// Does it. Returning means status 0.
    ///
    /// - Throws: `Failure` for an end without success, `OutputError` where standard output takes nothing more.
    func run(_ console: Console) async throws
}

/// Where a command writes: data to standard output, everything else to standard error.
struct Console: Sendable {
    var output: StandardOutput
    var messages: Messages
    /// Colours for standard output.
    var style: Style
}

/// All commands, in the order of the help.
enum CommandTable {
    static let all: [any Command.Type] = [
        AdaptersCommand.self, Scan.self, Connect.self, Diagnose.self, Gatt.self, Pair.self, BondsCommand.self,
        Unpair.self, Decode.self, Replay.self, Convert.self, Simulate.self,
    ]

    static var descriptions: [CommandDescription] { all.map { $0.description } }
}
