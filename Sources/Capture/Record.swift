public import Wire

/// One record of a capture: a packet that passed between host and controller, or a note about it.
public struct Record: Hashable, Sendable {
    /// The record's number in its file, from 1.
    public var frame: Int
    /// Where the record begins in its file, in octets from the start.
    public var offset: Int
    /// When the packet was recorded; `nil` in a container that keeps no times. Times may run backwards and lie before 1970.
    public var timestamp: Timestamp?
    /// What a container with a finer clock tells beyond the microseconds of `timestamp`: 0 to 999.
    public var nanoseconds: UInt16 = 0
    /// The adapter's index where the container tells several apart, in pcapng the interface's name or number; `nil` where it
    /// does not, or the note concerns none.
    public var adapter: UInt16?
    /// `nil` for notes, and in a container that keeps no directions.
    public var direction: Direction?
    /// What the record is.
    public var kind: Kind
    /// The HCI packet, its H4 type octet first whatever the container keeps (Core Vol 4, Part A, 2); of a note, its content.
    public var octets: [UInt8]
    /// Octets that the container holds of the record, by the container's own count: with what it puts before the packet, the
    /// direction in a pcap of link type 201 say, and without a type octet that it does not keep.
    public var includedLength: Int
    /// Octets that there were when the record was made, counted in the same way; fewer are included where it was cut short.
    public var originalLength: Int
    /// Records lost between the start of the capture and this one, as the recorder counted them.
    public var cumulativeDrops: UInt32
    /// What people wrote beside the record.
    public var comments: [String] = []

    public init(
        frame: Int, offset: Int = 0, timestamp: Timestamp? = nil, adapter: UInt16? = nil, direction: Direction? = nil,
        kind: Kind, octets: [UInt8], includedLength: Int, originalLength: Int, cumulativeDrops: UInt32 = 0
    ) {
        self.frame = frame
        self.offset = offset
        self.timestamp = timestamp
        self.adapter = adapter
        self.direction = direction
        self.kind = kind
        self.octets = octets
        self.includedLength = includedLength
        self.originalLength = originalLength
        self.cumulativeDrops = cumulativeDrops
    }

    /// Whether the recorder kept only the first octets.
    public var isCutShort: Bool { includedLength < originalLength }

    /// No HCI packet is longer than an ACL packet of 65,535 octets with its header and type. A record that claims to be
    /// longer than this is damage, and is not waited for.
    static let longest = 1 << 17
}

extension Record {
    /// Which way a packet went.
    public enum Direction: Hashable, Sendable {
        /// From controller to host.
        case received
        /// From host to controller.
        case sent
    }

    /// What a record holds.
    public enum Kind: Hashable, Sendable {
        case command, event, acl, sco, iso
        /// What the recorder notes beside the packets: adapters that come and go, log lines.
        case note(MonitorOpcode)
        /// What PacketLogger notes beside the packets.
        case loggerNote(PacketLogger.RecordType)
        /// A packet that is none of HCI, in a file of several interfaces; `nil` where the file does not describe the interface.
        /// Its content is not kept.
        case foreign(LinkType?)
        /// A packet with an H4 type that the specification does not assign.
        case unassigned(UInt8)
        /// A record without even a type octet.
        case empty

        /// The kind that an H4 type octet names (Core Vol 4, Part A, 2).
        @inlinable
        public init(packetType: UInt8) {
            switch packetType {
            case 1: self = .command
            case 2: self = .acl
            case 3: self = .sco
            case 4: self = .event
            case 5: self = .iso
            default: self = .unassigned(packetType)
            }
        }

        /// The H4 type octet; `nil` for notes and empty records.
        public var packetType: UInt8? {
            switch self {
            case .command: 1
            case .acl: 2
            case .sco: 3
            case .event: 4
            case .iso: 5
            case .unassigned(let type): type
            case .note, .loggerNote, .foreign, .empty: nil
            }
        }
    }
}
