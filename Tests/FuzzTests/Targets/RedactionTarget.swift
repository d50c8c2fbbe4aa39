import Capture
import Dissection
import HCI
import L2CAP
import Wire

extension FuzzTarget {
    /// Keys taken out of captures: nothing but zeros is written, no length changes, and whatever a reader can put together again of
    /// the Security Manager's key PDUs is empty.
    static let redaction = FuzzTarget(name: "redaction") { octets in
        var choices = Choices(octets)
        var redactor = Redactor()
        var readers: [Stream: Reassembler] = [:]
        while !choices.isEmpty {
            let way = choices.octet()
            let direction: Record.Direction = way & 1 == 0 ? .sent : .received
            let packet = packet(way, &choices)
            var redacted = packet
            redactor.filter(&redacted, direction)
            try promise(
                redacted.count == packet.count && zip(packet, redacted).allSatisfy { $0 == $1 || $1 == 0 },
                "octets stay or become zero")
            guard case .acl(let data)? = try? Packet(decoding: redacted) else { continue }
            let stream = Stream(handle: data.handle, isSent: direction == .sent)
            let outcome = readers[stream, default: Reassembler()].receive(
                data.payload.span, isContinuation: !data.boundary.isStart)
            guard let frame = outcome.frame, frame.channel == .securityManager, let code = frame.payload.first else {
                continue
            }
            let isKey = [0x06, 0x08, 0x0A].contains(code)
            try promise(!isKey || frame.payload.dropFirst().allSatisfy { $0 == 0 }, "no key is left")
        }
    }

    private struct Stream: Hashable {
        var handle: ConnectionHandle
        var isSent: Bool
    }

    /// A piece of an L2CAP frame, or any packet.
    private static func packet(_ way: UInt8, _ choices: inout Choices) -> [UInt8] {
        switch way >> 1 & 3 {
        case 0: return choices.take(Int(choices.octet() & 63))
        case 1:
            let payload = choices.take(Int(choices.octet() & 31))
            return acl(start: true, [UInt8(payload.count), 0, choices.octet() & 7, 0] + payload)
        default: return acl(start: way & 0x10 != 0, choices.take(Int(choices.octet() & 31)))
        }
    }

    private static func acl(start: Bool, _ octets: [UInt8]) -> [UInt8] {
        [0x02, 0x40, start ? 0x20 : 0x10, UInt8(octets.count), 0] + octets
    }
}
