import Capture

extension FuzzTarget {
    /// A capture file, fed at once and in pieces: the same records, and none with octets that the file has not.
    static let captures = FuzzTarget(name: "captures") { octets in
        let whole = read(octets, pieces: octets.count)
        let size = 1 + octets.count % 37
        try promise(read(octets, pieces: size) == whole, "pieces of \(size) octets give the same records")
        // A container without type octets has them in its heads.
        try promise(whole.octets <= octets.count, "octets are not invented")
        try promise(octets.starts(with: whole.taken), "what was taken is the file's beginning")
        try promise(whole.error != nil || whole.taken.count == octets.count, "without damage all of the file is taken")
    }

    /// The records of a capture file written in its own format and in all others, and read again.
    static let conversion = FuzzTarget(name: "conversion") { octets in
        let reading = read(octets, pieces: 4096)
        guard let own = reading.format else { return }
        for format in [own] + formats {
            var writer = CaptureWriter(format)
            var file = writer.header
            var held = 0
            for record in reading.records where writer.append(record, to: &file) { held += 1 }
            guard !file.isEmpty else { continue }
            let again = read(file, pieces: 4096)
            try promise(again.error == nil, "\(format.name) is written whole: \(again.error?.description ?? "")")
            try promise(again.records.count == held, "\(format.name) holds \(held) records")
            guard format == own, writer.losses == CaptureLosses() else { continue }
            for (old, new) in zip(reading.records, again.records) { try promiseSame(old, new, format) }
        }
    }

    private static let formats: [CaptureFormat] = [
        .btsnoop(.h1), .btsnoop(.h4), .btsnoop(.monitor), .packetLogger(.little),
        .pcap(.h4WithDirection, .big, .nanoseconds), .pcap(.linuxMonitor, .little, .microseconds), .pcapng(.h4, .big),
        .pcapng(.linuxMonitor, .little), .h4,
    ]

    private static func promiseSame(_ old: Record, _ new: Record, _ format: CaptureFormat) throws {
        let place = "\(format.name), frame \(old.frame)"
        try promise(old.kind == new.kind, "the kind is kept: \(place)")
        try promise(old.octets == new.octets, "the octets are kept: \(place)")
        try promise(old.direction == nil || old.direction == new.direction, "the direction is kept: \(place)")
        try promise(old.timestamp == nil || old.timestamp == new.timestamp, "the time is kept: \(place)")
        try promise(old.nanoseconds == new.nanoseconds, "the nanoseconds are kept: \(place)")
        try promise(old.adapter == nil || old.adapter == new.adapter, "the adapter is kept: \(place)")
        try promise(old.cumulativeDrops == new.cumulativeDrops, "the drops are kept: \(place)")
        try promise(old.comments == new.comments, "the comments are kept: \(place)")
        // Of a record cut inside its head the rest of the head is not kept.
        try promise(old.kind == .empty || old.isCutShort == new.isCutShort, "a cut stays one: \(place)")
    }

    private struct Reading: Equatable {
        var records: [Record] = []
        var error: CaptureError?
        var format: CaptureFormat?
        var taken: [UInt8] = []

        var octets: Int { records.reduce(0) { $0 + $1.octets.count } }
    }

    private static func read(_ octets: [UInt8], pieces size: Int) -> Reading {
        var reading = Reading()
        var reader = CaptureReader()

        func take() {
            do throws(CaptureError) {
                while let record = try reader.next() { reading.records.append(record) }
            } catch {
                reading.error = error
            }
            reading.taken += reader.takeOctets()
        }

        var rest = octets[...]
        while !rest.isEmpty {
            reader.feed(rest.prefix(size))
            rest = rest.dropFirst(size)
            take()
        }
        reader.finish()
        take()
        reading.format = reader.format
        return reading
    }
}
