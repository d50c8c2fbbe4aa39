import Wire

/// Writes PacketLogger files.
struct PacketLoggerWriter: ContainerWriter {
    let order: ByteOrder
    /// Whether there is a record by which the file can be known.
    private var isRecognisable = false

    init(order: ByteOrder) { self.order = order }

    var header: [UInt8] { [] }

    mutating func append(_ record: Record, to octets: inout [UInt8]) -> RecordDetails? {
        guard let (type, body) = Self.content(of: record) else { return nil }
        let length = PacketLogger.timeCount + (type == nil ? 0 : 1) + body.count
        isRecognisable = isRecognisable || (type?.name != nil && length < PacketLogger.longestFirst)
        guard isRecognisable else { return nil }
        var lost = record.details.intersection([.nanoseconds, .adapter, .drops, .comments, .originalLength])
        if let direction = record.direction, direction != type?.packet?.direction { lost.insert(.direction) }
        let time = record.shortTime
        if time == nil { lost.insert(.time) }
        octets.reserveCapacity(octets.count + 4 + length)
        octets.append(UInt32(clamping: length), order)
        octets.append(time?.seconds ?? 0, order)
        octets.append(time?.microseconds ?? 0, order)
        if let type { octets.append(type.rawValue) }
        octets.append(contentsOf: body)
        return lost
    }

    /// A record's type, which an empty one has not, and what follows it; `nil` where there is no type for it.
    private static func content(of record: Record) -> (PacketLogger.RecordType?, ArraySlice<UInt8>)? {
        let octets = record.octets
        let isSent = record.namedDirection == .sent
        switch record.kind {
        case .command: return (.command, octets.dropFirst())
        case .event: return (.event, octets.dropFirst())
        case .acl: return (isSent ? .aclSent : .aclReceived, octets.dropFirst())
        case .sco: return (isSent ? .scoSent : .scoReceived, octets.dropFirst())
        case .loggerNote(let type): return (type, octets[...])
        case .note(.systemNote): return (.note, octets.last == 0 ? octets.dropLast() : octets[...])
        case .empty: return (nil, [])
        case .iso, .note, .foreign, .unassigned: return nil
        }
    }
}

extension Record {
    /// The time in the seconds of 32 bits, without a sign, that older containers have; zero where there is none, `nil` where it
    /// lies outside.
    var shortTime: (seconds: UInt32, microseconds: UInt32)? {
        let (second, microsecond) = (timestamp?.microseconds ?? 0).quotientAndRemainder(dividingBy: 1_000_000)
        guard microsecond >= 0, let seconds = UInt32(exactly: second) else { return nil }
        return (seconds, UInt32(microsecond))
    }
}
