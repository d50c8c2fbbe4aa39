public import Wire

/// What this device is on a connection (Core Vol 4, Part E, 7.7.65.1).
public struct Role: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let central = Role(rawValue: 0)
    public static let peripheral = Role(rawValue: 1)

    public var name: String? {
        switch self {
        case .central: "Central"
        case .peripheral: "Peripheral"
        default: nil
        }
    }
}
