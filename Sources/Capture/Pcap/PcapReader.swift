import Wire

/// Reads pcap files whose packets are HCI's.
struct PcapReader: Container {
    let linkType: LinkType
    let order: ByteOrder
    let precision: Pcap.Precision

    var format: CaptureFormat { .pcap(linkType, order, precision) }

    static func recognise(_ window: CaptureWindow) throws(CaptureError) -> Recognition {
        guard let (order, precision) = variant(of: window) else { return .no }
        guard window.available >= Pcap.fileHeaderCount else {
            guard window.isFinished else { return .needsMore }
            // So few octets are no mark.
            guard window.available >= 4 else { return .no }
            throw .fileHeaderCut(octets: window.available, needed: Pcap.fileHeaderCount)
        }
        let version = window.uint16(at: 4, order)
        guard version == Pcap.majorVersion else { throw .unsupportedVersion("pcap", UInt32(version)) }
        // The upper half tells of checksums, which HCI has none of.
        let linkType = LinkType(rawValue: UInt16(truncatingIfNeeded: window.uint32(at: 20, order)))
        guard linkType.isHCI else { throw .unsupportedLinkType(linkType) }
        return .yes(
            PcapReader(linkType: linkType, order: order, precision: precision), header: Pcap.fileHeaderCount)
    }

    /// What the first octets, as many of four as are there, make of the file.
    private static func variant(of window: CaptureWindow) -> (ByteOrder, Pcap.Precision)? {
        for order in ByteOrder.allCases {
            for precision in [Pcap.Precision.microseconds, .nanoseconds] {
                var magic: [UInt8] = []
                magic.append(precision.magic, order)
                if window.begins(with: magic) { return (order, precision) }
            }
        }
        return nil
    }

    mutating func next(_ window: inout CaptureWindow) throws(CaptureError) -> Record? {
        let headerCount = Pcap.recordHeaderCount
        guard try window.has(headerCount) else { return nil }
        let length = try window.checked(length: window.uint32(at: 8, order))
        guard try window.has(headerCount + length) else { return nil }
        var record = Record(
            frame: window.nextFrame, offset: window.offset, kind: .empty, octets: [], includedLength: length,
            originalLength: Int(window.uint32(at: 12, order)))
        let second = Int64(window.uint32(at: 0, order)) * 1_000_000
        let fraction = Int64(window.uint32(at: 4, order))
        switch precision {
        case .microseconds: record.timestamp = Timestamp(microseconds: second + fraction)
        case .nanoseconds:
            record.timestamp = Timestamp(microseconds: second + fraction / 1000)
            record.nanoseconds = UInt16(fraction % 1000)
        }
        record.fill(linkType, window.octets(at: headerCount, count: length))
        window.take(headerCount + length)
        return record
    }
}
