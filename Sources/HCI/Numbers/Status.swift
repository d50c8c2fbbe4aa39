public import Wire

/// What came of a command, or why a link ended (Core Vol 1, Part F, 1.3).
public struct Status: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let success = Status(rawValue: 0x00)
    public static let unknownCommand = Status(rawValue: 0x01)
    public static let unknownConnectionIdentifier = Status(rawValue: 0x02)
    public static let hardwareFailure = Status(rawValue: 0x03)
    public static let authenticationFailure = Status(rawValue: 0x05)
    public static let pinOrKeyMissing = Status(rawValue: 0x06)
    public static let memoryCapacityExceeded = Status(rawValue: 0x07)
    public static let connectionTimeout = Status(rawValue: 0x08)
    public static let connectionLimitExceeded = Status(rawValue: 0x09)
    public static let connectionAlreadyExists = Status(rawValue: 0x0B)
    public static let commandDisallowed = Status(rawValue: 0x0C)
    public static let limitedResources = Status(rawValue: 0x0D)
    public static let unsupportedFeatureOrParameterValue = Status(rawValue: 0x11)
    public static let invalidCommandParameters = Status(rawValue: 0x12)
    public static let remoteUserTerminated = Status(rawValue: 0x13)
    public static let remoteLowResources = Status(rawValue: 0x14)
    public static let remotePowerOff = Status(rawValue: 0x15)
    public static let terminatedByLocalHost = Status(rawValue: 0x16)
    public static let unsupportedRemoteFeature = Status(rawValue: 0x1A)
    public static let invalidLinkParameters = Status(rawValue: 0x1E)
    public static let unspecifiedError = Status(rawValue: 0x1F)
    public static let linkResponseTimeout = Status(rawValue: 0x22)
    public static let procedureCollision = Status(rawValue: 0x23)
    public static let instantPassed = Status(rawValue: 0x28)
    public static let differentTransactionCollision = Status(rawValue: 0x2A)
    public static let controllerBusy = Status(rawValue: 0x3A)
    public static let unacceptableConnectionParameters = Status(rawValue: 0x3B)
    public static let advertisingTimeout = Status(rawValue: 0x3C)
    public static let micFailure = Status(rawValue: 0x3D)
    public static let failedToBeEstablished = Status(rawValue: 0x3E)
    public static let operationCancelledByHost = Status(rawValue: 0x44)

    public var name: String? { Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : nil }

    /// By number.
    private static let names: [String?] = [
        "Success",
        "Unknown HCI Command",
        "Unknown Connection Identifier",
        "Hardware Failure",
        "Page Timeout",
        "Authentication Failure",
        "PIN or Key Missing",
        "Memory Capacity Exceeded",
        "Connection Timeout",
        "Connection Limit Exceeded",
        "Synchronous Connection Limit To A Device Exceeded",
        "Connection Already Exists",
        "Command Disallowed",
        "Connection Rejected due to Limited Resources",
        "Connection Rejected due to Security Reasons",
        "Connection Rejected due to Unacceptable BD_ADDR",
        "Connection Accept Timeout Exceeded",
        "Unsupported Feature or Parameter Value",
        "Invalid HCI Command Parameters",
        "Remote User Terminated Connection",
        "Remote Device Terminated Connection due to Low Resources",
        "Remote Device Terminated Connection due to Power Off",
        "Connection Terminated By Local Host",
        "Repeated Attempts",
        "Pairing Not Allowed",
        "Unknown LMP PDU",
        "Unsupported Remote Feature",
        "SCO Offset Rejected",
        "SCO Interval Rejected",
        "SCO Air Mode Rejected",
        "Invalid LMP Parameters / Invalid LL Parameters",
        "Unspecified Error",
        "Unsupported LMP Parameter Value / Unsupported LL Parameter Value",
        "Role Change Not Allowed",
        "LMP Response Timeout / LL Response Timeout",
        "LMP Error Transaction Collision / LL Procedure Collision",
        "LMP PDU Not Allowed",
        "Encryption Mode Not Acceptable",
        "Link Key cannot be Changed",
        "Requested QoS Not Supported",
        "Instant Passed",
        "Pairing With Unit Key Not Supported",
        "Different Transaction Collision",
        nil,
        "QoS Unacceptable Parameter",
        "QoS Rejected",
        "Channel Classification Not Supported",
        "Insufficient Security",
        "Parameter Out Of Mandatory Range",
        nil,
        "Role Switch Pending",
        nil,
        "Reserved Slot Violation",
        "Role Switch Failed",
        "Extended Inquiry Response Too Large",
        "Secure Simple Pairing Not Supported By Host",
        "Host Busy - Pairing",
        "Connection Rejected due to No Suitable Channel Found",
        "Controller Busy",
        "Unacceptable Connection Parameters",
        "Advertising Timeout",
        "Connection Terminated due to MIC Failure",
        "Connection Failed to be Established / Synchronization Timeout",
        "MAC Connection Failed",
        "Coarse Clock Adjustment Rejected but Will Try to Adjust Using Clock Dragging",
        "Type0 Submap Not Defined",
        "Unknown Advertising Identifier",
        "Limit Reached",
        "Operation Cancelled by Host",
        "Packet Too Long",
        "Packet Too Late",
        "Packet Too Early",
        "Insufficient Channels",
    ]
}
