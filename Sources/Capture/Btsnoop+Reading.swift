import Wire

extension Btsnoop {
    /// Reads the file header, which is whole.
    static func dataLink(ofFileHeader octets: Span<UInt8>) throws(CaptureError) -> DataLink {
        let version = bigEndian32(octets, at: 8)
        guard version == Self.version else { throw .unsupportedVersion(version) }
        let dataLink = DataLink(rawValue: bigEndian32(octets, at: 12))
        guard [.h1, .h4, .monitor].contains(dataLink) else { throw .unsupportedDataLink(dataLink) }
        return dataLink
    }
}

extension CaptureReader {
    mutating func nextBtsnoopRecord(_ dataLink: Btsnoop.DataLink) throws(CaptureError) -> Record? {
        let headerCount = Btsnoop.recordHeaderCount
        guard available >= headerCount else {
            try incomplete(needed: headerCount)
            return nil
        }
        let header = Btsnoop.RecordHeader(buffer.span, at: start)
        // The octets that follow are as many as are included; how long the packet once was bounds nothing.
        let length = Int(header.includedLength)
        guard length <= Btsnoop.longestRecord else {
            throw .recordTooLong(frame: nextFrame, offset: offset, length: length)
        }
        guard available >= headerCount + length else {
            try incomplete(needed: headerCount + length)
            return nil
        }
        let body = buffer[start + headerCount..<start + headerCount + length]
        var record = Record(
            frame: nextFrame, offset: offset, timestamp: header.timestamp, kind: .empty, octets: [],
            includedLength: length, originalLength: Int(header.originalLength), cumulativeDrops: header.cumulativeDrops)
        switch dataLink {
        case .h1: record.fillH1(flags: header.flags, body)
        case .monitor: record.fillMonitor(flags: header.flags, body)
        default: record.fillH4(flags: header.flags, body)
        }
        take(headerCount + length)
        return record
    }
}

extension Record {
    fileprivate mutating func fillH4(flags: UInt32, _ body: ArraySlice<UInt8>) {
        direction = flags & Btsnoop.receivedFlag == 0 ? .sent : .received
        kind = body.first.map(Kind.init(packetType:)) ?? .empty
        octets = [UInt8](body)
    }

    fileprivate mutating func fillH1(flags: UInt32, _ body: ArraySlice<UInt8>) {
        direction = flags & Btsnoop.receivedFlag == 0 ? .sent : .received
        fill(flags & Btsnoop.commandOrEventFlag == 0 ? .acl : direction == .sent ? .command : .event, body)
    }

    fileprivate mutating func fillMonitor(flags: UInt32, _ body: ArraySlice<UInt8>) {
        let index = UInt16(truncatingIfNeeded: flags >> 16)
        adapter = index == Btsnoop.noAdapter ? nil : index
        let opcode = MonitorOpcode(rawValue: UInt16(truncatingIfNeeded: flags))
        guard let packet = opcode.packet else {
            kind = .note(opcode)
            octets = [UInt8](body)
            return
        }
        direction = packet.direction
        fill(packet.kind, body)
    }

    /// Puts the type octet before a packet that was kept without it.
    private mutating func fill(_ kind: Kind, _ body: ArraySlice<UInt8>) {
        self.kind = kind
        octets = []
        octets.reserveCapacity(body.count + 1)
        if let type = kind.packetType { octets.append(type) }
        octets.append(contentsOf: body)
    }
}
