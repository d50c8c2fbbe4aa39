public import Wire

/// The link-layer states, and pairs of them, that a controller can be in (Core Vol 4, Part E, 7.8.27).
public struct LEStates: NamedBits, OptionSet {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let passiveScanning = LEStates(rawValue: 1 << 4)
    public static let activeScanning = LEStates(rawValue: 1 << 5)
    public static let initiating = LEStates(rawValue: 1 << 6)
    public static let initiatingWhilePassivelyScanning = LEStates(rawValue: 1 << 22)
    public static let initiatingWhileActivelyScanning = LEStates(rawValue: 1 << 23)
    public static let passiveScanningAsCentral = LEStates(rawValue: 1 << 24)
    public static let activeScanningAsCentral = LEStates(rawValue: 1 << 25)
    /// Needed for a second connection.
    public static let initiatingAsCentral = LEStates(rawValue: 1 << 28)

    public static func name(ofBit bit: Int) -> String? { names.indices.contains(bit) ? names[bit] : nil }

    /// By bit; a pair of states is one with the other.
    private static let names = [
        "Non-connectable Advertising",
        "Scannable Advertising",
        "Connectable Advertising",
        "High Duty Cycle Directed Advertising",
        "Passive Scanning",
        "Active Scanning",
        "Initiating",
        "Connection as Peripheral",
        "Non-connectable Advertising + Passive Scanning",
        "Scannable Advertising + Passive Scanning",
        "Connectable Advertising + Passive Scanning",
        "High Duty Cycle Directed Advertising + Passive Scanning",
        "Non-connectable Advertising + Active Scanning",
        "Scannable Advertising + Active Scanning",
        "Connectable Advertising + Active Scanning",
        "High Duty Cycle Directed Advertising + Active Scanning",
        "Non-connectable Advertising + Initiating",
        "Scannable Advertising + Initiating",
        "Non-connectable Advertising + Connection as Central",
        "Scannable Advertising + Connection as Central",
        "Non-connectable Advertising + Connection as Peripheral",
        "Scannable Advertising + Connection as Peripheral",
        "Passive Scanning + Initiating",
        "Active Scanning + Initiating",
        "Passive Scanning + Connection as Central",
        "Active Scanning + Connection as Central",
        "Passive Scanning + Connection as Peripheral",
        "Active Scanning + Connection as Peripheral",
        "Initiating + Connection as Central",
        "Low Duty Cycle Directed Advertising",
        "Low Duty Cycle Directed Advertising + Passive Scanning",
        "Low Duty Cycle Directed Advertising + Active Scanning",
        "Connectable Advertising + Initiating",
        "High Duty Cycle Directed Advertising + Initiating",
        "Low Duty Cycle Directed Advertising + Initiating",
        "Connectable Advertising + Connection as Central",
        "High Duty Cycle Directed Advertising + Connection as Central",
        "Low Duty Cycle Directed Advertising + Connection as Central",
        "Connectable Advertising + Connection as Peripheral",
        "High Duty Cycle Directed Advertising + Connection as Peripheral",
        "Low Duty Cycle Directed Advertising + Connection as Peripheral",
        "Initiating + Connection as Peripheral",
    ]
}
