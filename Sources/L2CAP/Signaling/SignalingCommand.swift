public import HCI
public import Wire

/// A signalling command with its data read.
public enum SignalingCommand: Hashable, Sendable {
    case commandReject(CommandReject)
    case disconnectionRequest(ChannelEnds)
    case disconnectionResponse(ChannelEnds)
    case connectionParameterUpdateRequest(ConnectionParameters)
    case connectionParameterUpdateResponse(ConnectionParameterUpdateResponse)
    case leCreditBasedConnectionRequest(LECreditBasedConnectionRequest)
    case leCreditBasedConnectionResponse(LECreditBasedConnectionResponse)
    case flowControlCreditIndication(FlowControlCredit)
    case creditBasedConnectionRequest(CreditBasedConnectionRequest)
    case creditBasedConnectionResponse(CreditBasedConnectionResponse)
    case creditBasedReconfigureRequest(CreditBasedReconfigureRequest)
    case creditBasedReconfigureResponse(CreditBasedReconfigureResponse)
    /// A command that has no place on an LE link, or none yet.
    case other(SignalingCode, [UInt8])

    /// Reads the data of a command. Octets behind the last field are left alone.
    public init(code: SignalingCode, data: Span<UInt8>) throws(WireError) {
        switch code {
        case .commandReject: self = .commandReject(try CommandReject(decoding: data))
        case .disconnectionRequest: self = .disconnectionRequest(try ChannelEnds(decoding: data))
        case .disconnectionResponse: self = .disconnectionResponse(try ChannelEnds(decoding: data))
        case .connectionParameterUpdateRequest:
            self = .connectionParameterUpdateRequest(try ConnectionParameters(decoding: data))
        case .connectionParameterUpdateResponse:
            self = .connectionParameterUpdateResponse(try ConnectionParameterUpdateResponse(decoding: data))
        case .leCreditBasedConnectionRequest:
            self = .leCreditBasedConnectionRequest(try LECreditBasedConnectionRequest(decoding: data))
        case .leCreditBasedConnectionResponse:
            self = .leCreditBasedConnectionResponse(try LECreditBasedConnectionResponse(decoding: data))
        case .flowControlCreditIndication:
            self = .flowControlCreditIndication(try FlowControlCredit(decoding: data))
        case .creditBasedConnectionRequest:
            self = .creditBasedConnectionRequest(try CreditBasedConnectionRequest(decoding: data))
        case .creditBasedConnectionResponse:
            self = .creditBasedConnectionResponse(try CreditBasedConnectionResponse(decoding: data))
        case .creditBasedReconfigureRequest:
            self = .creditBasedReconfigureRequest(try CreditBasedReconfigureRequest(decoding: data))
        case .creditBasedReconfigureResponse:
            self = .creditBasedReconfigureResponse(try CreditBasedReconfigureResponse(decoding: data))
        default: self = .other(code, [UInt8](data))
        }
    }

    /// The command's code.
    public var code: SignalingCode {
        switch self {
        case .commandReject: .commandReject
        case .disconnectionRequest: .disconnectionRequest
        case .disconnectionResponse: .disconnectionResponse
        case .connectionParameterUpdateRequest: .connectionParameterUpdateRequest
        case .connectionParameterUpdateResponse: .connectionParameterUpdateResponse
        case .leCreditBasedConnectionRequest: .leCreditBasedConnectionRequest
        case .leCreditBasedConnectionResponse: .leCreditBasedConnectionResponse
        case .flowControlCreditIndication: .flowControlCreditIndication
        case .creditBasedConnectionRequest: .creditBasedConnectionRequest
        case .creditBasedConnectionResponse: .creditBasedConnectionResponse
        case .creditBasedReconfigureRequest: .creditBasedReconfigureRequest
        case .creditBasedReconfigureResponse: .creditBasedReconfigureResponse
        case .other(let code, _): code
        }
    }

    /// The data as a packet with named fields; `nil` for `other`.
    public var content: (any Fielded)? {
        switch self {
        case .commandReject(let content): content
        case .disconnectionRequest(let content), .disconnectionResponse(let content): content
        case .connectionParameterUpdateRequest(let content): content
        case .connectionParameterUpdateResponse(let content): content
        case .leCreditBasedConnectionRequest(let content): content
        case .leCreditBasedConnectionResponse(let content): content
        case .flowControlCreditIndication(let content): content
        case .creditBasedConnectionRequest(let content): content
        case .creditBasedConnectionResponse(let content): content
        case .creditBasedReconfigureRequest(let content): content
        case .creditBasedReconfigureResponse(let content): content
        case .other: nil
        }
    }

    /// The command with its header.
    public func packet(identifier: UInt8) -> SignalingPacket {
        let data = if case .other(_, let octets) = self { octets } else { content?.encoded ?? [] }
        return SignalingPacket(code: code, identifier: identifier, data: data)
    }
}
