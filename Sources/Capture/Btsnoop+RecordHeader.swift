import Wire

extension Btsnoop {
    /// What stands before a record's packet.
    struct RecordHeader {
        var originalLength: UInt32
        var includedLength: UInt32
        var flags: UInt32
        var cumulativeDrops: UInt32
        var timestamp: Timestamp

        init(
            originalLength: UInt32, includedLength: UInt32, flags: UInt32, cumulativeDrops: UInt32, timestamp: Timestamp
        ) {
            self.originalLength = originalLength
            self.includedLength = includedLength
            self.flags = flags
            self.cumulativeDrops = cumulativeDrops
            self.timestamp = timestamp
        }

        /// Reads the 24 octets that begin at `offset`; the caller has made sure that they are there.
        init(_ octets: Span<UInt8>, at offset: Int) {
            originalLength = bigEndian32(octets, at: offset)
            includedLength = bigEndian32(octets, at: offset + 4)
            flags = bigEndian32(octets, at: offset + 8)
            cumulativeDrops = bigEndian32(octets, at: offset + 12)
            let high = UInt64(bigEndian32(octets, at: offset + 16))
            let low = UInt64(bigEndian32(octets, at: offset + 20))
            timestamp = Timestamp(microseconds: Int64(bitPattern: high << 32 | low) &- timestampOf1970)
        }
    }
}

/// Four octets, the most significant first.
func bigEndian32(_ octets: Span<UInt8>, at offset: Int) -> UInt32 {
    UInt32(octets[offset]) << 24 | UInt32(octets[offset + 1]) << 16 | UInt32(octets[offset + 2]) << 8
        | UInt32(octets[offset + 3])
}
