/// A record's packet as the packets of a link type are put: what stands before it, and what there is of it.
struct EnclosedPacket {
    /// The four octets before it, big-endian in every file; `nil` where there are none.
    var head: UInt32?
    var body: ArraySlice<UInt8>
    /// The monitor's text ends in a zero octet, that of other containers does not.
    var endsInZero = false
    /// What of the record is lost so.
    var lost: RecordDetails

    var count: Int { (head == nil ? 0 : 4) + body.count + (endsInZero ? 1 : 0) }

    /// Encloses a record's packet; `nil` where the link type has no place for it.
    static func enclosing(_ record: Record, _ linkType: LinkType) -> EnclosedPacket? {
        switch linkType {
        case .h4: h4(record)
        case .h4WithDirection: withDirection(record)
        case .linuxMonitor: monitor(record)
        default: nil
        }
    }

    private static func h4(_ record: Record) -> EnclosedPacket? {
        guard record.kind.packetType != nil || record.kind == .empty else { return nil }
        return EnclosedPacket(
            body: record.octets[...], lost: record.details.intersection([.adapter, .direction]))
    }

    private static func withDirection(_ record: Record) -> EnclosedPacket? {
        guard var packet = h4(record) else { return nil }
        packet.lost.remove(.direction)
        // Of a record without even a direction nothing is made up.
        if record.kind != .empty || record.direction != nil { packet.head = record.namedDirection == .received ? 1 : 0 }
        return packet
    }

    private static func monitor(_ record: Record) -> EnclosedPacket? {
        let isPacket = record.kind.packetType != nil
        let isLoggerText = record.kind == .loggerNote(.note)
        let kind = isLoggerText ? .note(.systemNote) : record.kind
        guard let opcode = MonitorOpcode(packet: kind, direction: record.namedDirection) else { return nil }
        let adapter = record.adapter ?? (isPacket ? 0 : MonitorOpcode.noAdapter)
        let isDirectionLost = record.direction != nil && record.direction != opcode.packet?.direction
        return EnclosedPacket(
            head: UInt32(adapter) << 16 | UInt32(opcode.rawValue),
            body: isPacket ? record.octets.dropFirst() : record.octets[...], endsInZero: isLoggerText,
            lost: isDirectionLost ? .direction : [])
    }

    func append(to octets: inout [UInt8]) {
        if let head { octets.append(head, .big) }
        octets.append(contentsOf: body)
        if endsInZero { octets.append(0) }
    }
}
