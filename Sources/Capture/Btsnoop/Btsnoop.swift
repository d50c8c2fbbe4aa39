public import Wire

/// The btsnoop container: a file header of 16 octets, then records, each with a header of 24. All numbers are big-endian.
public enum Btsnoop {
    /// How a file's records hold their packets.
    public struct DataLink: AssignedNumber {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Packets without a type octet; the record's flags tell the type. Has no number for SCO and ISO data.
        public static let h1 = DataLink(rawValue: 1001)
        /// Packets as on an H4 line: the type octet first.
        public static let h4 = DataLink(rawValue: 1002)
        /// Records of the Linux Bluetooth monitor: several adapters, and notes.
        public static let monitor = DataLink(rawValue: 2001)

        public var name: String? {
            switch self {
            case .h1: "un-encapsulated HCI"
            case .h4: "HCI UART (H4)"
            case DataLink(rawValue: 1003): "HCI BCSP"
            case DataLink(rawValue: 1004): "HCI Serial (H5)"
            case .monitor: "Linux Monitor"
            case DataLink(rawValue: 2002): "Linux Simulator"
            default: nil
            }
        }
    }

    static let identification = [UInt8]("btsnoop\0".utf8)
    static let version: UInt32 = 1
    static let fileHeaderCount = 16
    static let recordHeaderCount = 24

    /// The time stamp of 1970-01-01: microseconds since the year 0, as every recorder counts them.
    static let timestampOf1970: Int64 = 0x00DC_DDB3_0F2F_8000

    /// The flags' bit for a packet from the controller.
    static let receivedFlag: UInt32 = 1
    /// The flags' bit for a command or an event.
    static let commandOrEventFlag: UInt32 = 2
}
