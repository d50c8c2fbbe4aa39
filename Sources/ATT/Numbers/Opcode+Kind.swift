/// The six kinds of PDU (Core Vol 3, Part F, 3.3).
public enum PDUKind: Hashable, Sendable {
    /// From the client; the server answers with a response or an Error Response.
    case request
    /// From the server, to a request.
    case response
    /// From the client; nothing answers it.
    case command
    /// From the server; nothing answers it.
    case notification
    /// From the server; the client answers with a confirmation.
    case indication
    /// From the client, to an indication.
    case confirmation
}

extension Opcode {
    /// The command flag: a PDU with it is never answered, known or not.
    public var isCommand: Bool { rawValue & 0x40 != 0 }

    /// The authentication signature flag.
    public var isSigned: Bool { rawValue & 0x80 != 0 }

    /// The kind of a PDU that begins with this opcode.
    ///
    /// An unknown one with the command flag is a command, to be ignored; any other unknown one is a request, to be
    /// refused: a peer that is told so goes on, one that is not waits for 30 s.
    public var kind: PDUKind {
        switch self {
        case .errorResponse, .exchangeMTUResponse, .findInformationResponse, .findByTypeValueResponse,
            .readByTypeResponse,
            .readResponse, .readBlobResponse, .readMultipleResponse, .readByGroupTypeResponse, .writeResponse,
            .prepareWriteResponse, .executeWriteResponse, .readMultipleVariableResponse:
            .response
        case .handleValueNotification, .multipleHandleValueNotification: .notification
        case .handleValueIndication: .indication
        case .handleValueConfirmation: .confirmation
        default: isCommand ? .command : .request
        }
    }

    /// Whether a client sends such a PDU; otherwise a server does.
    public var isFromClient: Bool {
        switch kind {
        case .request, .command, .confirmation: true
        case .response, .notification, .indication: false
        }
    }

    /// The opcode of the response to this request; `nil` for all that is no request.
    public var response: Opcode? { kind == .request ? Opcode(rawValue | 1) : nil }

    /// Whether a PDU with this opcode begins with exactly one handle, which the value follows.
    var leadsWithHandle: Bool {
        switch self {
        case .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest, .prepareWriteResponse,
            .handleValueNotification, .handleValueIndication, .writeCommand, .signedWriteCommand:
            true
        default: false
        }
    }
}
