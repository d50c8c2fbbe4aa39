/// The container of libpcap: a file header of 24 octets, then records, each with a header of 16, all in one byte order.
public enum Pcap {
    /// How finely a file's times are told.
    public enum Precision: Hashable, Sendable {
        case microseconds
        case nanoseconds

        /// What a file of this precision begins with, as a number.
        var magic: UInt32 {
            switch self {
            case .microseconds: 0xA1B2_C3D4
            case .nanoseconds: 0xA1B2_3C4D
            }
        }
    }

    static let fileHeaderCount = 24
    static let recordHeaderCount = 16
    static let majorVersion: UInt16 = 2
    static let minorVersion: UInt16 = 4
    /// The most that a file promises to hold of a packet.
    static let snapshotLength = UInt32(Record.longest)
}
