import HCI
import TestSupport
import Wire

@testable import Host

/// A host between a test that asks and a controller that the test plays, in octets typed by hand.
struct HostBench {
    var engine: HostEngine
    var now = Moment(nanoseconds: 1_000_000_000)
    /// Packets from the host that the test has not looked at.
    private var unseen: [[UInt8]] = []
    /// How often each ticket was answered, and with what last.
    private(set) var answers: [Ticket: Result<HostEngine.Answer, HostError>] = [:]
    private(set) var answerCounts: [Ticket: Int] = [:]
    /// All effects but packets and answers.
    private(set) var others: [HostEngine.Effect] = []
    private var tickets: UInt64 = 0

    init(_ configuration: HostEngine.Configuration = .init(), security: SecuritySetup? = nil) {
        engine = HostEngine(configuration: configuration, security: security)
    }

    // MARK: Inputs

    @discardableResult
    mutating func ask(_ request: HostEngine.Request) -> Ticket {
        tickets += 1
        let ticket = Ticket(rawValue: tickets)
        var effects: [HostEngine.Effect] = []
        engine.request(request, ticket: ticket, at: now, into: &effects)
        keep(effects)
        return ticket
    }

    mutating func cancel(_ ticket: Ticket) {
        var effects: [HostEngine.Effect] = []
        engine.cancel(ticket, at: now, into: &effects)
        keep(effects)
    }

    /// Brings a packet from the controller.
    mutating func bring(_ packet: [UInt8]) {
        var effects: [HostEngine.Effect] = []
        engine.receive(packet, at: now, into: &effects)
        keep(effects)
    }

    mutating func bring(_ text: String) { bring(octets(text)) }

    /// Brings an event; its length is put in.
    mutating func event(_ code: String, _ parameters: String) {
        let parameters = octets(parameters)
        bring([0x04] + octets(code) + [UInt8(parameters.count)] + parameters)
    }

    /// Command Complete, with one credit.
    mutating func complete(_ opcode: String, _ returnParameters: String = "00") {
        event("0E", "01" + opcode + returnParameters)
    }

    /// Command Status, with one credit.
    mutating func status(_ opcode: String, _ status: String = "00") { event("0F", status + "01" + opcode) }

    /// An L2CAP frame from the peer, in one ACL packet.
    mutating func frame(_ channel: UInt8, _ payload: String, handle: UInt8 = 0x40) {
        let payload = octets(payload)
        let frame = [UInt8(payload.count), 0x00, channel, 0x00] + payload
        bring([0x02, handle, 0x20, UInt8(frame.count), 0x00] + frame)
    }

    /// An ATT PDU from the peer.
    mutating func att(_ payload: String, handle: UInt8 = 0x40) { frame(0x04, payload, handle: handle) }

    /// Number Of Completed Packets: one packet of the connection.
    mutating func packetCompleted(handle: UInt8 = 0x40) { event("13", "01" + [handle].hexadecimal + "00 0100") }

    /// Lets time pass, deadline by deadline.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        // A deadline that stands still would be an endless loop in the program.
        for _ in 0..<10_000 {
            guard let deadline = engine.nextDeadline, deadline <= end else {
                now = end
                return
            }
            now = max(now, deadline)
            var effects: [HostEngine.Effect] = []
            engine.advance(to: now, into: &effects)
            keep(effects)
        }
    }

    mutating func endLink(_ reason: LinkEnd) {
        var effects: [HostEngine.Effect] = []
        engine.linkEnded(reason, into: &effects)
        keep(effects)
    }

    private mutating func keep(_ effects: [HostEngine.Effect]) {
        for effect in effects {
            switch effect {
            case .transmit(let packet): unseen.append(packet)
            case .answer(let ticket, let answer):
                answers[ticket] = answer
                answerCounts[ticket, default: 0] += 1
            default: others.append(effect)
            }
        }
    }

    // MARK: Outputs

    /// The packets since the last look.
    mutating func sent() -> [[UInt8]] {
        defer { unseen = [] }
        return unseen
    }

    /// The ATT PDUs since the last look, without their headers; packets of other kinds are passed over.
    mutating func attSent() -> [[UInt8]] {
        sent().filter { $0.count > 9 && $0[0] == 0x02 && $0[7] == 0x04 }.map { Array($0[9...]) }
    }

    var notes: [HostEngine.Note] {
        others.compactMap { effect in
            if case .note(let note) = effect { note } else { nil }
        }
    }

    var sightings: [Sighting] {
        others.compactMap { effect in
            if case .sighting(let sighting) = effect { sighting } else { nil }
        }
    }

    var ends: [HostError] {
        others.compactMap { effect in
            if case .failed(let error) = effect { error } else { nil }
        }
    }

    func connection(_ ticket: Ticket) -> Connection? {
        guard case .success(.connected(let connection)) = answers[ticket] else { return nil }
        return connection
    }

    func failure(_ ticket: Ticket) -> HostError? {
        guard case .failure(let error) = answers[ticket] else { return nil }
        return error
    }
}

// MARK: - The way to a host that works

/// The controller of a test: what it says of itself while it is made ready.
struct ScriptedController {
    var supportedCommands = [UInt8](repeating: 0, count: 64)
    /// LE Supported (Controller), and no BR/EDR.
    var features = "0000000060000000"
    var publicAddress = "060504030201"
    var lowEnergyBuffers = "1B0004"
    var classicBuffers = "360140 0600 0000"
    var lowEnergyFeatures = "0000000000000000"

    /// A Bluetooth 4.0 dongle.
    static let legacy = ScriptedController()

    /// Extended scanning and connecting: octet 37, bits 5 to 7, and feature bit 12. Where any command is claimed, all have to be.
    static var extended: ScriptedController {
        var controller = ScriptedController()
        // Set Event Mask, Reset; version, features, address; RSSI; LE's first commands; the parameter request's replies.
        let claims: [Int: UInt8] = [5: 0xC0, 14: 0x28, 15: 0x22, 25: 0xFF, 26: 0xFF, 27: 0xFF, 33: 0x30, 37: 0xE0]
        for (octet, bits) in claims { controller.supportedCommands[octet] = bits }
        controller.lowEnergyFeatures = "0010000000000000"
        return controller
    }

    /// The opcodes in the order in which they have to come, each with its return parameters.
    var script: [(opcode: String, answer: String)] {
        var script = [
            ("030C", "00"),
            ("0210", "00" + supportedCommands.hexadecimal),
            ("0110", "00 06 0000 06 0F00 0000"),
            ("0310", "00" + features),
            ("0910", "00" + publicAddress),
            ("0220", "00" + lowEnergyBuffers),
        ]
        if lowEnergyBuffers == "000000" { script.append(("0510", "00" + classicBuffers)) }
        script += [("0320", "00" + lowEnergyFeatures), ("010C", "00"), ("0120", "00")]
        if publicAddress == "000000000000" { script.append(("0520", "00")) }
        return script
    }
}

extension HostBench {
    /// A host that has made the controller ready.
    static func ready(_ controller: ScriptedController = .legacy, security: SecuritySetup? = nil) -> HostBench {
        var bench = HostBench(security: security)
        bench.ask(.start)
        for step in controller.script { bench.complete(step.opcode, step.answer) }
        _ = bench.sent()
        return bench
    }

    static let strap = DeviceAddress(.random, Address(rawValue: 0xF0F1_F2F3_F401))
    static let otherStrap = DeviceAddress(.random, Address(rawValue: 0xF0F1_F2F3_F402))

    /// Asks for a connection to the strap; the controller has begun.
    mutating func connect(within duration: Duration = .seconds(30)) -> Ticket {
        let ticket = ask(.connect(Self.strap, .heartRate, within: duration))
        status("0D20")
        _ = sent()
        return ticket
    }

    /// LE Connection Complete with the strap.
    mutating func connected(handle: UInt8 = 0x40, peer: String = "01F4F3F2F1F0") {
        event("3E", "01 00" + [handle].hexadecimal + "00 00 01" + peer + "2700 0000 F401 00")
    }

    /// A host connected to the strap.
    static func connected(_ controller: ScriptedController = .legacy) -> (bench: HostBench, id: ConnectionID) {
        var bench = ready(controller)
        let ticket = bench.connect()
        bench.connected()
        let id = bench.connection(ticket)?.id ?? ConnectionID(handle: ConnectionHandle(rawValue: 0xFFF), generation: 0)
        _ = bench.sent()
        return (bench, id)
    }
}
