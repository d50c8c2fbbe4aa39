import Wire

/// Writes pcapng files: one section, and interfaces as the records need them.
///
/// Each adapter is an interface, named as Linux names it, unless the link type tells the adapter itself. Times are told in nanoseconds;
/// those that lie before 1970 or after 2554 belong to an interface of its own, which counts microseconds from long ago.
struct PcapngWriter: ContainerWriter {
    let linkType: LinkType
    let order: ByteOrder
    private var interfaces: [Interface: UInt32] = [:]
    private var drops: UInt32 = 0

    init(linkType: LinkType, order: ByteOrder) {
        self.linkType = linkType
        self.order = order
    }

    private struct Interface: Hashable {
        var adapter: UInt16?
        var isOfLongAgo: Bool

        /// The first interface without a name is no adapter in particular, too.
        func name(_ number: UInt32) -> String? {
            adapter.map { "hci\($0)" } ?? (number == 0 ? nil : PcapngInterface.nameOfUnknownAdapter)
        }
    }

    /// Seconds before 1970 from which microseconds in 64 bits without a sign reach every time but the very last.
    private static let longAgo: Int64 = 9_223_372_036_855

    var header: [UInt8] {
        var octets: [UInt8] = []
        appendBlock(Pcapng.BlockType.section, to: &octets) { body in
            body.append(Pcapng.byteOrderMagic, order)
            body.append(Pcapng.majorVersion, order)
            body.append(0 as UInt16, order)
            // The section's length is not told.
            body.append(UInt64.max, order)
            appendOption(Pcapng.Option.userApplication, [UInt8]("hr-raw".utf8), to: &body)
            body.append(0 as UInt32, order)
        }
        return octets
    }

    mutating func append(_ record: Record, to octets: inout [UInt8]) -> RecordDetails? {
        guard let packet = EnclosedPacket.enclosing(record, linkType) else { return nil }
        let time = Self.time(of: record)
        let key = Interface(
            adapter: linkType == .linuxMonitor ? nil : record.adapter, isOfLongAgo: time?.isOfLongAgo ?? false)
        let interface = number(of: key, to: &octets)
        var lost = packet.lost.union(time?.lost ?? .time)
        // The interface tells the adapter, an option the direction.
        lost.subtract(linkType == .h4 ? [.adapter, .direction] : .adapter)
        let options = options(of: record)
        if record.timestamp == nil, interface == 0, options.isEmpty, record.includedLength == record.originalLength {
            appendSimple(packet, to: &octets)
        } else {
            appendEnhanced(record, packet, interface, time?.count ?? 0, options, to: &octets)
        }
        return lost
    }

    // MARK: Times

    /// A record's time in the units of the interface it belongs to; `nil` where no interface reaches it.
    private static func time(of record: Record) -> (count: UInt64, isOfLongAgo: Bool, lost: RecordDetails)? {
        let microseconds = record.timestamp?.microseconds ?? 0
        if let count = UInt64(exactly: Int128(microseconds) * 1000 + Int128(min(record.nanoseconds, 999))) {
            return (count, false, [])
        }
        let count = UInt64(exactly: Int128(microseconds) + Int128(longAgo) * 1_000_000)
        return count.map { ($0, true, record.details.intersection(.nanoseconds)) }
    }

    // MARK: Blocks

    /// The number of an interface, which is described where it is used first.
    private mutating func number(of interface: Interface, to octets: inout [UInt8]) -> UInt32 {
        if let number = interfaces[interface] { return number }
        let number = UInt32(clamping: interfaces.count)
        interfaces[interface] = number
        appendBlock(Pcapng.BlockType.interface, to: &octets) { body in
            body.append(linkType.rawValue, order)
            body.append(0 as UInt16, order)
            // Packets of every length are kept whole.
            body.append(0 as UInt32, order)
            if let name = interface.name(number) {
                appendOption(Pcapng.Option.interfaceName, [UInt8](name.utf8), to: &body)
            }
            appendOption(Pcapng.Option.timeResolution, [interface.isOfLongAgo ? 6 : 9], to: &body)
            if interface.isOfLongAgo {
                var seconds: [UInt8] = []
                seconds.append(UInt64(bitPattern: -Self.longAgo), order)
                appendOption(Pcapng.Option.timeOffset, seconds, to: &body)
            }
            body.append(0 as UInt32, order)
        }
        return number
    }

    /// A packet without a time; it belongs to the first interface.
    private func appendSimple(_ packet: EnclosedPacket, to octets: inout [UInt8]) {
        appendBlock(Pcapng.BlockType.simplePacket, to: &octets) { body in
            body.append(UInt32(clamping: packet.count), order)
            packet.append(to: &body)
        }
    }

    private func appendEnhanced(
        _ record: Record, _ packet: EnclosedPacket, _ interface: UInt32, _ time: UInt64, _ options: [UInt8],
        to octets: inout [UInt8]
    ) {
        appendBlock(Pcapng.BlockType.enhancedPacket, to: &octets) { body in
            body.append(interface, order)
            body.append(UInt32(truncatingIfNeeded: time >> 32), order)
            body.append(UInt32(truncatingIfNeeded: time), order)
            body.append(UInt32(clamping: packet.count), order)
            body.append(record.originalLength(ofBody: packet.count), order)
            packet.append(to: &body)
            pad(&body)
            body.append(contentsOf: options)
        }
    }

    /// The options of a packet; none where it needs none.
    private mutating func options(of record: Record) -> [UInt8] {
        var options: [UInt8] = []
        for comment in record.comments {
            appendOption(Pcapng.Option.comment, [UInt8](comment.utf8.prefix(Int(UInt16.max))), to: &options)
        }
        if linkType == .h4, let direction = record.direction {
            var flags: [UInt8] = []
            flags.append(direction == .received ? Pcapng.inbound : Pcapng.outbound, order)
            appendOption(Pcapng.Option.packetFlags, flags, to: &options)
        }
        if record.cumulativeDrops > drops {
            var lost: [UInt8] = []
            lost.append(UInt64(record.cumulativeDrops - drops), order)
            appendOption(Pcapng.Option.dropCount, lost, to: &options)
            drops = record.cumulativeDrops
        }
        if !options.isEmpty { options.append(0 as UInt32, order) }
        return options
    }

    private func appendOption(_ code: UInt16, _ value: [UInt8], to octets: inout [UInt8]) {
        octets.append(code, order)
        octets.append(UInt16(clamping: value.count), order)
        octets.append(contentsOf: value)
        pad(&octets)
    }

    /// Appends a block around what `fill` appends.
    private func appendBlock(_ type: UInt32, to octets: inout [UInt8], _ fill: (inout [UInt8]) -> Void) {
        var body: [UInt8] = []
        fill(&body)
        pad(&body)
        let length = UInt32(clamping: body.count + Pcapng.blockFrameCount)
        octets.append(type, order)
        octets.append(length, order)
        octets.append(contentsOf: body)
        octets.append(length, order)
    }

    /// Fills up to a multiple of four octets.
    private func pad(_ octets: inout [UInt8]) {
        while octets.count % 4 != 0 { octets.append(0) }
    }
}
