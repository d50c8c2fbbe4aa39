import HCI
import Simulator
import Wire

/// A world in which some requests are answered otherwise than the strap would: what it does then depends on more than one connection
/// of it, or on what no strap could know.
struct AnsweringController: VirtualController {
    private var world: SimulatedWorld
    private let answer: @Sendable ([UInt8]) -> [UInt8]?
    /// What is to be said in place of the response that comes next.
    private var pending: [UInt8]?

    /// - Parameter answer: gives the ATT PDU that answers a request, or `nil` to leave that to the strap
    init(_ world: SimulatedWorld, answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
        self.world = world
        self.answer = answer
    }

    var nextDeadline: Moment? { world.nextDeadline }

    mutating func receive(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        if let pdu = packet.attributePDU, pdu.isRequest { pending = answer(pdu) }
        let begin = output.count
        world.receive(packet, at: now, into: &output)
        replace(&output[begin...])
    }

    mutating func advance(to now: Moment, into output: inout [[UInt8]]) {
        let begin = output.count
        world.advance(to: now, into: &output)
        replace(&output[begin...])
    }

    private mutating func replace(_ packets: inout ArraySlice<[UInt8]>) {
        for index in packets.indices {
            guard let pdu = packets[index].attributePDU, pdu.isResponse, let answer = pending else { continue }
            packets[index] = packets[index].replacing(with: answer)
            pending = nil
        }
    }
}

extension [UInt8] {
    /// The ATT PDU of an ACL packet that holds a whole one.
    fileprivate var attributePDU: [UInt8]? {
        guard count > 9, self[0] == 0x02, self[2] & 0x10 == 0, self[7...8] == [0x04, 0x00] else { return nil }
        return Array(self[9...])
    }

    fileprivate var isRequest: Bool { self[0] < 0x1B && self[0] % 2 == 0 }

    fileprivate var isResponse: Bool { self[0] < 0x1B && self[0] % 2 == 1 }

    /// The packet with another ATT PDU, shorter than 128 octets.
    fileprivate func replacing(with pdu: [UInt8]) -> [UInt8] {
        let count = UInt8(pdu.count)
        return self[..<3] + [count + 4, 0, count, 0, 0x04, 0x00] + pdu
    }
}
