public import Wire

/// What a signalling command is (Core Vol 3, Part A, 4, table 4.2).
public struct SignalingCode: AssignedNumber {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let commandReject = Self(rawValue: 0x01)
    public static let disconnectionRequest = Self(rawValue: 0x06)
    public static let disconnectionResponse = Self(rawValue: 0x07)
    public static let connectionParameterUpdateRequest = Self(rawValue: 0x12)
    public static let connectionParameterUpdateResponse = Self(rawValue: 0x13)
    public static let leCreditBasedConnectionRequest = Self(rawValue: 0x14)
    public static let leCreditBasedConnectionResponse = Self(rawValue: 0x15)
    public static let flowControlCreditIndication = Self(rawValue: 0x16)
    public static let creditBasedConnectionRequest = Self(rawValue: 0x17)
    public static let creditBasedConnectionResponse = Self(rawValue: 0x18)
    public static let creditBasedReconfigureRequest = Self(rawValue: 0x19)
    public static let creditBasedReconfigureResponse = Self(rawValue: 0x1A)

    public var name: String? {
        Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : nil
    }

    /// Whether the command answers another: never answered itself, whatever it holds.
    public var isResponse: Bool {
        [0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x15, 0x18, 0x1A].contains(rawValue)
    }

    private static let names: [String?] = [
        nil, "Command Reject", "Connection Request", "Connection Response", "Configuration Request",
        "Configuration Response", "Disconnection Request", "Disconnection Response", "Echo Request", "Echo Response",
        "Information Request", "Information Response", "Create Channel Request", "Create Channel Response",
        "Move Channel Request", "Move Channel Response", "Move Channel Confirmation",
        "Move Channel Confirmation Response", "Connection Parameter Update Request",
        "Connection Parameter Update Response", "LE Credit Based Connection Request",
        "LE Credit Based Connection Response", "Flow Control Credit Indication", "Credit Based Connection Request",
        "Credit Based Connection Response", "Credit Based Reconfigure Request", "Credit Based Reconfigure Response",
    ]
}
