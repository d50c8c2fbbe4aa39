import Wire

/// Writes btsnoop files. A file of a data link that is not known holds nothing.
struct BtsnoopWriter: ContainerWriter {
    let dataLink: Btsnoop.DataLink

    var header: [UInt8] { Btsnoop.fileHeader(dataLink) }

    mutating func append(_ record: Record, to octets: inout [UInt8]) -> RecordDetails? {
        guard let (flags, packet) = enclosed(record) else { return nil }
        let count = packet.body.count + (packet.endsInZero ? 1 : 0)
        let header = Btsnoop.RecordHeader(
            originalLength: record.originalLength(ofBody: count), includedLength: UInt32(clamping: count),
            flags: flags, cumulativeDrops: record.cumulativeDrops,
            timestamp: record.timestamp ?? Timestamp(microseconds: 0))
        header.append(to: &octets)
        octets.append(contentsOf: packet.body)
        if packet.endsInZero { octets.append(0) }
        return packet.lost.union(record.details.intersection([.nanoseconds, .comments]))
    }

    /// What stands in a record's flags, and its packet; `nil` where the data link has no place for it.
    private func enclosed(_ record: Record) -> (flags: UInt32, packet: EnclosedPacket)? {
        if dataLink == .monitor {
            // The flags are what the packet begins with in pcap.
            return EnclosedPacket.enclosing(record, .linuxMonitor).map { ($0.head ?? 0, $0) }
        }
        guard var packet = EnclosedPacket.enclosing(record, .h4) else { return nil }
        packet.lost.remove(.direction)
        let isCommandOrEvent = record.kind == .command || record.kind == .event
        if dataLink == .h1 {
            guard isCommandOrEvent || record.kind == .acl else { return nil }
            packet.body = packet.body.dropFirst()
            // Here the direction tells a command from an event.
            if isCommandOrEvent { packet.lost.formUnion(record.details.intersection(.direction)) }
        } else if dataLink != .h4 {
            return nil
        }
        let isReceived =
            dataLink == .h1 && isCommandOrEvent ? record.kind == .event : record.namedDirection == .received
        return (
            (isReceived ? Btsnoop.receivedFlag : 0) | (isCommandOrEvent ? Btsnoop.commandOrEventFlag : 0), packet
        )
    }
}
