public import Wire

/// One LE event, from within an LE Meta event (Core Vol 4, Part E, 7.7.65).
public enum LEEvent: Hashable, Sendable {
    case connectionComplete(LEConnectionComplete)
    case advertisingReport(LEAdvertisingReport)
    case connectionUpdateComplete(LEConnectionUpdateComplete)
    case readRemoteFeaturesComplete(LEReadRemoteFeaturesComplete)
    case longTermKeyRequest(LELongTermKeyRequest)
    case remoteConnectionParameterRequest(LERemoteConnectionParameterRequest)
    case dataLengthChange(LEDataLengthChange)
    case readLocalP256PublicKeyComplete(LEReadLocalP256PublicKeyComplete)
    case generateDHKeyComplete(LEGenerateDHKeyComplete)
    case enhancedConnectionComplete(LEEnhancedConnectionComplete)
    case directedAdvertisingReport(LEDirectedAdvertisingReport)
    case phyUpdateComplete(LEPHYUpdateComplete)
    case extendedAdvertisingReport(LEExtendedAdvertisingReport)
    case scanTimeout
    case channelSelectionAlgorithm(LEChannelSelectionAlgorithm)
    case enhancedConnectionCompleteV2(LEEnhancedConnectionCompleteV2)
    /// A sub-event that has no meaning here, with what follows its code; kept as it came.
    case other(LESubevent, parameters: [UInt8])

    /// Reads an LE Meta event's parameters, the sub-event code first. Offsets in errors count from that code.
    ///
    /// - Parameter trailing: set to the number of octets behind the last field.
    public init(parameters: Span<UInt8>, trailing: inout Int) throws(WireError) {
        let subevent = try LEMeta(decoding: parameters).subevent
        let rest = parameters.extracting(1..<parameters.count)
        do throws(WireError) {
            try self.init(subevent, parameters: rest, trailing: &trailing)
        } catch {
            throw error.shifted(by: 1)
        }
    }

    /// Reads what follows the sub-event code. Offsets in errors count from there.
    public init(_ subevent: LESubevent, parameters: Span<UInt8>, trailing: inout Int) throws(WireError) {
        switch subevent {
        case .connectionComplete:
            self = .connectionComplete(try .init(decoding: parameters, trailing: &trailing))
        case .advertisingReport:
            self = .advertisingReport(LEAdvertisingReport(parameters: parameters, trailing: &trailing))
        case .connectionUpdateComplete:
            self = .connectionUpdateComplete(try .init(decoding: parameters, trailing: &trailing))
        case .readRemoteFeaturesComplete:
            self = .readRemoteFeaturesComplete(try .init(decoding: parameters, trailing: &trailing))
        case .longTermKeyRequest:
            self = .longTermKeyRequest(try .init(decoding: parameters, trailing: &trailing))
        case .remoteConnectionParameterRequest:
            self = .remoteConnectionParameterRequest(try .init(decoding: parameters, trailing: &trailing))
        case .dataLengthChange:
            self = .dataLengthChange(try .init(decoding: parameters, trailing: &trailing))
        case .readLocalP256PublicKeyComplete:
            self = .readLocalP256PublicKeyComplete(try .init(decoding: parameters, trailing: &trailing))
        case .generateDHKeyComplete:
            self = .generateDHKeyComplete(try .init(decoding: parameters, trailing: &trailing))
        case .enhancedConnectionComplete:
            self = .enhancedConnectionComplete(try .init(decoding: parameters, trailing: &trailing))
        case .directedAdvertisingReport:
            self = .directedAdvertisingReport(LEDirectedAdvertisingReport(parameters: parameters, trailing: &trailing))
        case .phyUpdateComplete:
            self = .phyUpdateComplete(try .init(decoding: parameters, trailing: &trailing))
        case .extendedAdvertisingReport:
            self = .extendedAdvertisingReport(LEExtendedAdvertisingReport(parameters: parameters, trailing: &trailing))
        case .scanTimeout:
            trailing = parameters.count
            self = .scanTimeout
        case .channelSelectionAlgorithm:
            self = .channelSelectionAlgorithm(try .init(decoding: parameters, trailing: &trailing))
        case .enhancedConnectionCompleteV2:
            self = .enhancedConnectionCompleteV2(try .init(decoding: parameters, trailing: &trailing))
        default:
            trailing = 0
            self = .other(subevent, parameters: [UInt8](parameters))
        }
    }
}

/// The head of an LE Meta event.
struct LEMeta: Fielded, Hashable {
    var subevent = LESubevent(rawValue: 0)

    mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Subevent_Code", &subevent)
    }
}

extension WireError {
    /// The same error in a packet that begins `count` octets earlier.
    func shifted(by count: Int) -> WireError {
        switch self {
        case .truncated(let field, let at, let needed, let remaining):
            .truncated(field: field, at: at + count, needed: needed, remaining: remaining)
        case .invalid(let field, let at, let reason):
            .invalid(field: field, at: at + count, reason: reason)
        }
    }
}
