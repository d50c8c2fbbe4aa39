public import Wire

/// One event from the controller (Core Vol 4, Part E, 7.7).
public enum Event: Hashable, Sendable {
    case connectionComplete(ConnectionComplete)
    case disconnectionComplete(DisconnectionComplete)
    case encryptionChange(EncryptionChange)
    case encryptionChangeV2(EncryptionChangeV2)
    case readRemoteVersionInformationComplete(ReadRemoteVersionInformationComplete)
    case commandComplete(CommandComplete)
    case commandStatus(CommandStatus)
    case hardwareError(HardwareError)
    case numberOfCompletedPackets(NumberOfCompletedPackets)
    case dataBufferOverflow(DataBufferOverflow)
    case encryptionKeyRefreshComplete(EncryptionKeyRefreshComplete)
    case le(LEEvent)
    /// An event that has no meaning here, vendor events among them; kept as it came.
    case other(EventCode, parameters: [UInt8])

    /// Reads an event's parameters. Offsets in errors count from their first octet.
    ///
    /// - Parameter trailing: set to the number of octets behind the last field.
    public init(_ code: EventCode, parameters: Span<UInt8>, trailing: inout Int) throws(WireError) {
        switch code {
        case .connectionComplete:
            self = .connectionComplete(try .init(decoding: parameters, trailing: &trailing))
        case .disconnectionComplete:
            self = .disconnectionComplete(try .init(decoding: parameters, trailing: &trailing))
        case .encryptionChange:
            self = .encryptionChange(try .init(decoding: parameters, trailing: &trailing))
        case .encryptionChangeV2:
            self = .encryptionChangeV2(try .init(decoding: parameters, trailing: &trailing))
        case .readRemoteVersionInformationComplete:
            self = .readRemoteVersionInformationComplete(try .init(decoding: parameters, trailing: &trailing))
        case .commandComplete:
            self = .commandComplete(try .init(decoding: parameters, trailing: &trailing))
        case .commandStatus:
            self = .commandStatus(try .init(decoding: parameters, trailing: &trailing))
        case .hardwareError:
            self = .hardwareError(try .init(decoding: parameters, trailing: &trailing))
        case .numberOfCompletedPackets:
            self = .numberOfCompletedPackets(NumberOfCompletedPackets(parameters: parameters, trailing: &trailing))
        case .dataBufferOverflow:
            self = .dataBufferOverflow(try .init(decoding: parameters, trailing: &trailing))
        case .encryptionKeyRefreshComplete:
            self = .encryptionKeyRefreshComplete(try .init(decoding: parameters, trailing: &trailing))
        case .leMeta:
            self = .le(try LEEvent(parameters: parameters, trailing: &trailing))
        default:
            trailing = 0
            self = .other(code, parameters: [UInt8](parameters))
        }
    }

    /// Reads an event's parameters. Octets behind the last field are left alone.
    public init(_ code: EventCode, parameters: [UInt8]) throws(WireError) {
        var trailing = 0
        try self.init(code, parameters: parameters.span, trailing: &trailing)
    }
}
