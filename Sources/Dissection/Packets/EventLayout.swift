import HCI

/// Where in an event's parameters the status and the connection handle stand, for the events that have them.
struct EventLayout {
    /// Whether the parameters begin with a status.
    var beginsWithStatus = false
    /// Where the connection handle stands.
    var handleOffset: Int?

    private static let statusOnly = EventLayout(beginsWithStatus: true)
    private static let statusAndHandle = EventLayout(beginsWithStatus: true, handleOffset: 1)
    private static let handleOnly = EventLayout(handleOffset: 0)

    /// Events by code (Core Vol 4, Part E, 7.7).
    init(_ code: EventCode) {
        switch code.rawValue {
        case 0x03, 0x05, 0x06, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x14, 0x1C, 0x1D, 0x21, 0x23, 0x2C, 0x2D, 0x2E, 0x30,
            0x59:
            self = .statusAndHandle
        case 0x01, 0x07, 0x0F, 0x12, 0x36: self = .statusOnly
        case 0x11, 0x1B, 0x1E, 0x38, 0x39, 0x57: self = .handleOnly
        default: self.init()
        }
    }

    /// LE events by sub-event, counted from behind its code (Core Vol 4, Part E, 7.7.65).
    init(_ subevent: LESubevent) {
        switch subevent.rawValue {
        case 0x01, 0x03, 0x04, 0x0A, 0x0C, 0x29: self = .statusAndHandle
        case 0x05, 0x06, 0x07, 0x14: self = .handleOnly
        case 0x08, 0x09, 0x0E, 0x12, 0x24: self = .statusOnly
        default: self.init()
        }
    }

    private init(beginsWithStatus: Bool = false, handleOffset: Int? = nil) {
        self.beginsWithStatus = beginsWithStatus
        self.handleOffset = handleOffset
    }
}

extension Opcode {
    /// Whether the command's parameters begin with a connection handle.
    var takesHandle: Bool {
        switch rawValue {
        case 0x0406, 0x040F, 0x0411, 0x0413, 0x0415, 0x041B, 0x041C, 0x041D, 0x041F, 0x0420, 0x0428, 0x043D: true
        case 0x0801, 0x0803, 0x0804, 0x0807, 0x0810, 0x0C5F: true
        case 0x2013, 0x2016, 0x2019, 0x2032, 0x2066, 0x206D, 0x2077, 0x207E: true
        default: returnsHandle
        }
    }

    /// Whether its Command Complete names the connection behind the status; the command itself begins with it.
    var returnsHandle: Bool {
        switch rawValue {
        case 0x0809, 0x080C, 0x080D, 0x0811, 0x0C08, 0x0C27, 0x0C28, 0x0C2D, 0x0C36, 0x0C37, 0x0C7B, 0x0C7C: true
        case 0x1401...0x1403, 0x1405...0x1408: true
        case 0x2015, 0x201A, 0x201B, 0x2020...0x2022, 0x2030, 0x2054...0x2057, 0x205A...0x205C, 0x2067: true
        case 0x206E...0x2076, 0x2078...0x207A: true
        default: false
        }
    }
}
