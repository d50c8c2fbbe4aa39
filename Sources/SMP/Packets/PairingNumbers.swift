public import Wire

/// Why a pairing failed (Core Vol 3, Part H, 3.5.5).
public struct PairingFailure: AssignedNumber {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let passkeyEntryFailed = Self(rawValue: 0x01)
    public static let outOfBandNotAvailable = Self(rawValue: 0x02)
    public static let authenticationRequirements = Self(rawValue: 0x03)
    public static let confirmValueFailed = Self(rawValue: 0x04)
    public static let pairingNotSupported = Self(rawValue: 0x05)
    public static let encryptionKeySize = Self(rawValue: 0x06)
    public static let commandNotSupported = Self(rawValue: 0x07)
    public static let unspecifiedReason = Self(rawValue: 0x08)
    public static let repeatedAttempts = Self(rawValue: 0x09)
    public static let invalidParameters = Self(rawValue: 0x0A)
    public static let dhKeyCheckFailed = Self(rawValue: 0x0B)
    public static let numericComparisonFailed = Self(rawValue: 0x0C)

    public var name: String? {
        Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : nil
    }

    private static let names: [String?] = [
        nil, "Passkey Entry Failed", "OOB Not Available", "Authentication Requirements", "Confirm Value Failed",
        "Pairing Not Supported", "Encryption Key Size", "Command Not Supported", "Unspecified Reason",
        "Repeated Attempts", "Invalid Parameters", "DHKey Check Failed", "Numeric Comparison Failed",
        "BR/EDR pairing in progress", "Cross-transport Key Derivation/Generation not allowed", "Key Rejected", "Busy",
    ]
}

/// What a device can show and ask (Core Vol 3, Part H, 3.5.1, table 3.4).
public struct IOCapability: AssignedNumber {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let displayOnly = Self(rawValue: 0)
    public static let displayYesNo = Self(rawValue: 1)
    public static let keyboardOnly = Self(rawValue: 2)
    public static let noInputNoOutput = Self(rawValue: 3)
    public static let keyboardDisplay = Self(rawValue: 4)

    public var name: String? {
        switch self {
        case .displayOnly: "DisplayOnly"
        case .displayYesNo: "DisplayYesNo"
        case .keyboardOnly: "KeyboardOnly"
        case .noInputNoOutput: "NoInputNoOutput"
        case .keyboardDisplay: "KeyboardDisplay"
        default: nil
        }
    }
}

/// What a passkey's typist just did (Core Vol 3, Part H, 3.5.8).
public struct KeypressNotification: AssignedNumber {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public var name: String? {
        switch rawValue {
        case 0: "Passkey entry started"
        case 1: "Passkey digit entered"
        case 2: "Passkey digit erased"
        case 3: "Passkey cleared"
        case 4: "Passkey entry completed"
        default: nil
        }
    }
}

/// What a pairing shall achieve (Core Vol 3, Part H, 3.5.1, figure 3.3).
public struct AuthenticationRequirements: AssignedNumber, OptionSet {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Keys are kept: both bits of the field, of which 01 is the only value in use beside 00.
    public static let bonding = Self(rawValue: 1 << 0)
    /// Protection against a third party in the middle.
    public static let manInTheMiddle = Self(rawValue: 1 << 2)
    /// LE Secure Connections instead of legacy pairing.
    public static let secureConnections = Self(rawValue: 1 << 3)
    /// The typist of a passkey tells of each key.
    public static let keypress = Self(rawValue: 1 << 4)
    /// The function h7 is supported.
    public static let ct2 = Self(rawValue: 1 << 5)

    public var name: String? {
        bitNames(["Bonding", nil, "MITM", "SC", "Keypress", "CT2"])
    }
}

/// Keys that one side hands out at the end of a pairing (Core Vol 3, Part H, 3.6.1).
public struct KeyDistribution: AssignedNumber, OptionSet {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The long term key of legacy pairing.
    public static let encryption = Self(rawValue: 1 << 0)
    /// The identity resolving key and the identity address.
    public static let identity = Self(rawValue: 1 << 1)
    /// The key that signs data.
    public static let signing = Self(rawValue: 1 << 2)
    /// A BR/EDR link key made from the long term key.
    public static let link = Self(rawValue: 1 << 3)

    public var name: String? {
        bitNames(["EncKey", "IdKey", "SignKey", "LinkKey"])
    }
}

extension AssignedNumber {
    /// The names of the bits set, the lowest first; `nil` where none is set or one has no name.
    fileprivate func bitNames(_ names: [String?]) -> String? {
        let set = (0..<RawValue.bitWidth).filter { rawValue >> $0 & 1 == 1 }
        let known = set.compactMap { $0 < names.count ? names[$0] : nil }
        return known.isEmpty || known.count < set.count ? nil : known.joined(separator: ", ")
    }
}
