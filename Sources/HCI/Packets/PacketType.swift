public import Wire

/// The octet that stands before a packet on a serial transport, and before every packet in this project (Core Vol 4, Part A, 2).
public struct PacketType: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let command = PacketType(rawValue: 0x01)
    public static let acl = PacketType(rawValue: 0x02)
    public static let synchronous = PacketType(rawValue: 0x03)
    public static let event = PacketType(rawValue: 0x04)
    public static let iso = PacketType(rawValue: 0x05)

    public var name: String? {
        switch self {
        case .command: "Command"
        case .acl: "ACL Data"
        case .synchronous: "Synchronous Data"
        case .event: "Event"
        case .iso: "ISO Data"
        default: nil
        }
    }
}
