public import Wire

/// All that a server sends: responses, notifications and indications (Core Vol 3, Part F, 3.4).
public enum ServerPDU: Hashable, Sendable {
    case error(ErrorResponse)
    case exchangeMTU(ExchangeMTUResponse)
    case findInformation(FindInformationResponse)
    case findByTypeValue(FindByTypeValueResponse)
    case readByType(ReadByTypeResponse)
    case read(ReadResponse)
    case readBlob(ReadBlobResponse)
    case readMultiple(ReadMultipleResponse)
    case readMultipleVariable(ReadMultipleVariableResponse)
    case readByGroupType(ReadByGroupTypeResponse)
    case write(WriteResponse)
    case prepareWrite(PrepareWriteResponse)
    case executeWrite(ExecuteWriteResponse)
    case notification(HandleValueNotification)
    case multipleNotification(MultipleHandleValueNotification)
    case indication(HandleValueIndication)
    /// A PDU of another opcode, with what follows it.
    case other(Opcode, [UInt8])
}

extension ServerPDU {
    /// Reads one PDU and tells how many octets stand behind its last field. Offsets in errors count from the opcode.
    public init(decoding octets: Span<UInt8>, trailing: inout Int) throws(WireError) {
        let opcode = try octets.attributeOpcode()
        let fields = octets.extracting(droppingFirst: 1)
        trailing = 0
        switch opcode {
        case .errorResponse: self = .error(try fields.parameters(&trailing))
        case .exchangeMTUResponse: self = .exchangeMTU(try fields.parameters(&trailing))
        case .findInformationResponse: self = .findInformation(try fields.parameters(&trailing))
        case .findByTypeValueResponse: self = .findByTypeValue(try fields.parameters(&trailing))
        case .readByTypeResponse: self = .readByType(try fields.parameters(&trailing))
        case .readResponse: self = .read(try fields.parameters(&trailing))
        case .readBlobResponse: self = .readBlob(try fields.parameters(&trailing))
        case .readMultipleResponse: self = .readMultiple(try fields.parameters(&trailing))
        case .readMultipleVariableResponse: self = .readMultipleVariable(try fields.parameters(&trailing))
        case .readByGroupTypeResponse: self = .readByGroupType(try fields.parameters(&trailing))
        case .writeResponse: self = .write(try fields.parameters(&trailing))
        case .prepareWriteResponse: self = .prepareWrite(try fields.parameters(&trailing))
        case .executeWriteResponse: self = .executeWrite(try fields.parameters(&trailing))
        case .handleValueNotification: self = .notification(try fields.parameters(&trailing))
        case .multipleHandleValueNotification: self = .multipleNotification(try fields.parameters(&trailing))
        case .handleValueIndication: self = .indication(try fields.parameters(&trailing))
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
        case .error(let pdu): .typed(pdu)
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
        case .notification(let pdu): .typed(pdu)
        case .multipleNotification(let pdu): .typed(pdu)
        case .indication(let pdu): .typed(pdu)
        case .other(let opcode, let octets): .other(opcode, octets)
        }
    }
}
