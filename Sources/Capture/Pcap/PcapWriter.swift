import Wire

/// Writes pcap files.
struct PcapWriter: ContainerWriter {
    let linkType: LinkType
    let order: ByteOrder
    let precision: Pcap.Precision

    var header: [UInt8] {
        var octets: [UInt8] = []
        octets.append(precision.magic, order)
        octets.append(Pcap.majorVersion, order)
        octets.append(Pcap.minorVersion, order)
        // The zone and the accuracy of the times, which nobody ever told.
        octets.append(0 as UInt64, order)
        octets.append(Pcap.snapshotLength, order)
        octets.append(UInt32(linkType.rawValue), order)
        return octets
    }

    mutating func append(_ record: Record, to octets: inout [UInt8]) -> RecordDetails? {
        guard let packet = EnclosedPacket.enclosing(record, linkType) else { return nil }
        var lost = packet.lost.union(record.details.intersection([.drops, .comments]))
        let time = record.shortTime
        if time == nil { lost.insert(.time) }
        var fraction = time?.microseconds ?? 0
        switch precision {
        case .microseconds: lost.formUnion(record.details.intersection(.nanoseconds))
        case .nanoseconds: fraction = fraction * 1000 + UInt32(min(record.nanoseconds, 999))
        }
        octets.reserveCapacity(octets.count + Pcap.recordHeaderCount + packet.count)
        octets.append(time?.seconds ?? 0, order)
        octets.append(fraction, order)
        octets.append(UInt32(clamping: packet.count), order)
        octets.append(record.originalLength(ofBody: packet.count), order)
        packet.append(to: &octets)
        return lost
    }
}
