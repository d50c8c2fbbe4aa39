public import Wire

/// What the packets of a pcap or pcapng file begin with, after the numbers that tcpdump.org assigns.
public struct LinkType: AssignedNumber {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The H4 type octet and the packet; nothing tells the direction (`BLUETOOTH_HCI_H4`).
    public static let h4 = LinkType(rawValue: 187)
    /// Four octets of direction, big-endian in every file, then as on an H4 line (`BLUETOOTH_HCI_H4_WITH_PHDR`).
    public static let h4WithDirection = LinkType(rawValue: 201)
    /// Adapter and opcode of the Linux monitor, both big-endian in every file, then the packet without a type octet
    /// (`BLUETOOTH_LINUX_MONITOR`).
    public static let linuxMonitor = LinkType(rawValue: 254)

    public var name: String? {
        switch self {
        case LinkType(rawValue: 0): "BSD loopback"
        case LinkType(rawValue: 1): "Ethernet"
        case LinkType(rawValue: 101): "raw IP"
        case LinkType(rawValue: 105): "IEEE 802.11"
        case LinkType(rawValue: 113): "Linux cooked capture"
        case LinkType(rawValue: 147): "user 0"
        case .h4: "Bluetooth HCI H4"
        case LinkType(rawValue: 189), LinkType(rawValue: 220): "Linux USB"
        case .h4WithDirection: "Bluetooth HCI H4 with direction"
        case LinkType(rawValue: 249): "USBPcap"
        case LinkType(rawValue: 251): "Bluetooth LE link layer"
        case .linuxMonitor: "Bluetooth Linux Monitor"
        case LinkType(rawValue: 255): "Bluetooth BR/EDR baseband"
        case LinkType(rawValue: 256): "Bluetooth LE link layer with radio information"
        case LinkType(rawValue: 272): "nRF Sniffer"
        default: nil
        }
    }

    /// Whether its packets are HCI's.
    var isHCI: Bool { self == .h4 || self == .h4WithDirection || self == .linuxMonitor }
}

extension Record {
    /// Fills in the packet that a container holds in the manner of `linkType`.
    mutating func fill(_ linkType: LinkType, _ body: ArraySlice<UInt8>) {
        switch linkType {
        case .h4: fillH4(body)
        case .h4WithDirection: fillWithDirection(body)
        case .linuxMonitor: fillMonitor(body)
        default: kind = .foreign(linkType)
        }
    }

    private mutating func fillWithDirection(_ body: ArraySlice<UInt8>) {
        // A record cut inside the direction tells nothing.
        guard body.count >= 4 else { return }
        direction = body[body.startIndex + 3] & 1 == 0 ? .sent : .received
        fillH4(body.dropFirst(4))
    }

    private mutating func fillMonitor(_ body: ArraySlice<UInt8>) {
        guard body.count >= 4 else { return }
        let start = body.startIndex
        fill(
            monitor: MonitorOpcode(rawValue: ByteOrder.big.uint16(body[start + 2], body[start + 3])),
            adapter: ByteOrder.big.uint16(body[start], body[start + 1]), body.dropFirst(4))
    }

    /// A packet as on an H4 line. Commands and events have but one direction; of the rest it stays what it was.
    mutating func fillH4(_ body: ArraySlice<UInt8>) {
        kind = body.first.map(Kind.init(packetType:)) ?? .empty
        if direction == nil {
            if kind == .command { direction = .sent } else if kind == .event { direction = .received }
        }
        octets = [UInt8](body)
    }

    /// A record of the Linux monitor.
    mutating func fill(monitor opcode: MonitorOpcode, adapter index: UInt16, _ body: ArraySlice<UInt8>) {
        adapter = index == MonitorOpcode.noAdapter ? nil : index
        guard let packet = opcode.packet else {
            kind = .note(opcode)
            octets = [UInt8](body)
            return
        }
        direction = packet.direction
        fill(packet.kind, body)
    }

    /// Puts the type octet before a packet that was kept without it.
    mutating func fill(_ kind: Kind, _ body: ArraySlice<UInt8>) {
        self.kind = kind
        octets = []
        octets.reserveCapacity(body.count + 1)
        if let type = kind.packetType { octets.append(type) }
        octets.append(contentsOf: body)
    }
}
