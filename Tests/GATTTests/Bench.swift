import ATT
import GATT
import TestSupport
import Testing
import Wire

/// A peer: what it answers to a request.
protocol Peer {
    mutating func answer(_ request: [UInt8]) -> [UInt8]?
}

/// Answers as a published exchange says, and records each request that is not the expected one.
struct ScriptedPeer: Peer {
    private var exchanges: ArraySlice<(request: [UInt8], response: [UInt8])>
    private(set) var surprises: [String] = []

    /// - Parameter script: lines of requests, each behind `>`, and responses, each behind `<`
    init(_ script: String) {
        let parts = script.split(whereSeparator: { ">".contains($0) }).map { $0.split(separator: "<", maxSplits: 1) }
        exchanges = parts.filter { $0.count == 2 }.map { (octets(String($0[0])), octets(String($0[1]))) }[...]
    }

    mutating func answer(_ request: [UInt8]) -> [UInt8]? {
        guard let next = exchanges.popFirst() else {
            surprises.append("unexpected \(request.hexadecimal)")
            return nil
        }
        if next.request != request { surprises.append("\(request.hexadecimal) for \(next.request.hexadecimal)") }
        return next.response
    }

    var isFinished: Bool { exchanges.isEmpty && surprises.isEmpty }
}

/// Answers by a rule.
struct RulePeer: Peer {
    let rule: (_ request: [UInt8], _ count: Int) -> [UInt8]?
    private var count = 0

    init(_ rule: @escaping (_ request: [UInt8], _ count: Int) -> [UInt8]?) { self.rule = rule }

    /// The same to every request.
    init(always hex: String) { self.init { _, _ in octets(hex) } }

    mutating func answer(_ request: [UInt8]) -> [UInt8]? {
        defer { count += 1 }
        return rule(request, count)
    }
}

/// Our own server.
struct ServerPeer: Peer {
    var server: Server
    /// What the server told its owner.
    var told: [Server.Effect] = []
    /// What the owner says to writes it is asked about.
    var decision: ErrorCode?

    init(_ definitions: [ServiceDefinition], receiveMTU: UInt16 = 517) {
        server = Server(AttributeTable(definitions), receiveMTU: receiveMTU)
    }

    mutating func answer(_ request: [UInt8]) -> [UInt8]? {
        var effects: [Server.Effect] = []
        server.handle(.received(request), at: .zero, into: &effects)
        if effects.contains(where: { if case .askedToWrite = $0 { true } else { false } }) {
            server.handle(.decided(decision), at: .zero, into: &effects)
        }
        told += effects
        for case .transmit(let octets) in effects { return octets }
        return nil
    }
}

/// How a procedure went with a peer.
struct Run<Output: Sendable> {
    var result: Result<Output, GATTError>?
    /// The requests in the order sent, in hexadecimal.
    var requests: [String] = []
}

/// Carries a procedure through over a bearer. Silence of the peer lasts 30 s.
func run<P: Procedure>(_ procedure: P, with peer: inout some Peer, limit: Int = 10_000) -> Run<P.Output> {
    var procedure = procedure
    var bearer = Bearer()
    var outcome = Run<P.Output>()
    var step = procedure.start()
    while case .request(let pdu) = step, outcome.requests.count < limit {
        var effects: [Bearer.Effect] = []
        bearer.handle(.request(pdu, Bearer.Ticket(1)), at: .zero, into: &effects)
        for case .transmit(let octets) in effects {
            outcome.requests.append(octets.hexadecimal)
            if let answer = peer.answer(octets) { bearer.handle(.received(answer), at: .zero, into: &effects) }
        }
        bearer.handle(.wake, at: .zero + .seconds(30), into: &effects)
        for case .completed(_, let result) in effects { step = procedure.receive(result) }
    }
    if case .finished(let result) = step { outcome.result = result }
    return outcome
}

func run<P: Procedure>(_ procedure: P, with peer: some Peer, limit: Int = 10_000) -> Run<P.Output> {
    var peer = peer
    return run(procedure, with: &peer, limit: limit)
}

extension Result where Failure == GATTError {
    /// What went wrong.
    var error: GATTError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    var value: Success? { try? get() }
}

/// A heart-rate strap as most are built.
let strapDefinitions: [ServiceDefinition] = [
    ServiceDefinition(
        .genericAccess,
        [
            CharacteristicDefinition(.deviceName, .read, value: Array("Strap".utf8)),
            CharacteristicDefinition(.appearance, .read, value: [0x41, 0x03]),
        ]),
    ServiceDefinition(.genericAttribute, [CharacteristicDefinition(.serviceChanged, .indicate)]),
    ServiceDefinition(
        .heartRate,
        [
            CharacteristicDefinition(.heartRateMeasurement, .notify),
            CharacteristicDefinition(.bodySensorLocation, .read, value: [0x01]),
            CharacteristicDefinition(.heartRateControlPoint, .write, asksOwner: true, longestValue: 1),
        ]),
    ServiceDefinition(.battery, [CharacteristicDefinition(.batteryLevel, [.read, .notify], value: [87])]),
]
