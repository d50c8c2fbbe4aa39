public import Wire

/// One PDU of the Security Manager protocol, the payload of an L2CAP frame (Core Vol 3, Part H, 3.3).
public enum PairingPDU: Hashable, Sendable {
    case pairingRequest(PairingFeatures)
    case pairingResponse(PairingFeatures)
    case pairingConfirm(PairingValue)
    case pairingRandom(PairingValue)
    case pairingFailed(PairingFailed)
    case encryptionInformation(PairingValue)
    case centralIdentification(CentralIdentification)
    case identityInformation(PairingValue)
    case identityAddressInformation(IdentityAddress)
    case signingInformation(PairingValue)
    case securityRequest(SecurityRequest)
    case pairingPublicKey(PairingPublicKey)
    case pairingDHKeyCheck(PairingValue)
    case pairingKeypressNotification(PairingKeypress)
    /// A code that is reserved.
    case other(PairingCode, [UInt8])

    /// Reads the payload of a frame. Octets behind the last field are left alone.
    public init(decoding payload: Span<UInt8>) throws(WireError) {
        var reader = ByteReader(payload)
        let code = PairingCode(rawValue: try reader.uint8("Code"))
        let data = payload.extracting(1..<payload.count)
        switch code {
        case .pairingRequest: self = .pairingRequest(try PairingFeatures(decoding: data))
        case .pairingResponse: self = .pairingResponse(try PairingFeatures(decoding: data))
        case .pairingConfirm: self = .pairingConfirm(try PairingValue(decoding: data))
        case .pairingRandom: self = .pairingRandom(try PairingValue(decoding: data))
        case .pairingFailed: self = .pairingFailed(try PairingFailed(decoding: data))
        case .encryptionInformation: self = .encryptionInformation(try PairingValue(decoding: data))
        case .centralIdentification: self = .centralIdentification(try CentralIdentification(decoding: data))
        case .identityInformation: self = .identityInformation(try PairingValue(decoding: data))
        case .identityAddressInformation: self = .identityAddressInformation(try IdentityAddress(decoding: data))
        case .signingInformation: self = .signingInformation(try PairingValue(decoding: data))
        case .securityRequest: self = .securityRequest(try SecurityRequest(decoding: data))
        case .pairingPublicKey: self = .pairingPublicKey(try PairingPublicKey(decoding: data))
        case .pairingDHKeyCheck: self = .pairingDHKeyCheck(try PairingValue(decoding: data))
        case .pairingKeypressNotification: self = .pairingKeypressNotification(try PairingKeypress(decoding: data))
        default: self = .other(code, reader.rest())
        }
    }

    /// Reads the payload of a frame. Octets behind the last field are left alone.
    public init(decoding payload: [UInt8]) throws(WireError) { try self.init(decoding: payload.span) }

    /// The PDU's code.
    public var code: PairingCode {
        switch self {
        case .pairingRequest: .pairingRequest
        case .pairingResponse: .pairingResponse
        case .pairingConfirm: .pairingConfirm
        case .pairingRandom: .pairingRandom
        case .pairingFailed: .pairingFailed
        case .encryptionInformation: .encryptionInformation
        case .centralIdentification: .centralIdentification
        case .identityInformation: .identityInformation
        case .identityAddressInformation: .identityAddressInformation
        case .signingInformation: .signingInformation
        case .securityRequest: .securityRequest
        case .pairingPublicKey: .pairingPublicKey
        case .pairingDHKeyCheck: .pairingDHKeyCheck
        case .pairingKeypressNotification: .pairingKeypressNotification
        case .other(let code, _): code
        }
    }

    /// What stands behind the code, with named fields; `nil` for `other`.
    public var content: (any Fielded)? {
        switch self {
        case .pairingRequest(let content), .pairingResponse(let content): content
        case .pairingConfirm(let content), .pairingRandom(let content), .encryptionInformation(let content),
            .identityInformation(let content), .signingInformation(let content), .pairingDHKeyCheck(let content):
            content
        case .pairingFailed(let content): content
        case .centralIdentification(let content): content
        case .identityAddressInformation(let content): content
        case .securityRequest(let content): content
        case .pairingPublicKey(let content): content
        case .pairingKeypressNotification(let content): content
        case .other: nil
        }
    }

    /// The payload of the frame that carries the PDU.
    public var encoded: [UInt8] {
        let data = if case .other(_, let octets) = self { octets } else { content?.encoded ?? [] }
        return [code.rawValue] + data
    }
}
