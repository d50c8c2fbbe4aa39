import Cryptography
import GAP
import HCI
import SMP
import Simulator
import Wire

@testable import Host

/// The host and the simulated world face to face, on a clock that jumps from deadline to deadline. No thread, no waiting: the same
/// scenario, seed and requests play the same again.
struct Stage {
    var engine: HostEngine
    var world: SimulatedWorld
    /// Who is asked; nobody is there where the policy promises none.
    var user = HostUser(screen: HostScreen())
    let toolbox = LibcryptoToolbox()
    private(set) var now = Moment(nanoseconds: 7_000_000_000)
    private(set) var answers: [Ticket: Result<HostEngine.Answer, HostError>] = [:]
    private var tickets: UInt64 = 0

    private(set) var notes: [HostEngine.Note] = []
    private(set) var sightings: [Sighting] = []
    /// Whether values are kept, besides being counted.
    var keepsValues = true
    private(set) var valueCount = 0
    private(set) var values: [(source: HostEngine.Source, value: [UInt8])] = []
    private(set) var endings: [(id: ConnectionID, status: Status)] = []
    private(set) var ends: [HostError] = []
    private(set) var questions: [PairingQuestion] = []
    private(set) var bonds: [Bond] = []
    /// The ATT requests that the host sent, oldest first.
    private(set) var requests: [[UInt8]] = []
    /// The same by their opcodes, with `Stage.encryption` where it had the link encrypted, and `Stage.pairing` where it asked to pair.
    private(set) var course: [UInt8] = []
    /// The connections as they were made.
    private(set) var connections: [Connection] = []
    /// What both sides counted differently, first of all.
    private(set) var miscounts: [String] = []

    /// - Parameter adjust: changes how the host pairs: by default without a user, with anybody
    init(_ scenario: Scenario, seed: UInt64 = 1, _ adjust: (inout SecuritySetup) -> Void = { _ in }) {
        world = SimulatedWorld(scenario, seed: seed, toolbox: SeededToolbox(seed: seed), screen: user.screen)
        var security = SecuritySetup(toolbox: SeededToolbox(seed: seed + 1_000_000))
        adjust(&security)
        engine = HostEngine(configuration: .init(), security: security)
    }

    /// Forgets what was sent.
    mutating func beginCourse() { course = [] }

    /// Begins anew with another host, which knows the bonds of the one before; the world goes on.
    mutating func restartHost(_ adjust: (inout SecuritySetup) -> Void = { _ in }) {
        var security = SecuritySetup(toolbox: SeededToolbox(seed: 2_000_000))
        security.bonds = KnownBonds(ownKey: engine.ownKey, bonds: engine.identities.all)
        adjust(&security)
        engine = HostEngine(configuration: .init(), security: security)
        answers = [:]
        endings = []
        tickets = 0
    }

    // MARK: Asking

    @discardableResult
    mutating func ask(_ request: HostEngine.Request) -> Ticket {
        tickets += 1
        let ticket = Ticket(rawValue: tickets)
        drive { [now] engine, effects in engine.request(request, ticket: ticket, at: now, into: &effects) }
        return ticket
    }

    /// Asks and lets time pass until the answer is there; `nil` when there is none in time.
    mutating func answer(
        to request: HostEngine.Request, within limit: Duration = .seconds(120)
    ) -> Result<HostEngine.Answer, HostError>? {
        let ticket = ask(request)
        let end = now + limit
        while answers[ticket] == nil, ends.isEmpty, step(until: end) {}
        return answers[ticket]
    }

    // MARK: Time

    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while step(until: end) {}
    }

    /// Lets time pass until something is so; answers whether it is.
    mutating func pass(until isSo: (Stage) -> Bool, within limit: Duration = .seconds(600)) -> Bool {
        let end = now + limit
        while !isSo(self) {
            guard step(until: end) else { return isSo(self) }
        }
        return true
    }

    /// Goes to the next deadline. Answers whether there was one before `end`.
    private mutating func step(until end: Moment) -> Bool {
        let deadlines = [world.nextDeadline, engine.nextDeadline].compactMap(\.self)
        guard let next = deadlines.min(), next <= end else {
            now = max(now, end)
            return false
        }
        now = max(now, next)
        var packets: [[UInt8]] = []
        world.advance(to: now, into: &packets)
        deliver(packets)
        if let deadline = engine.nextDeadline, deadline <= now {
            drive { [now] engine, effects in engine.advance(to: now, into: &effects) }
        }
        compareBuffers()
        return true
    }

    // MARK: Between the two

    private mutating func drive(_ input: (inout HostEngine, inout [HostEngine.Effect]) -> Void) {
        var effects: [HostEngine.Effect] = []
        input(&engine, &effects)
        for effect in effects { carryOut(effect) }
    }

    private mutating func deliver(_ packets: [[UInt8]]) {
        for packet in packets {
            drive { [now] engine, effects in engine.receive(packet, at: now, into: &effects) }
        }
    }

    private mutating func carryOut(_ effect: HostEngine.Effect) {
        switch effect {
        case .transmit(let packet):
            note(request: packet)
            var output: [[UInt8]] = []
            world.receive(packet, at: now, into: &output)
            deliver(output)
        case .answer(let ticket, let answer):
            if case .success(.connected(let connection)) = answer { connections.append(connection) }
            if answers.updateValue(answer, forKey: ticket) != nil { miscounts.append("ticket \(ticket.rawValue)") }
        case .sighting(let sighting):
            if sightings.count < 10_000 { sightings.append(sighting) }
        case .notification(let source, let value, _):
            valueCount += 1
            if keepsValues { values.append((source, value)) }
        case .disconnected(let id, let status): endings.append((id, status))
        case .note(let note): notes.append(note)
        case .failed(let error): ends.append(error)
        case .ask(let id, _, let question):
            questions.append(question)
            ask(.answerPairing(id, question, user.reply(to: question)))
        case .show(_, _, let passkey): user.screen.passkey = passkey
        case .withdraw: user.screen.passkey = nil
        case .bonded(_, let bond, _, _): bonds.append(bond)
        case .scanEnded, .notifying, .connectionChanged, .serviceChanged, .subscriptionEnded, .notBonded: break
        }
    }

    static let encryption: UInt8 = 0xFE
    static let pairing: UInt8 = 0xFF

    /// Keeps the packet where it begins an ATT request: all fit into one packet.
    private mutating func note(request packet: [UInt8]) {
        if packet.starts(with: [0x01, 0x19, 0x20]) { course.append(Self.encryption) }
        if packet.count > 9, packet[7...9] == [0x06, 0x00, 0x01] { course.append(Self.pairing) }
        guard packet.count > 9, packet[0] == 0x02, packet[2] & 0x30 == 0, packet[7...8] == [0x04, 0x00] else { return }
        let responses: Set<UInt8> = [0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20]
        if responses.contains(packet[9]) {
            requests.append(Array(packet[9...]))
            course.append(packet[9])
        }
    }

    /// Both count the same packets in the controller's buffers, always.
    private mutating func compareBuffers() {
        guard let buffers = engine.data.buffers, miscounts.count < 10 else { return }
        let inUse = buffers.count - engine.data.available
        if inUse != world.buffersInUse {
            miscounts.append(
                "\(now): \(inUse) of the host's packets in the buffers, the controller says \(world.buffersInUse)")
        }
    }
}

// MARK: - Usual steps

extension Stage {
    /// What became of an attempt to get a strap's heart rate.
    enum Outcome: Hashable {
        case subscribed(ConnectionID)
        case failed(HostError)
    }

    /// Starts the host.
    mutating func start() -> HostError? {
        if case .success = answer(to: .start) { return nil }
        return ends.first ?? .cancelled
    }

    /// The address under which the first strap is heard, now.
    mutating func findStrap() -> DeviceAddress? {
        let before = sightings.count
        guard case .success = answer(to: .scan(isActive: true)) else { return nil }
        let isHeard = pass(until: { $0.sightings.count > before }, within: .seconds(30))
        guard case .success = answer(to: .stopScanning), isHeard else { return nil }
        return sightings[before].advertisement.advertiser
    }

    /// Connects and subscribes, once.
    mutating func subscribe(to target: DeviceAddress, within limit: Duration = .seconds(30)) -> Outcome {
        switch answer(to: .connect(target, .heartRate, within: limit)) {
        case .success(.connected(let connection)):
            return subscribe(on: connection.id)
        case .failure(let error): return .failed(error)
        default: return .failed(ends.first ?? .cancelled)
        }
    }

    mutating func subscribe(on id: ConnectionID) -> Outcome {
        switch answer(to: .gatt(id, .subscribe(service: 0x180D, characteristic: 0x2A37))) {
        case .success(.subscribed): return .subscribed(id)
        case .failure(let error): return .failed(error)
        default: return .failed(ends.first ?? .cancelled)
        }
    }

    func ending(of id: ConnectionID) -> Status? { endings.first { $0.id == id }?.status }

    /// Stops the host and tells what is left over on either side.
    mutating func remains() -> [String] {
        var remains = miscounts
        if ends.isEmpty {
            if answer(to: .stop) != .success(.done) { remains.append("stop was not answered") }
            if !world.connections.isEmpty { remains.append("connections \(world.connections)") }
            if world.isScanning || world.isInitiating { remains.append("the controller scans or initiates") }
            if world.buffersInUse != 0 { remains.append("\(world.buffersInUse) buffers in use") }
        }
        if !engine.links.isEmpty { remains.append("links") }
        if engine.nextDeadline != nil { remains.append("a deadline") }
        let open = (1...tickets).map(Ticket.init).filter { answers[$0] == nil }
        if ends.isEmpty, !open.isEmpty { remains.append("unanswered: \(open.map(\.rawValue))") }
        return remains
    }
}
