import ATT
import Capture
import Dissection
import Wire

/// `hr-raw decode`: every record of a capture.
struct Decode: Command {
    static let heartRateHandle = Option(
        "heart-rate-handle", value: "HANDLE",
        help: "take this attribute for the heart rate where the capture\ndoes not tell; may be repeated")

    static let description = CommandDescription(
        "decode", summary: "Print every record of a capture", operands: "FILE", operandCount: 1...1,
        options: filterOptions + [follow, heartRateHandle],
        discussion: """
            FILE is a capture: btsnoop (of Android, BlueZ or this program), PacketLogger, pcap, pcapng or
            a bare H4 stream, told by its content, also where gzip has compressed it; '-' reads standard
            input. '>' is from controller to host, '<' from host to controller, '=' a note.
            -v adds each packet's fields, keys included; with --redact they are zeros. '!' stands before
            what is wrong with a record, '?' before what is taken for granted because the capture began too
            late to tell. A damaged file is printed up to the damage; then the status is 65.

            Without a filter all records are printed. Several values of one option mean any of them, several
            options all of them. What is not printed is read all the same, so that handles keep their types.
            """,
        examples: [
            "hr-raw decode btsnoop_hci.log", "hr-raw decode --json btsnoop_hci.log | jq 'select(.heart_rate)'",
            "hr-raw decode --address C0:00:5E:00:53:01 --att 2A37 --from 60 btsnoop_hci.log",
            "hr-raw decode --follow ride.btsnoop", "adb exec-out cat /sdcard/btsnoop_hci.log | hr-raw decode -",
        ])

    static let follow = Option("follow", help: "at the end wait for more, until a signal")

    let path: String
    let isJSON: Bool
    let isVerbose: Bool
    let isFollowing: Bool
    private let isRedacted: Bool
    let filter: RecordFilter
    let heartRateHandles: Set<Handle>

    var follows: Bool { false }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.operands[0]
        isJSON = arguments.has(.json)
        isVerbose = arguments.has(.verbose)
        isFollowing = arguments.has(Self.follow)
        isRedacted = arguments.has(.redact)
        filter = try arguments.recordFilter()
        heartRateHandles = try arguments.heartRateHandles()
    }

    func run(_ console: Console) async throws {
        while let ending = try printFile(console) {
            switch ending {
            case .truncated: console.messages.warning("'\(path)' was cut; it is read anew from its beginning")
            case .replaced: console.messages.warning("'\(path)' is another file now; that is read from its beginning")
            case .unread: return
            }
        }
    }

    /// - Returns: why a file that is followed was read no further; `nil` at its end, and after a signal
    private func printFile(_ console: Console) throws -> InputFile.Ending? {
        var input = try CaptureInput(path: path, follows: isFollowing)
        var redactor = Redactor()
        var dissector = Dissector(heartRateHandles: heartRateHandles)
        var filter = filter
        let isFiltered = !filter.isEmpty
        let output = console.output
        let names = NameMemory()
        var describer = RecordDescriber(isJSON ? .json : .lines(depth: 4), names)
        let damage = try input.read(output) { (record) throws(OutputError) in
            let dissected = dissector.dissect(isRedacted ? redactor.redacted(record) : record)
            if isFiltered, !filter.admits(dissected) { return }
            try output.write { buffer in
                if isJSON {
                    JSONWriter.line(to: &buffer) { writer in
                        guard isVerbose else { return writer.members(of: dissected) }
                        writer.members(of: dissected) { describer.append(dissected, to: &$0) }
                    }
                } else {
                    RecordLine.append(dissected, names, style: console.style, to: &buffer)
                    if isVerbose {
                        describer.append(dissected, to: &buffer)
                        describer.appendRemarks(on: dissected, to: &buffer)
                    }
                }
            }
        }
        if let damage { throw damage }
        return input.ending
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
