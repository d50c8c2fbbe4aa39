public import Wire

/// Pairing Request and Pairing Response: what each side can do and wants (Core Vol 3, Part H, 3.5.1 and 3.5.2).
public struct PairingFeatures: Fielded, Hashable {
    public var ioCapability = IOCapability.displayOnly
    /// 1 where authentication data came from the peer by another way.
    public var outOfBand: UInt8 = 0
    public var authentication: AuthenticationRequirements = []
    /// Octets of the longest key: 7 to 16.
    public var maximumKeySize: UInt8 = 0
    public var initiatorKeys: KeyDistribution = []
    public var responderKeys: KeyDistribution = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("IO Capability", &ioCapability)
        try pass.uint8("OOB data flag", &outOfBand)
        try pass.number("AuthReq", &authentication)
        try pass.uint8("Maximum Encryption Key Size", &maximumKeySize)
        try pass.number("Initiator Key Distribution", &initiatorKeys)
        try pass.number("Responder Key Distribution", &responderKeys)
    }
}

/// A PDU of one 128-bit value: Pairing Confirm, Pairing Random, DHKey Check, and the keys handed out
/// (Core Vol 3, Part H, 3.5.3, 3.5.4, 3.5.7, 3.6.2, 3.6.4 and 3.6.6).
public struct PairingValue: Fielded, Hashable {
    /// 16 octets, the least significant first.
    public var octets: [UInt8] = []

    public init() {}

    public init(_ octets: [UInt8]) { self.octets = octets }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.bytes("Value", &octets, count: 16)
    }
}

/// Pairing Failed (Core Vol 3, Part H, 3.5.5).
public struct PairingFailed: Fielded, Hashable {
    public var reason = PairingFailure.unspecifiedReason

    public init() {}

    public init(_ reason: PairingFailure) { self.reason = reason }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Reason", &reason)
    }
}

/// Central Identification: which long term key a legacy pairing made (Core Vol 3, Part H, 3.6.3).
public struct CentralIdentification: Fielded, Hashable {
    /// EDIV.
    public var encryptedDiversifier: UInt16 = 0
    public var random: UInt64 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint16("EDIV", &encryptedDiversifier)
        try pass.uint64("Rand", &random)
    }
}

/// Identity Address Information: the address behind the private ones (Core Vol 3, Part H, 3.6.5).
public struct IdentityAddress: Fielded, Hashable {
    /// 0 public, 1 static random.
    public var kind: UInt8 = 0
    public var address = Address.zero

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("AddrType", &kind)
        try pass.address("BD_ADDR", &address)
    }
}

/// Security Request: the peripheral asks the central for a secure link (Core Vol 3, Part H, 3.6.7).
public struct SecurityRequest: Fielded, Hashable {
    public var authentication: AuthenticationRequirements = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("AuthReq", &authentication)
    }
}

/// Pairing Public Key: a point on P-256 (Core Vol 3, Part H, 3.5.6).
public struct PairingPublicKey: Fielded, Hashable {
    /// 32 octets, the least significant first.
    public var x: [UInt8] = []
    /// 32 octets, the least significant first.
    public var y: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.bytes("Public Key X", &x, count: 32)
        try pass.bytes("Public Key Y", &y, count: 32)
    }
}

/// Pairing Keypress Notification (Core Vol 3, Part H, 3.5.8).
public struct PairingKeypress: Fielded, Hashable {
    public var notification = KeypressNotification(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Notification Type", &notification)
    }
}
