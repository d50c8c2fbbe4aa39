import ATT
import Capture
import Dissection
import Wire

/// `hr-raw replay`: what the host in a capture saw.
struct Replay: Command {
    static let description = CommandDescription(
        "replay", summary: "Print what the host in a capture saw: links, services, heart rates", operands: "FILE",
        operandCount: 1...1, options: [Decode.heartRateHandle],
        discussion: """
            FILE is read as 'decode' reads it. Heart rates are known by the discovery in the capture; where it
            began later, --heart-rate-handle says which attribute to take for them.
            """,
        examples: ["hr-raw replay ride.btsnoop", "hr-raw replay --json ride.btsnoop | jq 'select(.bpm).bpm'"])

    let path: String
    let isJSON: Bool
    let heartRateHandles: Set<Handle>

    var follows: Bool { false }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.operands[0]
        isJSON = arguments.has(.json)
        heartRateHandles = try arguments.heartRateHandles()
    }

    func run(_ console: Console) async throws {
        var input = try CaptureInput(path: path)
        var session = ReplaySession(heartRateHandles: heartRateHandles)
        var events: [SessionEvent] = []
        let damage = try input.read(console.output) { (record) throws(OutputError) in
            session.receive(record, into: &events)
            if !events.isEmpty {
                try print(events, console)
                events.removeAll(keepingCapacity: true)
            }
        }
        session.finish(into: &events)
        try print(events, console)
        try console.output.flush()
        hint(session.unclaimed, console.messages)
        if let damage { throw damage }
    }

    private func print(_ events: [SessionEvent], _ console: Console) throws(OutputError) {
        try console.output.write { buffer in
            for event in events {
                if isJSON {
                    JSONWriter.lines(of: event, to: &buffer)
                } else {
                    for line in event.lines(console.style) {
                        buffer.append(line)
                        buffer.append(UInt8(ascii: "\n"))
                    }
                }
            }
        }
    }

    /// What the user may know and the capture does not tell.
    private func hint(_ unclaimed: [Handle: Int], _ messages: Messages) {
        for (handle, count) in unclaimed.sorted(by: { $0.key < $1.key }) where count > 2 {
            messages.note(
                "attribute \(handle) sent \(count) values that could be heart rates; nothing in the capture says what it is. "
                    + "--heart-rate-handle \(handle) takes it for that.")
        }
    }
}
