public import Wire

/// A packet for people: its name, and its fields as far as they could be read.
public struct DescribedPacket: Hashable, Sendable {
    /// The specification's name; for an LE event the sub-event's.
    public var name: String
    public var fields: [DescribedField]
    /// Where the packet was cut short or made no sense. Offsets count from the parameters or the payload.
    public var error: WireError?
    /// Octets behind the last field.
    public var trailing: Int
}

extension Packet {
    /// The packet for people. Parameters that have no type here are one field of octets.
    public var described: DescribedPacket {
        switch self {
        case .command(let opcode, let parameters):
            DescribedPacket(opcode.description, Packet.dissect(parametersOf: opcode, parameters.span))
        case .event(.leMeta, let parameters):
            Packet.describe(leEvent: parameters)
        case .event(.commandComplete, let parameters):
            DescribedPacket(EventCode.commandComplete.description, Packet.dissect(commandComplete: parameters))
        case .event(let code, let parameters):
            DescribedPacket(
                code.description,
                KnownPackets.eventsByCode[code].map { $0.dissect(parameters.span) }
                    ?? .octets("Event_Parameters", parameters))
        case .acl(let packet): DescribedPacket(type.description, DissectedFields(fields: packet.described))
        case .synchronous(let packet): DescribedPacket(type.description, DissectedFields(fields: packet.described))
        case .iso(let packet): DescribedPacket(type.description, DissectedFields(fields: packet.described))
        case .other(let type, let octets): DescribedPacket("Unknown packet type \(type)", .octets("Octets", octets))
        }
    }

    private static func dissect(parametersOf opcode: Opcode, _ parameters: Span<UInt8>) -> DissectedFields {
        guard let command = KnownPackets.commandsByOpcode[opcode] else {
            return .octets("Parameters", [UInt8](parameters))
        }
        return command.dissect(parameters)
    }

    private static func describe(leEvent parameters: [UInt8]) -> DescribedPacket {
        var described = LEMeta.dissect(parameters.span)
        guard let code = parameters.first else { return DescribedPacket(EventCode.leMeta.description, described) }
        let subevent = LESubevent(rawValue: code)
        let rest = parameters.span.extracting(1..<parameters.count)
        // LE Scan Timeout has nothing behind its code.
        if let event = KnownPackets.leEventsBySubevent[subevent] {
            described.append(event.dissect(rest), at: 1)
        } else if !rest.isEmpty {
            described.append(.octets("Parameters", [UInt8](rest)), at: 1)
        }
        return DescribedPacket(subevent.name ?? "LE Meta sub-event \(subevent)", described)
    }

    private static func dissect(commandComplete parameters: [UInt8]) -> DissectedFields {
        var described = CommandComplete.dissect(parameters.span)
        guard described.error == nil, let event = try? CommandComplete(decoding: parameters.span),
            let command = KnownPackets.commandsByOpcode[event.opcode]
        else { return described }
        described.fields.removeLast()
        described.append(dissect(returnParametersOf: command, event.returnParameters.span), at: 3)
        return described
    }

    private static func dissect<Known: Command>(
        returnParametersOf command: Known.Type, _ octets: Span<UInt8>
    ) -> DissectedFields {
        // A refusal may leave out all but the status.
        if octets.count == 1, octets[0] != Status.success.rawValue { return StatusReturn.dissect(octets) }
        return Known.ReturnParameters.dissect(octets)
    }
}

extension DescribedPacket {
    fileprivate init(_ name: String, _ dissected: DissectedFields) {
        self.init(name: name, fields: dissected.fields, error: dissected.error, trailing: dissected.trailing)
    }
}

extension DissectedFields {
    fileprivate static func octets(_ name: String, _ octets: [UInt8]) -> DissectedFields {
        DissectedFields(fields: octets.isEmpty ? [] : [DescribedField(name: name, text: octets.hexadecimal)])
    }

    /// Adds the fields of what begins `offset` octets further on.
    fileprivate mutating func append(_ inner: DissectedFields, at offset: Int) {
        fields += inner.fields
        error = inner.error?.shifted(by: offset)
        trailing = inner.trailing
    }
}
