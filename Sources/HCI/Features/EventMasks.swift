public import Wire

/// Events to be told of, codes 0x01 to 0x3F: bit n stands for code n + 1 (Core Vol 4, Part E, 7.3.1).
public struct EventMask: NamedBits, OptionSet {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Codes beyond 0x40 have no place here and are left out.
    public init(_ codes: [EventCode]) {
        rawValue = codes.filter { (1...64).contains($0.rawValue) }.reduce(0) { $0 | 1 << UInt64($1.rawValue - 1) }
    }

    /// What an LE central lives on.
    ///
    /// Command Complete, Command Status and Number Of Completed Packets cannot be switched off by the specification and
    /// have no bit any more. Controllers exist that follow the old bits: without them, data stops after the first few packets.
    public static let central = EventMask([
        .disconnectionComplete, .encryptionChange, .readRemoteVersionInformationComplete, .commandComplete,
        .commandStatus,
        .hardwareError, .numberOfCompletedPackets, .dataBufferOverflow, .encryptionKeyRefreshComplete, .leMeta,
    ])

    /// Whether the event is let through.
    public func contains(_ code: EventCode) -> Bool {
        (1...64).contains(code.rawValue) && rawValue >> UInt64(code.rawValue - 1) & 1 == 1
    }

    public static func name(ofBit bit: Int) -> String? { EventCode(rawValue: UInt8(clamping: bit + 1)).name }
}

/// Events to be told of, from code 0x40 on: bit n stands for code n + 0x40 (Core Vol 4, Part E, 7.3.69).
public struct EventMaskPage2: NamedBits, OptionSet {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Encryption Change [v2] stays off: the first version says all that is needed here.
    public static let central = EventMaskPage2([])

    public static func name(ofBit bit: Int) -> String? { EventCode(rawValue: UInt8(clamping: bit + 0x40)).name }
}

/// LE events to be told of: bit n stands for sub-event n + 1 (Core Vol 4, Part E, 7.8.1).
public struct LEEventMask: NamedBits, OptionSet {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Codes beyond 0x40 have no place here and are left out.
    public init(_ codes: [LESubevent]) {
        rawValue = codes.filter { (1...64).contains($0.rawValue) }.reduce(0) { $0 | 1 << UInt64($1.rawValue - 1) }
    }

    /// Bluetooth 4.0's, which every LE controller takes.
    public static let oldest = LEEventMask([
        .connectionComplete, .advertisingReport, .connectionUpdateComplete, .readRemoteFeaturesComplete,
        .longTermKeyRequest,
    ])

    /// What an LE central lives on, as far as the controller can send it: one that refuses unknown bits is asked for none.
    public static func central(_ features: LEFeatures) -> LEEventMask {
        var codes: [LESubevent] = []
        if features.contains(.connectionParametersRequest) { codes.append(.remoteConnectionParameterRequest) }
        if features.contains(.dataPacketLengthExtension) { codes.append(.dataLengthChange) }
        if features.contains(.privacy) { codes += [.enhancedConnectionComplete, .directedAdvertisingReport] }
        if !features.isDisjoint(with: [.le2M, .leCoded]) { codes.append(.phyUpdateComplete) }
        if features.contains(.extendedAdvertising) {
            codes += [.enhancedConnectionComplete, .extendedAdvertisingReport, .scanTimeout]
        }
        if features.contains(.channelSelectionAlgorithm2) { codes.append(.channelSelectionAlgorithm) }
        return oldest.union(LEEventMask(codes))
    }

    /// The two events of the controller's P-256 commands.
    public static let p256 = LEEventMask([.readLocalP256PublicKeyComplete, .generateDHKeyComplete])

    /// Whether the LE event is let through.
    public func contains(_ code: LESubevent) -> Bool {
        (1...64).contains(code.rawValue) && rawValue >> UInt64(code.rawValue - 1) & 1 == 1
    }

    public static func name(ofBit bit: Int) -> String? { LESubevent(rawValue: UInt8(clamping: bit + 1)).name }
}
