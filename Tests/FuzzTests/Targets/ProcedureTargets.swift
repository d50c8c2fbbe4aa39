import ATT
import GATT
import Wire

extension FuzzTarget {
    /// Discovery of a whole database from a server that answers anything: it ends, within its bound.
    static let discovery = FuzzTarget(name: "discovery") { octets in
        try play(DiscoverAll(), against: octets, limit: DiscoverAll.requestLimit)
    }

    /// The way to a subscription, and the reading of a value, from such a server.
    static let subscribing = FuzzTarget(name: "subscribing") { octets in
        try play(FindNotifyingCharacteristic(0x2A37, in: 0x180D), against: octets, limit: 3 * 4096)
        try play(ReadValue(0x0010, mtu: 23), against: octets, limit: 4096)
        try play(ReadByUUID(0x2A19), against: octets, limit: 4096)
    }

    /// Reading and writing of all kinds, with such a server, and what its descriptors say.
    static let values = FuzzTarget(name: "values") { octets in
        let answers = octets.dropFirst(2)
        let handles = (1...UInt16(1 + (octets.first ?? 0) % 20)).map { Handle($0) }
        let mtu = 23 + Int(octets.dropFirst().first ?? 0)
        try play(ReadByType(0x2A19, mtu: mtu), against: Array(answers), limit: 4096)
        try play(ReadEveryValue(handles, mtu: mtu), against: Array(answers), limit: 4096)
        try play(DiscoverIncludedServices(in: .all), against: Array(answers), limit: 4096)
        let value = [UInt8](repeating: 7, count: 512)
        try play(WriteParts(value, to: 0x0010, mtu: mtu), against: Array(answers), limit: 512)
        let targets = handles.map { WriteParts.Target(Array(value.prefix(40)), to: $0) }
        try play(WriteParts(reliably: targets, mtu: mtu), against: Array(answers), limit: 512)
        _ = try? PresentationFormat(decoding: octets.span)
        _ = try? AggregateFormat(decoding: octets.span)
        _ = try? ExtendedProperties(decoding: octets.span)
        _ = HandleRange(serviceChanged: octets)
    }

    /// The proof of handles that are known from before, and the learning of what keeps them true.
    static let knownHandles = FuzzTarget(name: "known-handles") { octets in
        let characteristic = NotifyingCharacteristic(
            service: HandleRange(0x0010, 0x0016), uuid: 0x2A37, valueHandle: 0x0012, properties: [.notify],
            configurationHandle: 0x0013, configuration: .notifications)
        let known = KnownHandles(
            service: 0x180D, characteristic: characteristic, hasServiceChanged: true,
            databaseHash: [UInt8](repeating: 7, count: KnownHandles.hashCount), learnt: Timestamp(microseconds: 0))
        try play(ProveHandles(known), against: octets, limit: 2)
        try play(LearnCaching(characteristic), against: octets, limit: 64)
    }

    /// Our own server, asked anything: it answers each request once, and no answer is longer than agreed.
    static let server = FuzzTarget(name: "server") { octets in
        var choices = Choices(octets)
        var server = Server(smallTable)
        var now = Moment.zero
        while !choices.isEmpty {
            let input: Server.Input
            switch choices.octet() % 6 {
            case 0: input = .update(Handle(UInt16(choices.octet() % 16)), choices.piece())
            case 1:
                now = now + .seconds(Int64(choices.octet()))
                input = .wake
            case 2: input = .decided(choices.octet() & 1 == 0 ? nil : ErrorCode(rawValue: choices.octet()))
            default: input = .received(choices.piece())
            }
            var effects: [Server.Effect] = []
            server.handle(input, at: now, into: &effects)
            for case .transmit(let pdu) in effects {
                try promise(!pdu.isEmpty && pdu.count <= server.mtu, "no PDU beyond the MTU: \(pdu.count) octets")
            }
        }
    }

    /// Runs a procedure. The input is what the server answers: each time a length and a PDU; at its end an error for ever.
    private static func play(_ procedure: some Procedure, against octets: [UInt8], limit: Int) throws {
        var procedure = procedure
        var choices = Choices(octets)
        var requests = 0
        var step = procedure.start()
        while case .request(let request) = step {
            requests += 1
            try promise(requests <= limit + 1, "a procedure ends: \(requests) requests")
            step = procedure.receive(answer(to: request, from: &choices))
        }
    }

    private static func answer(to request: ClientPDU, from choices: inout Choices) -> Result<ServerPDU, BearerError> {
        let refusal = BearerError.refused(request: request.opcode, handle: .none, code: .attributeNotFound)
        guard !choices.isEmpty else { return .failure(refusal) }
        let pdu = choices.piece()
        do throws(WireError) {
            return .success(try ServerPDU(decoding: pdu))
        } catch {
            let kind = choices.octet()
            return .failure(kind & 1 == 0 ? refusal : .malformed(response: request.opcode, error))
        }
    }

    private static let smallTable = AttributeTable([
        ServiceDefinition(
            0x1800, [CharacteristicDefinition(0x2A00, [.read, .write], value: [0x41], longestValue: 64)]),
        ServiceDefinition(
            0x180D, includes: [0],
            [
                CharacteristicDefinition(0x2A37, [.notify, .indicate]),
                CharacteristicDefinition(0x2A39, [.write, .writeWithoutResponse], asksOwner: true),
            ]),
    ])
}
