public import Wire

/// Writing. Each function appends octets to a buffer; whoever owns the file decides when they are written and flushed.
extension Btsnoop {
    /// The header that a file begins with.
    public static func fileHeader(_ dataLink: DataLink = .h4) -> [UInt8] {
        var octets = identification
        octets.append(version, .big)
        octets.append(dataLink.rawValue, .big)
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
        let length = UInt32(clamping: packet.count)
        let header = RecordHeader(
            originalLength: length, includedLength: length, flags: flags, cumulativeDrops: drops, timestamp: timestamp)
        header.append(to: &octets)
        octets.append(contentsOf: packet)
    }
}
