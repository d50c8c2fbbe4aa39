import Capture
import Foundation
import HCI
import Wire

/// The capture as it grows: written out in pieces, so that it may be longer than the machine's memory.
struct Tape {
    private var octets = Btsnoop.fileHeader()
    private var now = Timestamp(microseconds: 1_767_268_800_000_000)
    private var records = 0
    private var written = 0
    private let limit: Plan.Limit

    init(limit: Plan.Limit) { self.limit = limit }

    /// Whether the capture has the length wanted. What is added then is left out.
    var isFull: Bool {
        switch limit {
        case .records(let count): records >= count
        case .octets(let count): written + octets.count >= count
        }
    }

    /// What the host sent.
    mutating func send(_ packet: [UInt8], after milliseconds: Int = 1) {
        add(packet, .sent, .milliseconds(milliseconds))
    }

    /// What the host sent.
    mutating func send(_ packet: [UInt8], afterMicroseconds pause: Int64) { add(packet, .sent, .microseconds(pause)) }

    /// What the controller sent.
    mutating func receive(_ packet: [UInt8], after milliseconds: Int = 1) {
        add(packet, .received, .milliseconds(milliseconds))
    }

    /// What the controller sent.
    mutating func receive(_ packet: [UInt8], afterMicroseconds pause: Int64) {
        add(packet, .received, .microseconds(pause))
    }

    /// A command and the answer that says that it is done.
    mutating func run<Sent: Command>(_ command: Sent, _ answer: Sent.ReturnParameters = Sent.ReturnParameters()) {
        send(command.packet)
        receive(CommandComplete(Sent.self, answer).packet)
    }

    /// A command and the answer that says that it has begun.
    mutating func start<Sent: DeferredCommand>(_ command: Sent) {
        send(command.packet)
        receive(CommandStatus(Sent.opcode, .success).packet)
    }

    private mutating func add(_ packet: [UInt8], _ direction: Record.Direction, _ pause: Duration) {
        guard !isFull else { return }
        now = now + pause
        Btsnoop.append(packet, direction, at: now, to: &octets)
        records += 1
        if octets.count >= 1 << 20 { flush() }
    }

    /// Writes out what was collected. A reader who has left ends the program.
    mutating func flush() {
        var start = 0
        while start < octets.count {
            let count = octets[start...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(1) }
            start += count
        }
        written += octets.count
        octets.removeAll(keepingCapacity: true)
    }
}
