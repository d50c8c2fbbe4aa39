public import Wire

/// An attribute opcode: the first octet of every PDU (Core Vol 3, Part F, 3.3.1 and 3.4.8).
public struct Opcode: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    public static let errorResponse = Opcode(0x01)
    public static let exchangeMTURequest = Opcode(0x02)
    public static let exchangeMTUResponse = Opcode(0x03)
    public static let findInformationRequest = Opcode(0x04)
    public static let findInformationResponse = Opcode(0x05)
    public static let findByTypeValueRequest = Opcode(0x06)
    public static let findByTypeValueResponse = Opcode(0x07)
    public static let readByTypeRequest = Opcode(0x08)
    public static let readByTypeResponse = Opcode(0x09)
    public static let readRequest = Opcode(0x0A)
    public static let readResponse = Opcode(0x0B)
    public static let readBlobRequest = Opcode(0x0C)
    public static let readBlobResponse = Opcode(0x0D)
    public static let readMultipleRequest = Opcode(0x0E)
    public static let readMultipleResponse = Opcode(0x0F)
    public static let readByGroupTypeRequest = Opcode(0x10)
    public static let readByGroupTypeResponse = Opcode(0x11)
    public static let writeRequest = Opcode(0x12)
    public static let writeResponse = Opcode(0x13)
    public static let prepareWriteRequest = Opcode(0x16)
    public static let prepareWriteResponse = Opcode(0x17)
    public static let executeWriteRequest = Opcode(0x18)
    public static let executeWriteResponse = Opcode(0x19)
    public static let handleValueNotification = Opcode(0x1B)
    public static let handleValueIndication = Opcode(0x1D)
    public static let handleValueConfirmation = Opcode(0x1E)
    public static let readMultipleVariableRequest = Opcode(0x20)
    public static let readMultipleVariableResponse = Opcode(0x21)
    public static let multipleHandleValueNotification = Opcode(0x23)
    public static let writeCommand = Opcode(0x52)
    public static let signedWriteCommand = Opcode(0xD2)

    public var name: String? { Self.names[self] }

    private static let names: [Opcode: String] = [
        .errorResponse: "Error Response",
        .exchangeMTURequest: "Exchange MTU Request",
        .exchangeMTUResponse: "Exchange MTU Response",
        .findInformationRequest: "Find Information Request",
        .findInformationResponse: "Find Information Response",
        .findByTypeValueRequest: "Find By Type Value Request",
        .findByTypeValueResponse: "Find By Type Value Response",
        .readByTypeRequest: "Read By Type Request",
        .readByTypeResponse: "Read By Type Response",
        .readRequest: "Read Request",
        .readResponse: "Read Response",
        .readBlobRequest: "Read Blob Request",
        .readBlobResponse: "Read Blob Response",
        .readMultipleRequest: "Read Multiple Request",
        .readMultipleResponse: "Read Multiple Response",
        .readByGroupTypeRequest: "Read By Group Type Request",
        .readByGroupTypeResponse: "Read By Group Type Response",
        .writeRequest: "Write Request",
        .writeResponse: "Write Response",
        .prepareWriteRequest: "Prepare Write Request",
        .prepareWriteResponse: "Prepare Write Response",
        .executeWriteRequest: "Execute Write Request",
        .executeWriteResponse: "Execute Write Response",
        .handleValueNotification: "Handle Value Notification",
        .handleValueIndication: "Handle Value Indication",
        .handleValueConfirmation: "Handle Value Confirmation",
        .readMultipleVariableRequest: "Read Multiple Variable Request",
        .readMultipleVariableResponse: "Read Multiple Variable Response",
        .multipleHandleValueNotification: "Multiple Handle Value Notification",
        .writeCommand: "Write Command",
        .signedWriteCommand: "Signed Write Command",
    ]
}
