public import Wire

/// Writing. Each function appends octets to a buffer; whoever owns the file decides when they are written and flushed.
extension Btsnoop {
    /// The header that a file begins with.
    public static func fileHeader(_ dataLink: DataLink = .h4) -> [UInt8] {
        var octets = identification
        octets.append(bigEndian: version)
        octets.append(bigEndian: dataLink.rawValue)
        return octets
    }

    /// Appends one packet as a record of an H4 file.
    ///
    /// - Parameters:
    ///   - packet: the HCI packet, its H4 type octet first
    ///   - direction: which way it went
    ///   - timestamp: when; civil time
    ///   - drops: packets that could not be recorded since the start of the capture
    ///   - octets: the buffer
    public static func append(
        _ packet: [UInt8], _ direction: Record.Direction, at timestamp: Timestamp, drops: UInt32 = 0,
        to octets: inout [UInt8]
    ) {
        var flags = direction == .received ? receivedFlag : 0
        // Commands and events have their own bit, which tshark and btmon check: types 1 and 4 (Core Vol 4, Part A, 2).
        if packet.first == 1 || packet.first == 4 { flags |= commandOrEventFlag }
        append(
            header: RecordHeader(
                originalLength: UInt32(clamping: packet.count), includedLength: UInt32(clamping: packet.count),
                flags: flags,
                cumulativeDrops: drops, timestamp: timestamp), to: &octets)
        octets.append(contentsOf: packet)
    }

    /// Appends a record to a file of any data link. A record that the data link cannot hold, SCO data in an H1 file or a note
    /// in any but a monitor file, is left out; the result tells.
    @discardableResult
    public static func append(_ record: Record, dataLink: DataLink, to octets: inout [UInt8]) -> Bool {
        guard let flags = flags(of: record, dataLink: dataLink) else { return false }
        let keepsType = dataLink == .h4
        let isPacket = record.kind.packetType != nil
        let body = isPacket && !keepsType ? record.octets.dropFirst() : record.octets[...]
        let missing = max(0, record.originalLength - record.includedLength)
        append(
            header: RecordHeader(
                originalLength: UInt32(clamping: body.count + missing), includedLength: UInt32(clamping: body.count),
                flags: flags,
                cumulativeDrops: record.cumulativeDrops, timestamp: record.timestamp ?? Timestamp(microseconds: 0)),
            to: &octets)
        octets.append(contentsOf: body)
        return true
    }

    private static func flags(of record: Record, dataLink: DataLink) -> UInt32? {
        let direction = record.direction ?? (record.kind == .command ? .sent : .received)
        let received = direction == .received ? receivedFlag : 0
        switch (dataLink, record.kind) {
        case (.monitor, let kind):
            guard let opcode = MonitorOpcode(packet: kind, direction: direction) else { return nil }
            let adapter = record.adapter ?? (kind.packetType == nil ? noAdapter : 0)
            return UInt32(adapter) << 16 | UInt32(opcode.rawValue)
        case (_, .note): return nil
        case (.h1, .command), (.h1, .event), (.h4, .command), (.h4, .event): return received | commandOrEventFlag
        case (.h1, .acl), (.h4, _): return received
        default: return nil
        }
    }

    private static func append(header: RecordHeader, to octets: inout [UInt8]) {
        octets.reserveCapacity(octets.count + recordHeaderCount + Int(header.includedLength))
        octets.append(bigEndian: header.originalLength)
        octets.append(bigEndian: header.includedLength)
        octets.append(bigEndian: header.flags)
        octets.append(bigEndian: header.cumulativeDrops)
        octets.append(bigEndian: UInt64(bitPattern: header.timestamp.microseconds &+ timestampOf1970))
    }
}

extension [UInt8] {
    /// Appends the octets of `value`, the most significant first, as in btsnoop's headers.
    fileprivate mutating func append(bigEndian value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
