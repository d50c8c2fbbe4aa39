import ATT
import GATT
import L2CAP
import SMP
import Wire

/// One connection's course of a misconduct: how often each occasion came, and when the next outburst is due.
struct Offender: Hashable, Sendable {
    private let rules: [Misconduct.Rule]
    private var counts: [Int]
    private var outbursts: [Awaited]
    /// What was said first of each kind on the Security Manager's channel.
    private var said: [PairingCode: [UInt8]] = [:]

    /// An outburst and when it comes; `nil` before its time is counted, and after the last.
    private struct Awaited: Hashable {
        var outburst: Misconduct.Outburst
        var due: Moment?
    }

    /// - Parameter connection: the connection's number, from 1
    init(_ misconduct: Misconduct, connection: Int, at now: Moment) {
        rules = misconduct.rules.filter { $0.connections.contains(connection) }
        counts = rules.map { _ in 0 }
        outbursts = misconduct.outbursts.map { outburst in
            Awaited(outburst: outburst, due: outburst.beginning == .connection ? now + outburst.delay : nil)
        }
    }

    /// What to do on an occasion instead of what is right; `nil` where that is to be done.
    mutating func acts(on pdu: [UInt8]) -> [Misconduct.Act]? {
        let opcode = Opcode(pdu.first ?? 0)
        return acts { $0 == .pdu(opcode) || $0 == .anyRequest && opcode.kind == .request }
    }

    /// The same for a measurement that is due.
    mutating func actsOnMeasurement() -> [Misconduct.Act]? { acts { $0 == .measurement } }

    /// The same for a PDU on the Security Manager's channel.
    mutating func acts(onPairing code: PairingCode) -> [Misconduct.Act]? { acts { $0 == .pairing(code) } }

    /// The same for a PDU that is to be said there.
    mutating func acts(saying code: PairingCode, _ payload: [UInt8]) -> [Misconduct.Act]? {
        if said[code] == nil { said[code] = payload }
        return acts { $0 == .saying(code) }
    }

    /// The same where the link layer wants a key.
    mutating func actsOnKeyRequest() -> [Misconduct.Act]? { acts { $0 == .keyRequest } }

    /// What was said first of a kind.
    func first(_ code: PairingCode) -> [UInt8]? { said[code] }

    private mutating func acts(_ fits: (Misconduct.Occasion) -> Bool) -> [Misconduct.Act]? {
        var acts: [Misconduct.Act]?
        for (index, rule) in rules.enumerated() where fits(rule.occasion) {
            counts[index] += 1
            if acts == nil, rule.turns.contains(counts[index]) { acts = rule.acts }
        }
        return acts
    }

    // MARK: Time

    mutating func subscribed(at now: Moment) {
        for index in outbursts.indices where outbursts[index].outburst.beginning == .subscription {
            outbursts[index].outburst.beginning = .connection
            outbursts[index].due = now + outbursts[index].outburst.delay
        }
    }

    var nextDeadline: Moment? {
        var earliest = Earliest(nil)
        for awaited in outbursts { earliest.consider(awaited.due) }
        return earliest.moment
    }

    /// What is due by `now`.
    mutating func outbursts(upTo now: Moment) -> [Misconduct.Act] {
        var acts: [Misconduct.Act] = []
        for (index, awaited) in outbursts.enumerated() {
            guard let due = awaited.due, due <= now else { continue }
            acts += awaited.outburst.acts
            // Never so short that time would stand still.
            outbursts[index].due = awaited.outburst.period.map { max(due + max($0, .milliseconds(1)), now) }
        }
        return acts
    }
}

// MARK: - Carrying out

extension Misconduct.Act {
    /// What the act comes to.
    ///
    /// - Parameters:
    ///   - request: what is answered, if anything
    ///   - proper: what the strap would have done
    func effects(
        answering request: [UInt8] = [], with proper: [StrapEffect] = [], by table: AttributeTable,
        _ offender: Offender
    ) -> [StrapEffect] {
        switch self {
        case .answer(let change):
            proper.map { change.applied(to: $0) }
        case .pdu(let parts):
            [.send(BasicFrame(channel: .attribute, payload: parts.flatMap { $0.octets(request, table) }).encoded)]
        case .pairing(let parts):
            [.send(BasicFrame(channel: .securityManager, payload: parts.flatMap { $0.octets(request, table) }).encoded)]
        case .again(let code):
            offender.first(code).map { [.send(BasicFrame(channel: .securityManager, payload: $0).encoded)] } ?? []
        case .key(let key):
            [.provide(key)]
        case .frame(let channel, let payload):
            [.send(BasicFrame(channel: channel, payload: payload).encoded)]
        case .leave(let reason):
            [.leave(reason)]
        case .vanish:
            [.vanish(isEstablished: true)]
        }
    }

    var endsTheLink: Bool {
        switch self {
        case .leave, .vanish: true
        case .answer, .pdu, .pairing, .again, .key, .frame: false
        }
    }
}

extension Misconduct.Change {
    fileprivate func applied(to effect: StrapEffect) -> StrapEffect {
        guard case .send(let octets) = effect, let frame = try? BasicFrame(decoding: octets) else { return effect }
        return .send(BasicFrame(channel: frame.channel, payload: applied(to: frame.payload)).encoded)
    }

    private func applied(to pdu: [UInt8]) -> [UInt8] {
        switch self {
        case .none: pdu
        case .overwritten(let place, let octets):
            Array(pdu.prefix(place) + octets + pdu.dropFirst(place + octets.count))
        case .followed(let octets): pdu + octets
        case .cut(let count): Array(pdu.prefix(count))
        case .renamed(let opcode): [opcode.rawValue] + pdu.dropFirst()
        }
    }
}

extension Misconduct.Part {
    fileprivate func octets(_ request: [UInt8], _ table: AttributeTable) -> [UInt8] {
        switch self {
        case .octets(let octets): return octets
        case .ofRequest(let place, let count): return Array(request.dropFirst(place).prefix(count))
        case .valueHandle(let uuid, let distance):
            let handle = Int((table.valueHandle(of: uuid) ?? .none).rawValue) + distance
            var octets: [UInt8] = []
            octets.append(littleEndian: UInt16(clamping: handle))
            return octets
        }
    }
}
