import Capture

/// `hr-raw convert`: a capture in another format.
struct Convert: Command {
    static let format = Option(
        "to", value: "FORMAT",
        help: "the format, where OUT's ending does not tell it:\n" + CaptureFormat.names.joined(separator: "\n"))

    static let description = CommandDescription(
        "convert", summary: "Write a capture in another format", operands: "IN OUT", operandCount: 2...2,
        options: [format],
        discussion: """
            IN is told by its content, compressed with gzip or not; '-' reads standard input. OUT's ending
            tells the format: \(endings),
            each with .gz behind it where it is to be compressed. '-' writes to standard output and needs
            --to. Where nothing but the ending tells, the variant of the format is the one that holds most
            of IN; of the same format the octets stay what they are.

            --redact writes zeros where IN has keys, and where nobody can tell that there is none.

            What the format cannot hold is told. OUT appears when it is complete. Of a damaged IN what can
            be read is converted; then the status is 65.
            """,
        examples: [
            "hr-raw convert btsnoop_hci.log ride.pcapng", "hr-raw convert ride.pklg.gz ride.btsnoop",
            "hr-raw convert --redact ride.btsnoop for-others.btsnoop",
            "hr-raw convert --to pcap-254-ns monitor.btsnoop - | wireshark -k -i -",
        ])

    private static var endings: String {
        CaptureFormat.Container.allCases.flatMap(\.endings).map { "." + $0 }.joined(separator: " ")
    }

    let source: String
    let target: ConversionTarget
    private let isRedacted: Bool

    var follows: Bool { false }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source = arguments.operands[0]
        isRedacted = arguments.has(.redact)
        let path = arguments.operands[1]
        if let name = arguments.text(Self.format) {
            guard let format = CaptureFormat(name: name) else {
                throw arguments.wrong(Self.format, name, CaptureFormat.names.joined(separator: ", "))
            }
            target = ConversionTarget(path: path, format: .exact(format))
        } else if let container = ConversionTarget.container(ofNameIn: path) {
            target = ConversionTarget(path: path, format: .suited(container))
        } else {
            let reason = path == "-" ? "'-' does not tell the format" : "'\(path)' does not end as a capture does"
            throw UsageError(
                "\(reason); --to says it: \(CaptureFormat.names.joined(separator: ", "))", command: "convert")
        }
    }

    func run(_ console: Console) async throws {
        var conversion = try Conversion(of: source, to: target, redacted: isRedacted)
        let result = try target.path == "-" ? conversion.run(into: console.output) : conversion.runIntoFile()
        if result.isStopped { console.messages.warning("stopped by a signal; '\(target.path)' is not written") }
        if let text = result.losses.text, let format = result.format {
            console.messages.warning("\(text) cannot be held by \(format.name)")
        }
        if let format = result.format, let source = result.source {
            console.messages.detail("\(result.records) records, from \(source.name) to \(format.name)")
        }
        if let damage = result.damage { throw damage }
    }
}
