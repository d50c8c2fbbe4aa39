import ATT
import GATT
import HCI
import Host
import Wire

extension FuzzTarget {
    /// The whole host between a caller and a controller that both do anything: no request is answered twice, and each in the end,
    /// time never stands still, and after its end the host is silent.
    static let host = FuzzTarget(name: "host") { octets in
        var play = HostPlay(octets)
        try play.run()
    }
}

/// One play of the host. The input says what the controller answers, what comes by itself, and what the caller wants.
private struct HostPlay {
    private var choices: Choices
    private var engine = HostEngine(configuration: .init())
    private var now = Moment.zero
    private var tickets: UInt64 = 0
    private var open: Set<Ticket> = []
    private var connections: [ConnectionID] = []
    /// Commands that the controller has not answered yet.
    private var unanswered: [[UInt8]] = []
    /// Handles of the data that the controller has not told to be on its way.
    private var buffered: [ArraySlice<UInt8>] = []
    private var hasFailed = false

    init(_ octets: [UInt8]) { choices = Choices(octets) }

    mutating func run() throws {
        try ask(.start)
        while !choices.isEmpty {
            switch choices.octet() % 10 {
            case 0, 1, 2: try answerCommand()
            case 3: try bring([0x04] + sized(choices.piece(), lengthAt: 1))
            case 4: try bringData()
            case 5: try bringConnection()
            case 6: try ask(request())
            case 7: try bring(choices.piece())
            case 8: try letTimePass()
            default: try takeBack()
            }
        }
        try endWell()
        var effects: [HostEngine.Effect] = []
        engine.linkEnded(.removed, into: &effects)
        try carryOut(effects)
        try promise(engine.nextDeadline == nil, "a host at its end waits for nothing")
    }

    /// From now on the controller does what it is told, and the peers say nothing: whatever was asked is answered, at the latest
    /// when its time is over.
    private mutating func endWell() throws {
        for _ in 0..<4096 {
            if open.isEmpty || hasFailed { return }
            if let handle = buffered.popLast() {
                try bring([0x04, 0x13, 0x05, 1, handle[1], handle[2] & 0x0F, 1, 0])
            } else if unanswered.isEmpty {
                guard let deadline = engine.nextDeadline else { break }
                now = max(now, deadline)
                var effects: [HostEngine.Effect] = []
                engine.advance(to: now, into: &effects)
                try carryOut(effects)
            } else {
                try obey(unanswered.removeFirst())
            }
        }
        try promise(open.isEmpty || hasFailed, "every request is answered: \(open.map(\.rawValue).sorted()) are not")
    }

    private mutating func obey(_ command: [UInt8]) throws {
        guard command.count >= 4 else { return }
        let opcode = Array(command[1...2])
        switch opcode {
        case [0x06, 0x04]:
            // Disconnect, and what comes of it.
            try bring([0x04, 0x0F, 0x04, 0, 1] + opcode)
            let handle = command.dropFirst(4).prefix(2)
            try bring([0x04, 0x05, 0x04, 0x00] + handle + [0x16])
        case [0x0E, 0x20]:
            // LE Create Connection Cancel: the attempt ends with 0x02.
            try bring([0x04, 0x0E, 0x04, 1] + opcode + [0])
            try bring([0x04, 0x3E, 0x13, 0x01, 0x02] + [UInt8](repeating: 0, count: 17))
        case [0x0D, 0x20], [0x43, 0x20], [0x13, 0x20], [0x16, 0x20], [0x1D, 0x04], [0x32, 0x20]:
            // Those that are answered by a status at once.
            try bring([0x04, 0x0F, 0x04, 0, 1] + opcode)
        default:
            try bring([0x04, 0x0E] + counted([1] + opcode + [0] + [UInt8](repeating: 0x1B, count: 64)))
        }
    }

    // MARK: The controller

    /// Answers the oldest command: as it should be, most often, for only then is there more to see.
    private mutating func answerCommand() throws {
        guard !unanswered.isEmpty else { return }
        let command = unanswered.removeFirst()
        guard command.count >= 3 else { return }
        let opcode = Array(command[1...2])
        switch choices.octet() % 8 {
        case 0: try bring([0x04, 0x0F, 0x04, choices.octet(), 1] + opcode)
        case 1: try bring([0x04, 0x0E] + counted([1] + opcode + choices.piece()))
        case 2: return
        case 3: try bring([0x04, 0x0F, 0x04, 0, 1] + opcode)
        default:
            // Success, then what all features or plausible sizes look like.
            let filling = [UInt8](repeating: choices.octet() & 1 == 0 ? 0xFF : 0x1B, count: 64)
            try bring([0x04, 0x0E] + counted([1] + opcode + [0] + filling))
        }
    }

    private mutating func bringConnection() throws {
        let handle = choices.octet() & 3
        let role: UInt8 = choices.octet() & 1
        let address: [UInt8] = [choices.octet() & 1, 1 + choices.octet() & 3, 0, 0, 0, 0, 0xC0]
        try bring([0x04, 0x3E, 0x13, 0x01, 0, handle, 0, role] + address + [0x28, 0, 0, 0, 0xF4, 1, 0])
    }

    /// ACL data on a connection: a whole frame of ATT or the signalling channel, or anything.
    private mutating func bringData() throws {
        let handle = choices.octet() & 3
        let kind = choices.octet()
        let payload = choices.piece()
        let frame = kind % 4 == 3 ? payload : [UInt8(payload.count), 0, 4 + kind % 3, 0] + payload
        let boundary: UInt8 = kind & 0x80 == 0 ? 0x20 : 0x10
        try bring([0x02, handle, boundary, UInt8(truncatingIfNeeded: frame.count), UInt8(frame.count >> 8)] + frame)
    }

    private func counted(_ octets: [UInt8]) -> [UInt8] { [UInt8(clamping: octets.count)] + octets.prefix(255) }

    /// An event with its length put right.
    private func sized(_ octets: [UInt8], lengthAt place: Int) -> [UInt8] {
        guard octets.count > place else { return octets }
        var octets = octets
        octets[place] = UInt8(clamping: octets.count - place - 1)
        return octets
    }

    private mutating func bring(_ packet: [UInt8]) throws {
        var effects: [HostEngine.Effect] = []
        engine.receive(packet, at: now, into: &effects)
        try carryOut(effects)
    }

    // MARK: The caller

    private mutating func request() -> HostEngine.Request {
        let kind = choices.octet()
        guard kind & 0x80 != 0, let connection = connections.last else { return requestOfRadio(kind) }
        return switch kind % 14 {
        case 0: .disconnect(connection)
        case 1: .gatt(connection, .discover)
        case 2: .gatt(connection, .subscribe(service: 0x180D, characteristic: 0x2A37))
        case 3: .gatt(connection, .read(Handle(UInt16(choices.octet()))))
        case 4: .gatt(connection, .write(Handle(UInt16(choices.octet())), choices.piece()))
        case 5: .gatt(connection, .exchangeMTU)
        case 6: .gatt(connection, .writeWithoutResponse(Handle(UInt16(choices.octet())), choices.piece()))
        case 7: .gatt(connection, .discoverService(0x180F))
        case 8: .readSignalStrength(connection)
        case 9: .gatt(connection, .readValues([0x0003, Handle(UInt16(choices.octet()))]))
        case 10: .gatt(connection, .readEvery(0x2A19))
        case 11: .gatt(connection, .writeReliably([.init(choices.piece(), to: Handle(UInt16(choices.octet())))]))
        case 12: .tune(connection, .bulk)
        default: .stop
        }
    }

    private mutating func requestOfRadio(_ kind: UInt8) -> HostEngine.Request {
        switch kind % 6 {
        case 0: .scan(isActive: kind & 0x40 == 0)
        case 1: .stopScanning
        case 2: .wait(.seconds(Int64(choices.octet())))
        default: .connect(target(choices.octet()), .heartRate, within: .seconds(Int64(choices.octet())))
        }
    }

    /// One of four devices, so that several are wanted at once, and one of them twice.
    private func target(_ choice: UInt8) -> DeviceAddress {
        DeviceAddress(choice & 4 == 0 ? .random : .public, Address(rawValue: 0xC000_0000_0001 + UInt64(choice & 3)))
    }

    private mutating func ask(_ request: HostEngine.Request) throws {
        tickets += 1
        let ticket = Ticket(rawValue: tickets)
        open.insert(ticket)
        var effects: [HostEngine.Effect] = []
        engine.request(request, ticket: ticket, at: now, into: &effects)
        try carryOut(effects)
    }

    private mutating func takeBack() throws {
        let ticket = Ticket(rawValue: UInt64(choices.octet()))
        var effects: [HostEngine.Effect] = []
        engine.cancel(ticket, at: now, into: &effects)
        try carryOut(effects)
    }

    // MARK: Time

    /// Goes on to the next deadline, or for some seconds. What is due gets done: it is not due again at the same moment for ever.
    private mutating func letTimePass() throws {
        let seconds = choices.octet()
        now = seconds < 128 ? max(now, engine.nextDeadline ?? now) : now + .seconds(Int64(seconds - 128))
        for _ in 0..<64 {
            guard let deadline = engine.nextDeadline, deadline <= now else { return }
            var effects: [HostEngine.Effect] = []
            engine.advance(to: now, into: &effects)
            try carryOut(effects)
        }
        try promise(false, "what is due gets done")
    }

    // MARK: Effects

    private mutating func carryOut(_ effects: [HostEngine.Effect]) throws {
        for effect in effects {
            switch effect {
            case .transmit(let packet):
                try promise(!hasFailed, "nothing is sent after the end")
                try promise(packet.count >= 4, "a packet has a header")
                if packet[0] == 0x01 { unanswered.append(packet) }
                if packet[0] == 0x02 { buffered.append(packet.prefix(3)) }
            case .answer(let ticket, let answer):
                try promise(open.remove(ticket) != nil, "ticket \(ticket.rawValue) is answered once")
                if case .success(.connected(let connection)) = answer { connections.append(connection.id) }
            case .disconnected(let id, _):
                connections.removeAll { $0 == id }
            case .failed:
                try promise(!hasFailed, "the end is told once")
                hasFailed = true
                // The owner answers these.
                open = []
            default: break
            }
        }
    }
}
