// What happens to a connection, on BR/EDR and LE alike.

public import Wire

/// A connection of BR/EDR came about, or did not (Core Vol 4, Part E, 7.7.3).
public struct ConnectionComplete: EventParameters {
    public static let code = EventCode.connectionComplete

    public var status = Status.success
    public var handle = ConnectionHandle(rawValue: 0)
    public var peer = Address.zero
    public var linkType = ClassicLinkType(rawValue: 0)
    public var isEncrypted = false

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.number("Connection_Handle", &handle)
        try pass.address("BD_ADDR", &peer)
        try pass.number("Link_Type", &linkType)
        try pass.flag("Encryption_Enabled", &isEncrypted)
    }
}

/// A connection ended (Core Vol 4, Part E, 7.7.5).
public struct DisconnectionComplete: EventParameters {
    public static let code = EventCode.disconnectionComplete

    /// Anything but success: the connection is still there.
    public var status = Status.success
    public var handle = ConnectionHandle(rawValue: 0)
    public var reason = Status.success

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.number("Connection_Handle", &handle)
        try pass.number("Reason", &reason)
    }
}

/// Whether a connection is encrypted (Core Vol 4, Part E, 7.7.8).
public struct EncryptionState: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let off = EncryptionState(rawValue: 0)
    /// With E0 on BR/EDR, with AES-CCM on LE.
    public static let on = EncryptionState(rawValue: 1)
    /// With AES-CCM on BR/EDR.
    public static let onClassicSecure = EncryptionState(rawValue: 2)

    public var name: String? {
        switch self {
        case .off: "Off"
        case .on: "On"
        case .onClassicSecure: "On, AES-CCM for BR/EDR"
        default: nil
        }
    }
}

/// Encryption went on or off, or failed to (Core Vol 4, Part E, 7.7.8).
public struct EncryptionChange: EventParameters {
    public static let code = EventCode.encryptionChange

    public var status = Status.success
    public var handle = ConnectionHandle(rawValue: 0)
    public var state = EncryptionState.off

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.number("Connection_Handle", &handle)
        try pass.number("Encryption_Enabled", &state)
    }
}

/// The same with the size of the key (Core Vol 4, Part E, 7.7.8).
public struct EncryptionChangeV2: EventParameters {
    public static let code = EventCode.encryptionChangeV2

    public var status = Status.success
    public var handle = ConnectionHandle(rawValue: 0)
    public var state = EncryptionState.off
    /// Octets.
    public var keySize: UInt8 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.number("Connection_Handle", &handle)
        try pass.number("Encryption_Enabled", &state)
        try pass.uint8("Encryption_Key_Size", &keySize)
    }
}

/// A connection already encrypted got a new key (Core Vol 4, Part E, 7.7.39).
public struct EncryptionKeyRefreshComplete: EventParameters {
    public static let code = EventCode.encryptionKeyRefreshComplete

    public var status = Status.success
    public var handle = ConnectionHandle(rawValue: 0)

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.number("Connection_Handle", &handle)
    }
}

/// The peer's version (Core Vol 4, Part E, 7.7.12).
public struct ReadRemoteVersionInformationComplete: EventParameters {
    public static let code = EventCode.readRemoteVersionInformationComplete

    public var status = Status.success
    public var handle = ConnectionHandle(rawValue: 0)
    public var version = SpecificationVersion(rawValue: 0)
    /// A company identifier.
    public var manufacturer: UInt16 = 0
    /// The maker's own.
    public var subversion: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.number("Connection_Handle", &handle)
        try pass.number("Version", &version)
        try pass.company("Company_Identifier", &manufacturer)
        try pass.uint16("Subversion", &subversion)
    }
}
