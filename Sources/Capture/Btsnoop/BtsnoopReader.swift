/// Reads btsnoop files.
struct BtsnoopReader: Container {
    let dataLink: Btsnoop.DataLink

    var format: CaptureFormat { .btsnoop(dataLink) }

    static func recognise(_ window: CaptureWindow) throws(CaptureError) -> Recognition {
        guard window.begins(with: Btsnoop.identification) else { return .no }
        guard window.available >= Btsnoop.fileHeaderCount else {
            guard window.isFinished else { return .needsMore }
            // So few octets are no mark.
            guard window.available >= 4 else { return .no }
            throw .fileHeaderCut(octets: window.available, needed: Btsnoop.fileHeaderCount)
        }
        let version = window.uint32(at: 8, .big)
        guard version == Btsnoop.version else { throw .unsupportedVersion("btsnoop", version) }
        let dataLink = Btsnoop.DataLink(rawValue: window.uint32(at: 12, .big))
        guard [.h1, .h4, .monitor].contains(dataLink) else { throw .unsupportedDataLink(dataLink) }
        return .yes(BtsnoopReader(dataLink: dataLink), header: Btsnoop.fileHeaderCount)
    }

    mutating func next(_ window: inout CaptureWindow) throws(CaptureError) -> Record? {
        let headerCount = Btsnoop.recordHeaderCount
        guard try window.has(headerCount) else { return nil }
        let header = Btsnoop.RecordHeader(window)
        // The octets that follow are as many as are included; how long the packet once was bounds nothing.
        let length = try window.checked(length: header.includedLength)
        guard try window.has(headerCount + length) else { return nil }
        let body = window.octets(at: headerCount, count: length)
        var record = Record(
            frame: window.nextFrame, offset: window.offset, timestamp: header.timestamp, kind: .empty, octets: [],
            includedLength: length, originalLength: Int(header.originalLength), cumulativeDrops: header.cumulativeDrops)
        switch dataLink {
        case .h1: record.fillH1(flags: header.flags, body)
        case .monitor:
            record.fill(
                monitor: MonitorOpcode(rawValue: UInt16(truncatingIfNeeded: header.flags)),
                adapter: UInt16(truncatingIfNeeded: header.flags >> 16), body)
        default:
            record.direction = header.flags & Btsnoop.receivedFlag == 0 ? .sent : .received
            record.fillH4(body)
        }
        window.take(headerCount + length)
        return record
    }
}

extension Record {
    fileprivate mutating func fillH1(flags: UInt32, _ body: ArraySlice<UInt8>) {
        direction = flags & Btsnoop.receivedFlag == 0 ? .sent : .received
        fill(flags & Btsnoop.commandOrEventFlag == 0 ? .acl : direction == .sent ? .command : .event, body)
    }
}
