public import Wire

/// The code of an event (Core Vol 4, Part E, 7.7).
public struct EventCode: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let connectionComplete = EventCode(rawValue: 0x03)
    public static let disconnectionComplete = EventCode(rawValue: 0x05)
    public static let encryptionChange = EventCode(rawValue: 0x08)
    public static let readRemoteVersionInformationComplete = EventCode(rawValue: 0x0C)
    public static let commandComplete = EventCode(rawValue: 0x0E)
    public static let commandStatus = EventCode(rawValue: 0x0F)
    public static let hardwareError = EventCode(rawValue: 0x10)
    public static let numberOfCompletedPackets = EventCode(rawValue: 0x13)
    public static let dataBufferOverflow = EventCode(rawValue: 0x1A)
    public static let encryptionKeyRefreshComplete = EventCode(rawValue: 0x30)
    public static let leMeta = EventCode(rawValue: 0x3E)
    public static let encryptionChangeV2 = EventCode(rawValue: 0x59)
    public static let vendorSpecific = EventCode(rawValue: 0xFF)

    public var name: String? { Self.names[rawValue] }

    private static let names: [UInt8: String] = [
        0x01: "Inquiry Complete",
        0x02: "Inquiry Result",
        0x03: "Connection Complete",
        0x04: "Connection Request",
        0x05: "Disconnection Complete",
        0x06: "Authentication Complete",
        0x07: "Remote Name Request Complete",
        0x08: "Encryption Change",
        0x09: "Change Connection Link Key Complete",
        0x0A: "Link Key Type Changed",
        0x0B: "Read Remote Supported Features Complete",
        0x0C: "Read Remote Version Information Complete",
        0x0D: "QoS Setup Complete",
        0x0E: "Command Complete",
        0x0F: "Command Status",
        0x10: "Hardware Error",
        0x11: "Flush Occurred",
        0x12: "Role Change",
        0x13: "Number Of Completed Packets",
        0x14: "Mode Change",
        0x15: "Return Link Keys",
        0x16: "PIN Code Request",
        0x17: "Link Key Request",
        0x18: "Link Key Notification",
        0x19: "Loopback Command",
        0x1A: "Data Buffer Overflow",
        0x1B: "Max Slots Change",
        0x1C: "Read Clock Offset Complete",
        0x1D: "Connection Packet Type Changed",
        0x1E: "QoS Violation",
        0x1F: "Page Scan Mode Change",
        0x20: "Page Scan Repetition Mode Change",
        0x21: "Flow Specification Complete",
        0x22: "Inquiry Result with RSSI",
        0x23: "Read Remote Extended Features Complete",
        0x2C: "Synchronous Connection Complete",
        0x2D: "Synchronous Connection Changed",
        0x2E: "Sniff Subrating",
        0x2F: "Extended Inquiry Result",
        0x30: "Encryption Key Refresh Complete",
        0x31: "IO Capability Request",
        0x32: "IO Capability Response",
        0x33: "User Confirmation Request",
        0x34: "User Passkey Request",
        0x35: "Remote OOB Data Request",
        0x36: "Simple Pairing Complete",
        0x38: "Link Supervision Timeout Changed",
        0x39: "Enhanced Flush Complete",
        0x3B: "User Passkey Notification",
        0x3C: "Keypress Notification",
        0x3D: "Remote Host Supported Features Notification",
        0x3E: "LE Meta",
        0x40: "Physical Link Complete",
        0x41: "Channel Selected",
        0x42: "Disconnection Physical Link Complete",
        0x43: "Physical Link Loss Early Warning",
        0x44: "Physical Link Recovery",
        0x45: "Logical Link Complete",
        0x46: "Disconnection Logical Link Complete",
        0x47: "Flow Spec Modify Complete",
        0x48: "Number Of Completed Data Blocks",
        0x49: "AMP Start Test",
        0x4A: "AMP Test End",
        0x4B: "AMP Receiver Report",
        0x4C: "Short Range Mode Change Complete",
        0x4D: "AMP Status Change",
        0x4E: "Triggered Clock Capture",
        0x4F: "Synchronization Train Complete",
        0x50: "Synchronization Train Received",
        0x51: "Connectionless Peripheral Broadcast Receive",
        0x52: "Connectionless Peripheral Broadcast Timeout",
        0x53: "Truncated Page Complete",
        0x54: "Peripheral Page Response Timeout",
        0x55: "Connectionless Peripheral Broadcast Channel Map Change",
        0x56: "Inquiry Response Notification",
        0x57: "Authenticated Payload Timeout Expired",
        0x58: "SAM Status Change",
        0x59: "Encryption Change [v2]",
        0xFF: "Vendor Specific",
    ]
}
