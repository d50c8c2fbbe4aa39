import Wire

extension Btsnoop {
    /// What stands before a record's packet.
    struct RecordHeader {
        var originalLength: UInt32
        var includedLength: UInt32
        var flags: UInt32
        var cumulativeDrops: UInt32
        var timestamp: Timestamp
    }
}

extension Btsnoop.RecordHeader {
    /// Reads the header that the window begins with; the caller has made sure that its 24 octets are there.
    init(_ window: CaptureWindow) {
        originalLength = window.uint32(at: 0, .big)
        includedLength = window.uint32(at: 4, .big)
        flags = window.uint32(at: 8, .big)
        cumulativeDrops = window.uint32(at: 12, .big)
        let time = UInt64(window.uint32(at: 16, .big)) << 32 | UInt64(window.uint32(at: 20, .big))
        timestamp = Timestamp(microseconds: Int64(bitPattern: time) &- Btsnoop.timestampOf1970)
    }

    func append(to octets: inout [UInt8]) {
        octets.reserveCapacity(octets.count + Btsnoop.recordHeaderCount + Int(includedLength))
        octets.append(originalLength, .big)
        octets.append(includedLength, .big)
        octets.append(flags, .big)
        octets.append(cumulativeDrops, .big)
        octets.append(UInt64(bitPattern: timestamp.microseconds &+ Btsnoop.timestampOf1970), .big)
    }
}
