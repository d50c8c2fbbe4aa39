public import Wire

/// What the LE half of a device can do (Core Vol 6, Part B, 4.6).
public struct LEFeatures: NamedBits, OptionSet {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let encryption = LEFeatures(rawValue: 1 << 0)
    public static let connectionParametersRequest = LEFeatures(rawValue: 1 << 1)
    public static let extendedReject = LEFeatures(rawValue: 1 << 2)
    public static let peripheralInitiatedFeaturesExchange = LEFeatures(rawValue: 1 << 3)
    public static let ping = LEFeatures(rawValue: 1 << 4)
    public static let dataPacketLengthExtension = LEFeatures(rawValue: 1 << 5)
    public static let privacy = LEFeatures(rawValue: 1 << 6)
    public static let extendedScanningFilterPolicies = LEFeatures(rawValue: 1 << 7)
    public static let le2M = LEFeatures(rawValue: 1 << 8)
    public static let leCoded = LEFeatures(rawValue: 1 << 11)
    public static let extendedAdvertising = LEFeatures(rawValue: 1 << 12)
    public static let periodicAdvertising = LEFeatures(rawValue: 1 << 13)
    public static let channelSelectionAlgorithm2 = LEFeatures(rawValue: 1 << 14)

    public static func name(ofBit bit: Int) -> String? { names.indices.contains(bit) ? names[bit] : nil }

    /// By bit.
    private static let names: [String?] =
        [
            "LE Encryption",
            "Connection Parameters Request",
            "Extended Reject Indication",
            "Peripheral-initiated Features Exchange",
            "LE Ping",
            "LE Data Packet Length Extension",
            "LL Privacy",
            "Extended Scanning Filter Policies",
            "LE 2M PHY",
            "Stable Modulation Index - Transmitter",
            "Stable Modulation Index - Receiver",
            "LE Coded PHY",
            "LE Extended Advertising",
            "LE Periodic Advertising",
            "Channel Selection Algorithm #2",
            "LE Power Class 1",
            "Minimum Number of Used Channels",
            "Connection CTE Request",
            "Connection CTE Response",
            "Connectionless CTE Transmitter",
            "Connectionless CTE Receiver",
            "Antenna Switching During CTE Transmission",
            "Antenna Switching During CTE Reception",
            "Receiving Constant Tone Extensions",
            "Periodic Advertising Sync Transfer - Sender",
            "Periodic Advertising Sync Transfer - Recipient",
            "Sleep Clock Accuracy Updates",
            "Remote Public Key Validation",
            "Connected Isochronous Stream - Central",
            "Connected Isochronous Stream - Peripheral",
            "Isochronous Broadcaster",
            "Synchronized Receiver",
            "Connected Isochronous Stream (Host Support)",
            "LE Power Control Request",
            "LE Power Control Request (second bit)",
            "LE Path Loss Monitoring",
            "Periodic Advertising ADI",
            "Connection Subrating",
            "Connection Subrating (Host Support)",
            "Channel Classification",
            "Advertising Coding Selection",
            "Advertising Coding Selection (Host Support)",
            "Decision-Based Advertising Filtering",
            "Periodic Advertising with Responses - Advertiser",
            "Periodic Advertising with Responses - Scanner",
            "Unsegmented Framed Mode",
            "Channel Sounding",
            "Channel Sounding (Host Support)",
            "Channel Sounding Tone Quality Indication",
        ] + Array(repeating: nil, count: 14) + ["LL Extended Feature Set"]
}
