import HCI
import HeartRate
import Host
import Wire

/// `hr-raw diagnose`: finds out why a device's heart rate does not come.
struct Diagnose: Command {
    static let description = CommandDescription(
        "diagnose", summary: "Find out why a device's heart rate does not come", operands: "ADDRESS",
        operandCount: 1...1, options: [.addressType, .timeout, .listening] + Option.pairing + [.takeOver],
        discussion: """
            Goes the whole way to a device's heart rate and says of each step whether it works, and what to
            try where it does not: is it heard, can it be connected to, does it have the Heart Rate service,
            does it let itself be subscribed to, do heart rates come. The status is 0 when they do.

            ADDRESS is an address, a name, or 'any'. --timeout holds for the search and then again for each
            answer. --duration goes on listening, to see what ends a link after a while.
            """,
        examples: [
            "sudo hr-raw diagnose \"Forerunner 255\"", "sudo hr-raw diagnose F0:F1:F2:F3:F4:01 --duration 120",
            "hr-raw --adapter sim:refusing diagnose any",
        ])

    private let access: ControllerAccess
    private let selector: DeviceSelector
    private let title: String
    private let kind: AddressKind?
    private let timeout: Duration
    private let duration: Duration?
    private let isJSON: Bool

    var follows: Bool { true }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        access = try ControllerAccess(arguments)
        let operand = arguments.operands.first ?? "any"
        selector = try DeviceSelector(operand, command: "diagnose")
        title = selector.title(operand)
        kind = try arguments.choice(.addressType, ["public": AddressKind.public, "random": .random])
        timeout = try arguments.seconds(.timeout) ?? .seconds(30)
        duration = try arguments.seconds(.listening)
        isJSON = arguments.has(.json)
    }

    func run(_ console: Console) async throws {
        let printer = FindingPrinter(console: console, isJSON: isJSON)
        let question = Diagnosis.Question(
            selector: selector, title: title, kind: kind, timeout: timeout, duration: duration)
        let end = try await access.withCentral(console) { central in
            console.messages.note("looking for \(title) …")
            return try await Diagnosis(central: central, question: question, tell: printer.print).run()
        }
        switch end {
        case .finished(.done), .interrupted, .adapterStayedAway: return
        case .finished(let status): throw status
        case .recordingEnded: throw Failure(.recordingEnded)
        }
    }
}

extension Option {
    fileprivate static let listening = Option("duration", value: "S", help: "go on listening for so many seconds")
}
