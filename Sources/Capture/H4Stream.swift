/// A bare H4 stream: packets one behind the other, each with its type octet, without a container, times or directions.
enum H4Stream {
    /// How many octets the packet at `offset` takes, its type included (Core Vol 4, Part E, 5.4).
    enum Extent {
        case whole(Int)
        /// The header is not there to tell; it takes so many octets, the type included.
        case unknown(header: Int)
        case notAPacket
    }

    static func extent(_ octets: Span<UInt8>, at offset: Int) -> Extent {
        let header: Int
        switch octets[offset] {
        case 1, 3: header = 4
        case 2, 5: header = 5
        case 4: header = 3
        default: return .notAPacket
        }
        guard octets.count - offset >= header else { return .unknown(header: header) }
        var length = Int(octets[offset + header - 1])
        if header == 5 { length = length << 8 | Int(octets[offset + 3]) }
        // The two top bits of an ISO packet's length are reserved.
        if octets[offset] == 5 { length &= 0x3FFF }
        return .whole(header + length)
    }

    enum Recognition { case yes, no, needsMore }

    /// Whether octets look like such a stream: its first packets, four or as many as there are, follow each other exactly.
    static func recognise(_ octets: Span<UInt8>, isWhole: Bool) -> Recognition {
        let proof = 4
        var offset = 0
        for packets in 0..<proof {
            guard offset < octets.count else { return isWhole ? .yes : .needsMore }
            let extent = extent(octets, at: offset)
            if case .notAPacket = extent { return .no }
            guard case .whole(let count) = extent, octets.count - offset >= count else {
                // A stream that was cut short has nothing but the packets before the cut to be known by.
                return isWhole ? (packets > 1 ? .yes : .no) : .needsMore
            }
            offset += count
        }
        return .yes
    }
}

extension CaptureReader {
    mutating func nextStreamedPacket() throws(CaptureError) -> Record? {
        guard available > 0 else { return nil }
        let count: Int
        switch H4Stream.extent(buffer.span, at: start) {
        case .notAPacket: throw .framingLost(frame: nextFrame, offset: offset, octet: buffer[start])
        case .unknown(let header):
            try incomplete(needed: header)
            return nil
        case .whole(let whole):
            count = whole
        }
        guard available >= count else {
            try incomplete(needed: count)
            return nil
        }
        let kind = Record.Kind(packetType: buffer[start])
        let record = Record(
            frame: nextFrame, offset: offset, direction: kind == .command ? .sent : kind == .event ? .received : nil,
            kind: kind, octets: [UInt8](buffer[start..<start + count]), includedLength: count, originalLength: count)
        take(count)
        return record
    }
}
