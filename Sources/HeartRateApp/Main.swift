import Glibc
import HCITransport

@main
struct Main {
    /// Not asynchronous: see `MainThread`.
    static func main() {
        StandardDescriptors.fill()
        Privileges.prepare()
        Interruption.install()
        do {
            exit(try MainThread.run { await run(Array(CommandLine.arguments.dropFirst())).rawValue })
        } catch {
            let failure = Failure(error)
            Messages().failure(failure)
            exit(failure.status.rawValue)
        }
    }

    /// Runs the program and says how it ends.
    static func run(_ arguments: [String]) async -> ExitStatus {
        let messages = Messages()
        do throws(UsageError) {
            let parsed = try ParsedArguments(
                arguments, commands: CommandTable.descriptions, variables: environmentVariable)
            if let text = information(asked: parsed) { return show(text, messages) }
            guard let type = CommandTable.all.first(where: { $0.description.name == parsed.command?.name }) else {
                return .usage
            }
            return await run(try type.init(parsed), Messages(verbosity: parsed.count(.verbose)))
        } catch {
            messages.error(error.message)
            messages.note("'\(Help.program)\(error.command.map { " " + $0 } ?? "") --help' shows what is right.")
            return .usage
        }
    }

    /// The help or the version, where it was asked for.
    private static func information(asked parsed: ParsedArguments) -> String? {
        if parsed.has(.help) {
            return parsed.command.map(Help.of) ?? Help.general(CommandTable.descriptions)
        }
        return parsed.has(.version) ? "\(Help.program) \(programVersion)" : nil
    }

    private static func show(_ text: String, _ messages: Messages) -> ExitStatus {
        let output = StandardOutput(follows: false)
        do throws(OutputError) {
            try output.writeLine(text)
            try output.flush()
            return .done
        } catch {
            return status(of: error, messages)
        }
    }

    private static func run(_ command: some Command, _ messages: Messages) async -> ExitStatus {
        let console = Console(
            output: StandardOutput(follows: command.follows), messages: messages,
            style: Style(descriptor: STDOUT_FILENO))
        do {
            try await command.run(console)
            try console.output.flush()
            return .done
        } catch {
            // What was gathered before the failure goes out before its message.
            try? console.output.flush()
            return status(of: error, messages)
        }
    }

    /// The exit status for an error, after its message.
    private static func status(of error: any Error, _ messages: Messages) -> ExitStatus {
        switch error {
        case let failure as Failure:
            messages.failure(failure)
            return failure.status
        case let error as OutputError:
            guard let failure = error.failure else { return .done }
            messages.failure(failure)
            return failure.status
        case let status as ExitStatus:
            return status
        case is CancellationError:
            return .done
        default:
            messages.error("\(error)")
            return .failure
        }
    }
}
