public import Wire

/// The link-layer states, and pairs of them, that a controller can be in (Core Vol 4, Part E, 7.8.27).
public struct LEStates: AssignedNumber, OptionSet {
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

    public var name: String? { rawValue == 0 ? nil : "0x" + rawValue.paddedHexadecimal }
}
