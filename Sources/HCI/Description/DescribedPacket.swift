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
        var writer = FieldWriter(.tree)
        let end = describe(to: &writer)
        return DescribedPacket(name: name, fields: writer.tree, error: end.error, trailing: end.trailing)
    }

    /// The specification's name; of an LE event the sub-event's.
    public var name: String {
        switch self {
        case .command(let opcode, _): opcode.description
        case .event(.leMeta, let parameters):
            parameters.first.map { code in
                let subevent = LESubevent(rawValue: code)
                return subevent.name ?? "LE Meta sub-event \(subevent)"
            } ?? EventCode.leMeta.description
        case .event(let code, _): code.description
        case .acl, .synchronous, .iso: type.description
        case .other(let type, _): "Unknown packet type \(type)"
        }
    }

    /// Writes the packet's fields, as far as they can be read. Parameters that have no type here are one field of octets.
    ///
    /// - Returns: how the reading ended; offsets count from the parameters or the payload
    @discardableResult
    public func describe(to writer: inout FieldWriter) -> DissectionEnd {
        switch self {
        case .command(let opcode, let parameters):
            return KnownPackets.commandsByOpcode[opcode]?.dissect(parameters.span, to: &writer)
                ?? writer.octets("Parameters", parameters)
        case .event(.leMeta, let parameters): return Self.describe(leEvent: parameters, to: &writer)
        case .event(.commandComplete, let parameters):
            return Self.describe(commandComplete: parameters.span, to: &writer)
        case .event(let code, let parameters):
            return KnownPackets.eventsByCode[code]?.dissect(parameters.span, to: &writer)
                ?? writer.octets("Event_Parameters", parameters)
        case .acl(let packet): packet.describe(to: &writer)
        case .synchronous(let packet): packet.describe(to: &writer)
        case .iso(let packet): packet.describe(to: &writer)
        case .other(_, let octets): return writer.octets("Octets", octets)
        }
        return DissectionEnd()
    }

    private static func describe(leEvent parameters: [UInt8], to writer: inout FieldWriter) -> DissectionEnd {
        let meta = LEMeta.dissect(parameters.span, to: &writer)
        guard let code = parameters.first else { return meta }
        let rest = parameters.span.extracting(1..<parameters.count)
        guard let event = KnownPackets.leEventsBySubevent[LESubevent(rawValue: code)] else {
            // LE Scan Timeout has nothing behind its code.
            return writer.octets("Parameters", [UInt8](rest))
        }
        return event.dissect(rest, to: &writer).shifted(by: 1)
    }

    private static func describe(
        commandComplete parameters: Span<UInt8>, to writer: inout FieldWriter
    ) -> DissectionEnd {
        let head = CommandCompleteHead.dissect(parameters, to: &writer)
        guard head.error == nil, let opcode = try? CommandCompleteHead(decoding: parameters).opcode else { return head }
        let rest = parameters.extracting(droppingFirst: CommandCompleteHead.count)
        if let command = KnownPackets.commandsByOpcode[opcode] {
            return dissect(returnParametersOf: command, rest, to: &writer).shifted(by: CommandCompleteHead.count)
        }
        // Every command of the specification returns a status first, and nearly all of the makers' own do.
        guard !rest.isEmpty, opcode != .none else { return DissectionEnd() }
        StatusReturn.dissect(rest, to: &writer)
        return writer.octets("Return_Parameters", [UInt8](rest.extracting(droppingFirst: 1)))
    }

    private static func dissect<Known: Command>(
        returnParametersOf command: Known.Type, _ octets: Span<UInt8>, to writer: inout FieldWriter
    ) -> DissectionEnd {
        // A refusal may leave out all but the status.
        if octets.count == 1, octets[0] != Status.success.rawValue { return StatusReturn.dissect(octets, to: &writer) }
        return Known.ReturnParameters.dissect(octets, to: &writer)
    }
}

extension FieldWriter {
    /// Octets without a known form; none are no field.
    fileprivate mutating func octets(_ name: StaticString, _ octets: [UInt8]) -> DissectionEnd {
        if !octets.isEmpty { field(name) { $0.octets.append(lowerHexadecimal: octets) } }
        return DissectionEnd()
    }
}

extension DissectionEnd {
    /// The same for a packet that begins `offset` octets earlier.
    fileprivate func shifted(by offset: Int) -> DissectionEnd {
        DissectionEnd(error: error?.shifted(by: offset), trailing: trailing)
    }
}
