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

    enum Likeness { case yes, no, needsMore }

    /// Whether octets look like such a stream: its first packets, four or as many as there are, follow each other exactly.
    static func likeness(_ octets: Span<UInt8>, isWhole: Bool) -> Likeness {
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

/// Reads bare H4 streams.
struct H4StreamReader: Container {
    var format: CaptureFormat { .h4 }

    static func recognise(_ window: CaptureWindow) throws(CaptureError) -> Recognition {
        switch H4Stream.likeness(window.buffer.span, isWhole: window.isFinished) {
        case .yes: .yes(H4StreamReader(), header: 0)
        case .no: .no
        case .needsMore: .needsMore
        }
    }

    mutating func next(_ window: inout CaptureWindow) throws(CaptureError) -> Record? {
        guard window.available > 0 else { return nil }
        switch H4Stream.extent(window.buffer.span, at: window.start) {
        case .notAPacket:
            throw .framingLost(frame: window.nextFrame, offset: window.offset, octet: window.uint8(at: 0))
        case .unknown(let header):
            _ = try window.has(header)
            return nil
        case .whole(let count):
            guard try window.has(count) else { return nil }
            var record = Record(
                frame: window.nextFrame, offset: window.offset, kind: .empty, octets: [], includedLength: count,
                originalLength: count)
            record.fillH4(window.octets(at: 0, count: count))
            window.take(count)
            return record
        }
    }
}
