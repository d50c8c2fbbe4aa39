public import Wire

/// All that a client sends: requests, commands and the confirmation (Core Vol 3, Part F, 3.4).
public enum ClientPDU: Hashable, Sendable {
    case exchangeMTU(ExchangeMTURequest)
    case findInformation(FindInformationRequest)
    case findByTypeValue(FindByTypeValueRequest)
    case readByType(ReadByTypeRequest)
    case read(ReadRequest)
    case readBlob(ReadBlobRequest)
    case readMultiple(ReadMultipleRequest)
    case readMultipleVariable(ReadMultipleVariableRequest)
    case readByGroupType(ReadByGroupTypeRequest)
    case write(WriteRequest)
    case prepareWrite(PrepareWriteRequest)
    case executeWrite(ExecuteWriteRequest)
    case writeCommand(WriteCommand)
    case signedWriteCommand(SignedWriteCommand)
    case confirmation(HandleValueConfirmation)
    /// A PDU of another opcode, with what follows it.
    case other(Opcode, [UInt8])
}

extension ClientPDU {
    /// Reads one PDU and tells how many octets stand behind its last field. Offsets in errors count from the opcode.
    public init(decoding octets: Span<UInt8>, trailing: inout Int) throws(WireError) {
        let opcode = try octets.attributeOpcode()
        let fields = octets.extracting(droppingFirst: 1)
        trailing = 0
        switch opcode {
        case .exchangeMTURequest: self = .exchangeMTU(try fields.parameters(&trailing))
        case .findInformationRequest: self = .findInformation(try fields.parameters(&trailing))
        case .findByTypeValueRequest: self = .findByTypeValue(try fields.parameters(&trailing))
        case .readByTypeRequest: self = .readByType(try fields.parameters(&trailing))
        case .readRequest: self = .read(try fields.parameters(&trailing))
        case .readBlobRequest: self = .readBlob(try fields.parameters(&trailing))
        case .readMultipleRequest: self = .readMultiple(try fields.parameters(&trailing))
        case .readMultipleVariableRequest: self = .readMultipleVariable(try fields.parameters(&trailing))
        case .readByGroupTypeRequest: self = .readByGroupType(try fields.parameters(&trailing))
        case .writeRequest: self = .write(try fields.parameters(&trailing))
        case .prepareWriteRequest: self = .prepareWrite(try fields.parameters(&trailing))
        case .executeWriteRequest: self = .executeWrite(try fields.parameters(&trailing))
        case .writeCommand: self = .writeCommand(try fields.parameters(&trailing))
        case .signedWriteCommand: self = .signedWriteCommand(try fields.parameters(&trailing))
        case .handleValueConfirmation: self = .confirmation(try fields.parameters(&trailing))
        default: self = .other(opcode, [UInt8](fields))
        }
    }

    /// Reads one PDU. Octets behind its last field are left alone.
    public init(decoding octets: [UInt8]) throws(WireError) {
        var trailing = 0
        try self.init(decoding: octets.span, trailing: &trailing)
    }

    /// The octet with which the PDU begins.
    public var opcode: Opcode { content.opcode }

    /// The PDU as on the wire.
    public var encoded: [UInt8] { content.encoded }

    /// The fields by name, for people.
    public var described: [DescribedField] { content.described }

    /// Writes the fields by name.
    public func describe(to writer: inout FieldWriter) { content.describe(to: &writer) }

    private var content: Content {
        switch self {
        case .exchangeMTU(let pdu): .typed(pdu)
        case .findInformation(let pdu): .typed(pdu)
        case .findByTypeValue(let pdu): .typed(pdu)
        case .readByType(let pdu): .typed(pdu)
        case .read(let pdu): .typed(pdu)
        case .readBlob(let pdu): .typed(pdu)
        case .readMultiple(let pdu): .typed(pdu)
        case .readMultipleVariable(let pdu): .typed(pdu)
        case .readByGroupType(let pdu): .typed(pdu)
        case .write(let pdu): .typed(pdu)
        case .prepareWrite(let pdu): .typed(pdu)
        case .executeWrite(let pdu): .typed(pdu)
        case .writeCommand(let pdu): .typed(pdu)
        case .signedWriteCommand(let pdu): .typed(pdu)
        case .confirmation(let pdu): .typed(pdu)
        case .other(let opcode, let octets): .other(opcode, octets)
        }
    }
}
