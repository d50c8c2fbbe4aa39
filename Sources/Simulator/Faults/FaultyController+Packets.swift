import HCI
import Wire

// What becomes of one packet from the controller.
extension FaultyController {
    mutating func disturb(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        switch packet.first {
        case PacketType.acl.rawValue:
            disturb(data: happens(.garbledData) ? garbled(packet, header: 5) : packet, at: now, into: &output)
        case PacketType.event.rawValue:
            disturb(event: happens(.garbledEvent) ? garbled(packet, header: 3) : packet, at: now, into: &output)
        default: output.append(packet)
        }
    }

    /// The packet with another octet behind its header, or cut short, its length with it.
    private mutating func garbled(_ packet: [UInt8], header: Int) -> [UInt8] {
        guard packet.count > header else { return packet }
        let place = Int.random(in: header..<packet.count, using: &chance)
        var packet = packet
        if chance.next() % 3 == 0 {
            packet.removeLast(packet.count - place)
            packet[header == 3 ? 2 : 3] = UInt8(truncatingIfNeeded: packet.count - header)
        } else {
            packet[place] = UInt8(truncatingIfNeeded: chance.next() >> 8)
        }
        return packet
    }

    private mutating func disturb(event packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        switch EventKind(packet) {
        case .answer: disturb(answer: packet, at: now, into: &output)
        case .completion: disturb(completion: packet, at: now, into: &output)
        case .connection(let handle): disturb(connection: packet, handle, at: now, into: &output)
        case .disconnection(let handle):
            releaseHeld(handle, at: now, into: &output)
            if !happens(.lostDisconnection) { sendEvent(packet, at: now, into: &output) }
        case .other:
            if !happens(.lostEvent) { sendEvent(packet, at: now, into: &output) }
        }
    }

    private mutating func sendEvent(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        let delay = happens(.lateEvent) ? delay(most: .seconds(2)) : .zero
        send(packet, .events, after: delay, at: now, into: &output)
        if happens(.doubledEvent) { send(packet, .events, at: now, into: &output) }
    }

    // MARK: Commands

    private mutating func disturb(answer packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        if happens(.lostAnswer) { return }
        var answer = Answer(packet)
        if happens(.misnamedAnswer) { answer.opcode ^= UInt16(1 + chance.next() % 3) }
        let isCreditLate = happens(.lateCommandCredit)
        if isCreditLate || happens(.lostCommandCredit) { answer.credits = 0 }
        // Answers come out of order with what else there is to tell: late is this one alone.
        if happens(.lateAnswer) {
            breakOrder(answer.packet, after: delay(most: .seconds(8)), at: now, into: &output)
        } else {
            send(answer.packet, .events, at: now, into: &output)
        }
        if happens(.doubledAnswer) { send(answer.packet, .events, at: now, into: &output) }
        if isCreditLate {
            let grant = CommandComplete { $0.credits = 1 }
            send(grant.packet, .events, after: delay(most: .seconds(3)), at: now, into: &output)
        }
    }

    private mutating func breakOrder(
        _ packet: [UInt8], after delay: Duration, at now: Moment, into output: inout [[UInt8]]
    ) {
        // No connection has this handle.
        send(packet, .data(ConnectionHandle(rawValue: 0xFFF)), after: delay, at: now, into: &output)
    }

    // MARK: Buffers

    private mutating func disturb(completion packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        if happens(.lostCompletion) { return }
        if happens(.emptyCompletion) {
            let nothing = NumberOfCompletedPackets {
                $0.completions = [
                    .init(ConnectionHandle(rawValue: 0), count: 0), .init(ConnectionHandle(rawValue: 0xEFE), count: 3),
                ]
            }
            send(nothing.packet, .events, at: now, into: &output)
            send(NumberOfCompletedPackets().packet, .events, at: now, into: &output)
        }
        let delay = happens(.lateCompletion) ? delay(most: .seconds(4)) : .zero
        send(packet, .events, after: delay, at: now, into: &output)
        if happens(.doubledCompletion) { send(packet, .events, at: now, into: &output) }
    }

    // MARK: Connections

    private mutating func disturb(
        connection packet: [UInt8], _ handle: ConnectionHandle, at now: Moment, into output: inout [[UInt8]]
    ) {
        if happens(.lostConnection) { return }
        if happens(.failedCompletion) {
            let reasons: [UInt8] = [0x03, 0x07, 0x08, 0x09, 0x0D, 0x1F, 0x22, 0x3C, 0x3E, 0x3E, 0x3E, 0x3E]
            let reason = reasons[Int(chance.next() % UInt64(reasons.count))]
            _ = world.endConnection(handle, reason: Status(rawValue: reason), isTold: false, at: now)
            // All but the status is zero, the handle among it.
            let failure = packet.prefix(4) + [reason] + [UInt8](repeating: 0, count: max(0, packet.count - 5))
            sendEvent(Array(failure), at: now, into: &output)
            return
        }
        sendEvent(packet, at: now, into: &output)
        if happens(.unestablishedLink) {
            plan(breakOf: handle, .failedToBeEstablished, at: now + delay(most: .milliseconds(400)))
        }
    }

    // MARK: Data

    private mutating func disturb(data packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        guard case .acl(let fragment)? = try? Packet(decoding: packet) else { return output.append(packet) }
        if happens(.lostData) { return }
        if let whole = merge(fragment, at: now, into: &output) { pass(on: whole, at: now, into: &output) }
        meddle(with: fragment.handle, at: now)
    }

    private mutating func pass(on fragment: ACLPacket, at now: Moment, into output: inout [[UInt8]]) {
        let pieces = happens(.splitData) ? split(fragment) : [fragment]
        let delay = happens(.lateData) ? delay(most: .seconds(3)) : .zero
        for piece in pieces {
            send(Packet.acl(piece).encoded, .data(fragment.handle), after: delay, at: now, into: &output)
        }
        if happens(.doubledData) {
            for piece in pieces { send(Packet.acl(piece).encoded, .data(fragment.handle), at: now, into: &output) }
        }
    }

    private mutating func split(_ fragment: ACLPacket) -> [ACLPacket] {
        var pieces: [ACLPacket] = []
        var rest = fragment.payload[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...max(1, min(rest.count, 9)), using: &chance)
            var piece = fragment
            piece.payload = Array(rest.prefix(count))
            if !pieces.isEmpty { piece.boundary = .continuation }
            pieces.append(piece)
            rest = rest.dropFirst(count)
        }
        return pieces.isEmpty ? [fragment] : pieces
    }

    /// Keeps the start of a frame back and joins its continuations to it.
    private mutating func merge(
        _ fragment: ACLPacket, at now: Moment, into output: inout [[UInt8]]
    ) -> ACLPacket? {
        if fragment.boundary == .continuation, var start = held.removeValue(forKey: fragment.handle) {
            start.payload += fragment.payload
            return keepIfUnfinished(start)
        }
        releaseHeld(fragment.handle, at: now, into: &output)
        return fragment.boundary.isStart && happens(.mergedData) ? keepIfUnfinished(fragment) : fragment
    }

    private mutating func keepIfUnfinished(_ start: ACLPacket) -> ACLPacket? {
        guard start.payload.count >= 2 else { return start }
        let declared = 4 + Int(start.payload[0]) + Int(start.payload[1]) << 8
        guard start.payload.count < declared else { return start }
        held[start.handle] = start
        return nil
    }

    /// A frame that is not finished any more goes out as far as it came.
    private mutating func releaseHeld(_ handle: ConnectionHandle, at now: Moment, into output: inout [[UInt8]]) {
        guard let start = held.removeValue(forKey: handle) else { return }
        send(Packet.acl(start).encoded, .data(handle), at: now, into: &output)
    }
}

/// An event, as far as faults tell events apart.
private enum EventKind {
    case answer
    case completion
    /// A connection came about.
    case connection(ConnectionHandle)
    case disconnection(ConnectionHandle)
    case other

    init(_ packet: [UInt8]) {
        guard packet.count >= 7 else {
            self = .other
            return
        }
        switch EventCode(rawValue: packet[1]) {
        case .commandComplete, .commandStatus: self = .answer
        case .numberOfCompletedPackets: self = .completion
        case .disconnectionComplete: self = .disconnection(Self.handle(packet, at: 4))
        case .leMeta where Self.completions.contains(LESubevent(rawValue: packet[3])) && packet.count > 7:
            self = packet[4] == Status.success.rawValue ? .connection(Self.handle(packet, at: 5)) : .other
        default: self = .other
        }
    }

    private static let completions: Set<LESubevent> = [.connectionComplete, .enhancedConnectionComplete]

    private static func handle(_ packet: [UInt8], at place: Int) -> ConnectionHandle {
        ConnectionHandle(rawValue: UInt16(packet[place]) | UInt16(packet[place + 1]) << 8)
    }
}

/// Command Complete or Command Status as octets: where they have credits and opcode.
private struct Answer {
    private(set) var packet: [UInt8]
    private let place: Int

    /// - Parameter packet: at least seven octets
    init(_ packet: [UInt8]) {
        self.packet = packet
        place = EventCode(rawValue: packet[1]) == .commandComplete ? 3 : 4
    }

    var credits: UInt8 {
        get { packet[place] }
        set { packet[place] = newValue }
    }

    var opcode: UInt16 {
        get { UInt16(packet[place + 1]) | UInt16(packet[place + 2]) << 8 }
        set {
            packet[place + 1] = UInt8(truncatingIfNeeded: newValue)
            packet[place + 2] = UInt8(truncatingIfNeeded: newValue >> 8)
        }
    }
}
