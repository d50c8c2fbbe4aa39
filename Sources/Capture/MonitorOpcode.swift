public import Wire

/// What a record of the Linux Bluetooth monitor is, as in `btmon` and its files.
public struct MonitorOpcode: AssignedNumber {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let newIndex = MonitorOpcode(rawValue: 0)
    public static let deleteIndex = MonitorOpcode(rawValue: 1)
    public static let command = MonitorOpcode(rawValue: 2)
    public static let event = MonitorOpcode(rawValue: 3)
    public static let aclSent = MonitorOpcode(rawValue: 4)
    public static let aclReceived = MonitorOpcode(rawValue: 5)
    public static let scoSent = MonitorOpcode(rawValue: 6)
    public static let scoReceived = MonitorOpcode(rawValue: 7)
    public static let openIndex = MonitorOpcode(rawValue: 8)
    public static let closeIndex = MonitorOpcode(rawValue: 9)
    public static let indexInformation = MonitorOpcode(rawValue: 10)
    public static let vendorDiagnostics = MonitorOpcode(rawValue: 11)
    public static let systemNote = MonitorOpcode(rawValue: 12)
    public static let userLogging = MonitorOpcode(rawValue: 13)
    public static let controlOpen = MonitorOpcode(rawValue: 14)
    public static let controlClose = MonitorOpcode(rawValue: 15)
    public static let controlCommand = MonitorOpcode(rawValue: 16)
    public static let controlEvent = MonitorOpcode(rawValue: 17)
    public static let isoSent = MonitorOpcode(rawValue: 18)
    public static let isoReceived = MonitorOpcode(rawValue: 19)

    public var name: String? {
        switch self {
        case .newIndex: "New Index"
        case .deleteIndex: "Delete Index"
        case .command: "Command"
        case .event: "Event"
        case .aclSent: "ACL Data Sent"
        case .aclReceived: "ACL Data Received"
        case .scoSent: "SCO Data Sent"
        case .scoReceived: "SCO Data Received"
        case .openIndex: "Open Index"
        case .closeIndex: "Close Index"
        case .indexInformation: "Index Information"
        case .vendorDiagnostics: "Vendor Diagnostics"
        case .systemNote: "System Note"
        case .userLogging: "User Logging"
        case .controlOpen: "Control Open"
        case .controlClose: "Control Close"
        case .controlCommand: "Control Command"
        case .controlEvent: "Control Event"
        case .isoSent: "ISO Data Sent"
        case .isoReceived: "ISO Data Received"
        default: nil
        }
    }

    /// The index of a record that concerns no adapter.
    static let noAdapter: UInt16 = 0xFFFF

    /// The packet that the record holds and the way it went; `nil` where it is a note.
    var packet: (kind: Record.Kind, direction: Record.Direction)? {
        switch self {
        case .command: (.command, .sent)
        case .event: (.event, .received)
        case .aclSent: (.acl, .sent)
        case .aclReceived: (.acl, .received)
        case .scoSent: (.sco, .sent)
        case .scoReceived: (.sco, .received)
        case .isoSent: (.iso, .sent)
        case .isoReceived: (.iso, .received)
        default: nil
        }
    }

    /// The inverse of `packet`: a command is always sent, an event always received. `nil` for what the monitor has no number for.
    init?(packet kind: Record.Kind, direction: Record.Direction) {
        switch (kind, direction) {
        case (.command, _): self = .command
        case (.event, _): self = .event
        case (.acl, .sent): self = .aclSent
        case (.acl, .received): self = .aclReceived
        case (.sco, .sent): self = .scoSent
        case (.sco, .received): self = .scoReceived
        case (.iso, .sent): self = .isoSent
        case (.iso, .received): self = .isoReceived
        case (.note(let opcode), _): self = opcode
        case (.loggerNote, _), (.foreign, _), (.unassigned, _), (.empty, _): return nil
        }
    }
}
