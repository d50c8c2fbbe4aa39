public import Wire

/// What Heart Rate Control Point, 2A39, can be told (Heart Rate Service 1.0, 3.3).
public struct HeartRateControlPoint: AssignedNumber {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Sets the energy expended to 0.
    public static let resetEnergyExpended = Self(rawValue: 1)

    public var name: String? {
        self == .resetEnergyExpended ? "Reset Energy Expended" : nil
    }

    /// The value to write.
    public var encoded: [UInt8] { [rawValue] }
}

/// The ATT application errors that the Heart Rate Service gives a meaning (Heart Rate Service 1.0, 2.4).
public struct HeartRateServiceError: AssignedNumber {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The answer to a control point value that the sensor does not know.
    public static let controlPointNotSupported = Self(rawValue: 0x80)

    public var name: String? {
        self == .controlPointNotSupported ? "Control Point Not Supported" : nil
    }
}
