import Wire

/// What a PDU of either direction holds: typed, or as octets where its opcode is another.
enum Content {
    case typed(any PDU)
    case other(Opcode, [UInt8])

    var opcode: Opcode {
        switch self {
        case .typed(let pdu): type(of: pdu).opcode
        case .other(let opcode, _): opcode
        }
    }

    var encoded: [UInt8] {
        switch self {
        case .typed(let pdu): pdu.octets
        case .other(let opcode, let octets): [opcode.rawValue] + octets
        }
    }

    var described: [DescribedField] {
        var writer = FieldWriter(.tree)
        describe(to: &writer)
        return writer.tree
    }

    func describe(to writer: inout FieldWriter) {
        switch self {
        case .typed(let pdu): pdu.describe(to: &writer)
        case .other(_, let octets): writer.field("Parameters") { $0.octets.append(lowerHexadecimal: octets) }
        }
    }
}
