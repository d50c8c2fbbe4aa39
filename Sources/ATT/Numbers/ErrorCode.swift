public import Wire

/// Why a server did not do what a request asked (Core Vol 3, Part F, 3.4.1.1; Core Specification Supplement, Part B).
public struct ErrorCode: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    public static let invalidHandle = ErrorCode(0x01)
    public static let readNotPermitted = ErrorCode(0x02)
    public static let writeNotPermitted = ErrorCode(0x03)
    public static let invalidPDU = ErrorCode(0x04)
    public static let insufficientAuthentication = ErrorCode(0x05)
    public static let requestNotSupported = ErrorCode(0x06)
    public static let invalidOffset = ErrorCode(0x07)
    public static let insufficientAuthorization = ErrorCode(0x08)
    public static let prepareQueueFull = ErrorCode(0x09)
    public static let attributeNotFound = ErrorCode(0x0A)
    public static let attributeNotLong = ErrorCode(0x0B)
    public static let encryptionKeySizeTooShort = ErrorCode(0x0C)
    public static let invalidAttributeValueLength = ErrorCode(0x0D)
    public static let unlikelyError = ErrorCode(0x0E)
    public static let insufficientEncryption = ErrorCode(0x0F)
    public static let unsupportedGroupType = ErrorCode(0x10)
    public static let insufficientResources = ErrorCode(0x11)
    public static let databaseOutOfSync = ErrorCode(0x12)
    public static let valueNotAllowed = ErrorCode(0x13)
    public static let writeRequestRejected = ErrorCode(0xFC)
    public static let clientConfigurationImproper = ErrorCode(0xFD)
    public static let procedureAlreadyInProgress = ErrorCode(0xFE)
    public static let outOfRange = ErrorCode(0xFF)

    /// 0x80…0x9F: its meaning is the profile's or the service's.
    public var isApplicationError: Bool { (0x80...0x9F).contains(rawValue) }

    /// 0xE0…0xFF: its meaning is common to all profiles and services.
    public var isCommonProfileError: Bool { rawValue >= 0xE0 }

    public var name: String? {
        if let name = Self.names[self] { return name }
        if isApplicationError { return "Application Error \(hexadecimal)" }
        if isCommonProfileError { return "Common Profile and Service Error \(hexadecimal)" }
        return nil
    }

    private static let names: [ErrorCode: String] = [
        .invalidHandle: "Invalid Handle",
        .readNotPermitted: "Read Not Permitted",
        .writeNotPermitted: "Write Not Permitted",
        .invalidPDU: "Invalid PDU",
        .insufficientAuthentication: "Insufficient Authentication",
        .requestNotSupported: "Request Not Supported",
        .invalidOffset: "Invalid Offset",
        .insufficientAuthorization: "Insufficient Authorization",
        .prepareQueueFull: "Prepare Queue Full",
        .attributeNotFound: "Attribute Not Found",
        .attributeNotLong: "Attribute Not Long",
        .encryptionKeySizeTooShort: "Encryption Key Size Too Short",
        .invalidAttributeValueLength: "Invalid Attribute Value Length",
        .unlikelyError: "Unlikely Error",
        .insufficientEncryption: "Insufficient Encryption",
        .unsupportedGroupType: "Unsupported Group Type",
        .insufficientResources: "Insufficient Resources",
        .databaseOutOfSync: "Database Out Of Sync",
        .valueNotAllowed: "Value Not Allowed",
        .writeRequestRejected: "Write Request Rejected",
        .clientConfigurationImproper: "Client Characteristic Configuration Descriptor Improperly Configured",
        .procedureAlreadyInProgress: "Procedure Already in Progress",
        .outOfRange: "Out of Range",
    ]
}
