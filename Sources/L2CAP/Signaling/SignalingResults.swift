public import Wire

/// Why a command was rejected (Core Vol 3, Part A, 4.1).
public struct CommandRejectReason: AssignedNumber {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let commandNotUnderstood = Self(rawValue: 0)
    /// The reason's data is the MTU in two octets.
    public static let signalingMTUExceeded = Self(rawValue: 1)
    /// The reason's data is the channel at the rejecting end, then the one at the other, two octets each.
    public static let invalidCID = Self(rawValue: 2)

    public var name: String? {
        switch self {
        case .commandNotUnderstood: "Command not understood"
        case .signalingMTUExceeded: "Signaling MTU exceeded"
        case .invalidCID: "Invalid CID in request"
        default: nil
        }
    }
}

/// The answer to a wish for connection parameters (Core Vol 3, Part A, 4.21).
public struct ParameterUpdateResult: AssignedNumber {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let accepted = Self(rawValue: 0)
    public static let rejected = Self(rawValue: 1)

    public var name: String? {
        switch self {
        case .accepted: "Connection Parameters accepted"
        case .rejected: "Connection Parameters rejected"
        default: nil
        }
    }
}

/// How a wish for credit based channels ended (Core Vol 3, Part A, 4.23 and 4.26).
public struct CreditBasedConnectionResult: AssignedNumber {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let successful = Self(rawValue: 0x0000)
    /// Nothing listens at that SPSM.
    public static let spsmNotSupported = Self(rawValue: 0x0002)
    public static let invalidParameters = Self(rawValue: 0x000C)

    public var name: String? {
        switch rawValue {
        case 0x0000: "Connection successful"
        case 0x0002: "SPSM not supported"
        case 0x0004: "Insufficient resources"
        case 0x0005: "Insufficient authentication"
        case 0x0006: "Insufficient authorization"
        case 0x0007: "Encryption key size too short"
        case 0x0008: "Insufficient encryption"
        case 0x0009: "Invalid source CID"
        case 0x000A: "Source CID already allocated"
        case 0x000B: "Unacceptable parameters"
        case 0x000C: "Invalid parameters"
        case 0x000D: "Pending, no further information"
        case 0x000E: "Pending, authentication"
        case 0x000F: "Pending, authorization"
        default: nil
        }
    }
}

/// How a wish to change credit based channels ended (Core Vol 3, Part A, 4.28).
public struct ReconfigureResult: AssignedNumber {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let successful = Self(rawValue: 0)
    public static let invalidDestinationCID = Self(rawValue: 3)

    public var name: String? {
        switch rawValue {
        case 0: "Reconfiguration successful"
        case 1: "Reduction of MTU not allowed"
        case 2: "Reduction of MPS not allowed for more than one channel"
        case 3: "Destination CID invalid"
        case 4: "Unacceptable parameters"
        default: nil
        }
    }
}
