import Wire

/// Reads PacketLogger files.
struct PacketLoggerReader: Container {
    let order: ByteOrder

    var format: CaptureFormat { .packetLogger(order) }

    /// There is no mark: a file is known by a first record whose length, microseconds and type are all possible.
    static func recognise(_ window: CaptureWindow) throws(CaptureError) -> Recognition {
        guard window.available >= 4 else { return window.isFinished ? .no : .needsMore }
        guard let order = order(ofLengthIn: window) else { return .no }
        // A record without a type has nothing to be known by.
        let needed = PacketLogger.headerCount + 1
        guard window.available >= needed else { return window.isFinished ? .no : .needsMore }
        let type = PacketLogger.RecordType(rawValue: window.uint8(at: PacketLogger.headerCount))
        guard window.uint32(at: 8, order) < 1_000_000, type.name != nil else { return .no }
        return .yes(PacketLoggerReader(order: order), header: 0)
    }

    /// The order in which the first length is one that a record with a type can have. Where both allow it, 256 octets in the one
    /// are 65,536 in the other: no file begins with a packet of that length.
    private static func order(ofLengthIn window: CaptureWindow) -> ByteOrder? {
        ByteOrder.allCases.first { order in
            let length = window.uint32(at: 0, order)
            return length > PacketLogger.timeCount && length < PacketLogger.longestFirst
        }
    }

    mutating func next(_ window: inout CaptureWindow) throws(CaptureError) -> Record? {
        guard try window.has(PacketLogger.headerCount) else { return nil }
        let length = try window.checked(length: window.uint32(at: 0, order))
        guard length >= PacketLogger.timeCount else {
            throw .recordTooShort(frame: window.nextFrame, offset: window.offset, length: length)
        }
        guard try window.has(4 + length) else { return nil }
        let seconds = Int64(window.uint32(at: 4, order))
        let microseconds = Int64(window.uint32(at: 8, order))
        var record = Record(
            frame: window.nextFrame, offset: window.offset,
            timestamp: Timestamp(microseconds: seconds * 1_000_000 + microseconds), kind: .empty, octets: [],
            includedLength: length, originalLength: length)
        let body = window.octets(at: PacketLogger.headerCount, count: length - PacketLogger.timeCount)
        if let type = body.first { record.fill(PacketLogger.RecordType(rawValue: type), body.dropFirst()) }
        window.take(4 + length)
        return record
    }
}

extension Record {
    fileprivate mutating func fill(_ type: PacketLogger.RecordType, _ body: ArraySlice<UInt8>) {
        guard let packet = type.packet else {
            kind = .loggerNote(type)
            octets = [UInt8](body)
            return
        }
        direction = packet.direction
        fill(packet.kind, body)
    }
}
