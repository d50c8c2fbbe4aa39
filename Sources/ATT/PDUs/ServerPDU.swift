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
        case ErrorResponse.opcode: self = .error(try ErrorResponse(parameters: fields, trailing: &trailing))
        case ExchangeMTUResponse.opcode: self = .exchangeMTU(try ExchangeMTUResponse(parameters: fields, trailing: &trailing))
        case FindInformationResponse.opcode: self = .findInformation(try FindInformationResponse(parameters: fields, trailing: &trailing))
        case FindByTypeValueResponse.opcode: self = .findByTypeValue(try FindByTypeValueResponse(parameters: fields, trailing: &trailing))
        case ReadByTypeResponse.opcode: self = .readByType(try ReadByTypeResponse(parameters: fields, trailing: &trailing))
        case ReadResponse.opcode: self = .read(try ReadResponse(parameters: fields, trailing: &trailing))
        case ReadBlobResponse.opcode: self = .readBlob(try ReadBlobResponse(parameters: fields, trailing: &trailing))
        case ReadMultipleResponse.opcode: self = .readMultiple(try ReadMultipleResponse(parameters: fields, trailing: &trailing))
        case ReadMultipleVariableResponse.opcode: self = .readMultipleVariable(try ReadMultipleVariableResponse(parameters: fields, trailing: &trailing))
        case ReadByGroupTypeResponse.opcode: self = .readByGroupType(try ReadByGroupTypeResponse(parameters: fields, trailing: &trailing))
        case WriteResponse.opcode: self = .write(try WriteResponse(parameters: fields, trailing: &trailing))
        case PrepareWriteResponse.opcode: self = .prepareWrite(try PrepareWriteResponse(parameters: fields, trailing: &trailing))
        case ExecuteWriteResponse.opcode: self = .executeWrite(try ExecuteWriteResponse(parameters: fields, trailing: &trailing))
        case HandleValueNotification.opcode: self = .notification(try HandleValueNotification(parameters: fields, trailing: &trailing))
        case MultipleHandleValueNotification.opcode: self = .multipleNotification(try MultipleHandleValueNotification(parameters: fields, trailing: &trailing))
        case HandleValueIndication.opcode: self = .indication(try HandleValueIndication(parameters: fields, trailing: &trailing))
        default: self = .other(opcode, [UInt8](fields))
        }
    }

    /// Reads one PDU. Octets behind its last field are left alone.
    public init(decoding octets: [UInt8]) throws(WireError) {
        var trailing = 0
        try self.init(decoding: octets.span, trailing: &trailing)
    }

    public var opcode: Opcode {
        switch self {
        case .other(let opcode, _): opcode
        default: typed.map { type(of: $0).opcode } ?? Opcode(0)
        }
    }

    /// The PDU as on the wire.
    public var encoded: [UInt8] {
        switch self {
        case .other(let opcode, let octets): [opcode.rawValue] + octets
        default: typed?.octets ?? []
        }
    }

    /// The fields by name, for people.
    public var described: [DescribedField] {
        switch self {
        case .other(_, let octets): [DescribedField(name: "Parameters", text: octets.hexadecimal)]
        default: typed?.described ?? []
        }
    }

    /// The typed PDU; `nil` for another opcode.
    private var typed: (any PDU)? {
        switch self {
        case .error(let pdu): pdu
        case .exchangeMTU(let pdu): pdu
        case .findInformation(let pdu): pdu
        case .findByTypeValue(let pdu): pdu
        case .readByType(let pdu): pdu
        case .read(let pdu): pdu
        case .readBlob(let pdu): pdu
        case .readMultiple(let pdu): pdu
        case .readMultipleVariable(let pdu): pdu
        case .readByGroupType(let pdu): pdu
        case .write(let pdu): pdu
        case .prepareWrite(let pdu): pdu
        case .executeWrite(let pdu): pdu
        case .notification(let pdu): pdu
        case .multipleNotification(let pdu): pdu
        case .indication(let pdu): pdu
        case .other: nil
        }
    }
}
