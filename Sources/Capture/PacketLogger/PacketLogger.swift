public import Wire

/// The container of Apple's PacketLogger: records one behind the other, without a file header. Each begins with 12 octets, in one
/// byte order throughout the file: the length of what follows the length, seconds and microseconds since 1970. Its type follows.
public enum PacketLogger {
    /// What a record is.
    public struct RecordType: AssignedNumber {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let command = RecordType(rawValue: 0x00)
        public static let event = RecordType(rawValue: 0x01)
        public static let aclSent = RecordType(rawValue: 0x02)
        public static let aclReceived = RecordType(rawValue: 0x03)
        public static let scoSent = RecordType(rawValue: 0x08)
        public static let scoReceived = RecordType(rawValue: 0x09)
        public static let lmpSent = RecordType(rawValue: 0x0A)
        public static let lmpReceived = RecordType(rawValue: 0x0B)
        public static let systemLog = RecordType(rawValue: 0xF7)
        public static let kernel = RecordType(rawValue: 0xF8)
        public static let kernelDebug = RecordType(rawValue: 0xF9)
        public static let error = RecordType(rawValue: 0xFA)
        public static let power = RecordType(rawValue: 0xFB)
        public static let note = RecordType(rawValue: 0xFC)
        public static let configuration = RecordType(rawValue: 0xFD)
        public static let newController = RecordType(rawValue: 0xFE)

        public var name: String? {
            switch self {
            case .command: "Command"
            case .event: "Event"
            case .aclSent: "ACL Data Sent"
            case .aclReceived: "ACL Data Received"
            case .scoSent: "SCO Data Sent"
            case .scoReceived: "SCO Data Received"
            case .lmpSent: "LMP Sent"
            case .lmpReceived: "LMP Received"
            case .systemLog: "System Log"
            case .kernel: "Kernel"
            case .kernelDebug: "Kernel Debug"
            case .error: "Error"
            case .power: "Power"
            case .note: "Note"
            case .configuration: "Configuration"
            case .newController: "New Controller"
            default: nil
            }
        }

        /// The packet that the record holds and the way it went; `nil` where it is a note.
        var packet: (kind: Record.Kind, direction: Record.Direction)? {
            switch self {
            case .command: (.command, .sent)
            case .event: (.event, .received)
            case .aclSent: (.acl, .sent)
            case .aclReceived: (.acl, .received)
            case .scoSent: (.sco, .sent)
            case .scoReceived: (.sco, .received)
            default: nil
            }
        }
    }

    /// Length, seconds and microseconds.
    static let headerCount = 12
    /// What the length counts at least: the time.
    static let timeCount = 8
    /// The first record is shorter than this, so that the order of the length's octets is certain.
    static let longestFirst = 1 << 16
}
