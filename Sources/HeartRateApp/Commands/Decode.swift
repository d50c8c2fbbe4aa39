import ATT
import Capture
import Dissection

/// `hr-raw decode`: every record of a capture.
struct Decode: Command {
    static let heartRateHandle = Option(
        "heart-rate-handle", value: "HANDLE",
        help: "take this attribute for the heart rate where the capture\ndoes not tell; may be repeated")

    static let description = CommandDescription(
        "decode", summary: "Print every record of a capture", operands: "FILE", operandCount: 1...1,
        options: [heartRateHandle],
        discussion: """
            FILE is a btsnoop file (of Android, BlueZ or this program) or a bare H4 stream, told by its content;
            '-' reads standard input. '>' is from controller to host, '<' from host to controller, '=' a note.
            -v adds each packet's fields. A damaged file is printed up to the damage; then the status is 65.
            """,
        examples: ["hr-raw decode btsnoop_hci.log", "hr-raw decode --json btsnoop_hci.log | jq 'select(.heart_rate)'"])

    let path: String
    let isJSON: Bool
    let isVerbose: Bool
    let heartRateHandles: Set<Handle>

    var follows: Bool { false }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.operands[0]
        isJSON = arguments.has(.json)
        isVerbose = arguments.has(.verbose)
        heartRateHandles = try arguments.heartRateHandles()
    }

    func run(_ console: Console) async throws {
        var input = try CaptureInput(path: path)
        var dissector = Dissector(heartRateHandles: heartRateHandles)
        let output = console.output
        var names = NameMemory()
        let damage = try input.read(output) { (record) throws(OutputError) in
            let dissected = dissector.dissect(record)
            try output.write { buffer in
                if isJSON {
                    JSONWriter.line(to: &buffer) { writer in
                        writer.members(of: dissected, fields: isVerbose ? dissected.described(&names) : nil)
                    }
                } else {
                    RecordLine.append(dissected, &names, style: console.style, to: &buffer)
                    if isVerbose { buffer.append(dissected.described(&names), depth: 4) }
                }
            }
        }
        if let damage { throw damage }
    }
}

extension ParsedArguments {
    /// The values of `--heart-rate-handle`.
    func heartRateHandles() throws(UsageError) -> Set<Handle> {
        var handles: Set<Handle> = []
        for text in texts(Decode.heartRateHandle) {
            let number = text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
            guard let number, number > 0 else {
                throw wrong(Decode.heartRateHandle, text, "a handle from 0x0001 to 0xFFFF")
            }
            handles.insert(Handle(number))
        }
        return handles
    }
}
