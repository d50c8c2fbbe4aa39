import ATT
import GATT
import HCI
import HeartRate
import Host
import Wire

/// `hr-raw gatt`: shows a peer's attributes, or uses one of them.
struct Gatt: Command {
    static let description = CommandDescription(
        "gatt", summary: "Show a peer's attributes, or read, write and subscribe to one",
        operands: "ADDRESS [read|write|subscribe UUID|HANDLE [HEX]]", operandCount: 1...66,
        options: [.addressType, .timeout, .duration, .count, .withoutResponse, .signed, .reliable] + Option.pairing + [
            .takeOver
        ],
        discussion: """
            Without more it prints all services, characteristics and descriptors with their values. UUID is
            4, 8 or 32 hexadecimal digits; HANDLE is 0x and digits, or a decimal number. 'read' takes several
            and reads long values whole; a UUID means every attribute of that type. 'write' takes up to 512
            octets. --timeout is for finding the peer and for all its answers; --count and --duration end
            a subscription.
            """,
        examples: [
            "sudo hr-raw gatt F0:F1:F2:F3:F4:01", "sudo hr-raw gatt any read 2A19 0x0012",
            "sudo hr-raw gatt any write 2A39 01", "hr-raw --adapter sim gatt any subscribe 2A37 --count 3",
        ])

    private let access: ControllerAccess
    private let title: String
    private let wanted: HeartRateMonitor.Wanted
    private let action: AttributeAction
    private let timeout: Duration
    private let limits: AttributeAction.Limits
    private let isJSON: Bool

    var follows: Bool { true }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        access = try ControllerAccess(arguments)
        let operand = arguments.operands.first ?? "any"
        let device = try DeviceSelector(operand, command: "gatt")
        title = device.title(operand)
        let kind = try arguments.choice(.addressType, ["public": AddressKind.public, "random": .random])
        wanted = device.wanted(kind: kind)
        let manners = [
            Option.withoutResponse: AttributeAction.Manner.withoutResponse, .signed: .signed, .reliable: .reliable,
        ]
        action = try AttributeAction(
            Array(arguments.operands.dropFirst()), manners: manners.filter { arguments.has($0.key) }.map(\.value))
        timeout = try arguments.seconds(.timeout) ?? .seconds(30)
        limits = AttributeAction.Limits(
            count: try arguments.integer(.count, in: 1...Int(Int32.max)), duration: try arguments.seconds(.duration))
        if case .subscribe = action {
        } else if limits != AttributeAction.Limits() {
            throw UsageError("--count and --duration are for 'subscribe'", command: "gatt")
        }
        isJSON = arguments.has(.json)
    }

    func run(_ console: Console) async throws {
        let printer = AttributePrinter(console: console, isJSON: isJSON)
        let end = try await access.withCentral(console) { central in
            do {
                try await run(central, console, printer)
            } catch let error as OutputError {
                throw error
            } catch {
                if Task.isCancelled { throw error }
                if let ending = await central.ending { throw ending }
                throw Failure(of: error, peer: title)
            }
        }
        if case .recordingEnded = end { throw Failure(.recordingEnded) }
    }

    private func run(_ central: Central, _ console: Console, _ printer: AttributePrinter) async throws {
        let deadline = await central.now + timeout
        let target = try await central.find(wanted, called: title, until: deadline, console.messages)
        console.messages.note("connecting to \(target) …")
        let remaining = await deadline - central.now
        try await central.withConnection(to: target, within: remaining) { peer in
            console.messages.note("connected")
            let subscription = try await central.within(deadline, .subscribing) {
                try await peer.tune(.bulk)
                return try await action.run(on: peer, printer)
            }
            if let subscription { try await subscription.follow(on: peer, printer, limits) }
        }
    }
}

extension Option {
    fileprivate static let count = Option("count", value: "N", help: "end a subscription after N values")
    fileprivate static let withoutResponse = Option(
        "without-response", help: "write without being told whether the peer took it")
    fileprivate static let signed = Option("signed", help: "write with a signature; refused, as it takes a bond")
    fileprivate static let reliable = Option(
        "reliable", help: "write only what the peer repeats correctly, or nothing at all")
}
