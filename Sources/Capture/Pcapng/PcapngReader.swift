import Wire

/// Reads pcapng files: the packets of the interfaces that carry HCI, and that there were others on the rest.
struct PcapngReader: Container {
    private var order: ByteOrder
    private var interfaces: [PcapngInterface] = []
    /// Octets still to be passed over of a block that nothing is read from.
    private var toSkip: UInt64 = 0
    private var drops: UInt32 = 0

    private init(order: ByteOrder) { self.order = order }

    /// The link type is that of the first interface that carries HCI, once there was one.
    var format: CaptureFormat {
        .pcapng(interfaces.lazy.map(\.linkType).first(where: \.isHCI) ?? .h4WithDirection, order)
    }

    static func recognise(_ window: CaptureWindow) throws(CaptureError) -> Recognition {
        var mark: [UInt8] = []
        mark.append(Pcapng.BlockType.section, .big)
        guard window.begins(with: mark) else { return .no }
        guard window.available >= 12 else {
            guard window.isFinished else { return .needsMore }
            // So few octets are no mark.
            guard window.available >= 4 else { return .no }
            throw .fileHeaderCut(octets: window.available, needed: 28)
        }
        guard let order = byteOrder(ofSectionIn: window) else { return .no }
        return .yes(PcapngReader(order: order), header: 0)
    }

    private static func byteOrder(ofSectionIn window: CaptureWindow) -> ByteOrder? {
        ByteOrder.allCases.first { window.uint32(at: 8, $0) == Pcapng.byteOrderMagic }
    }

    mutating func next(_ window: inout CaptureWindow) throws(CaptureError) -> Record? {
        while try passOver(&window), try hasBlockHead(window) {
            let type = window.uint32(at: 0, order)
            if type == Pcapng.BlockType.section { try enterSection(window) }
            let length = window.uint32(at: 4, order)
            guard length >= Pcapng.blockFrameCount else {
                throw .blockBroken(offset: window.offset, length: Int(length))
            }
            switch type {
            case Pcapng.BlockType.section, Pcapng.BlockType.interface:
                guard let block = try block(length, window, isPacket: false) else { return nil }
                if type == Pcapng.BlockType.interface { try describeInterface(block, window) }
                window.skip(Int(length))
            case Pcapng.BlockType.enhancedPacket, Pcapng.BlockType.simplePacket, Pcapng.BlockType.obsoletePacket:
                guard let block = try block(length, window, isPacket: true) else { return nil }
                let record = try record(type, block, window)
                window.take(Int(length))
                return record
            default:
                toSkip = UInt64(length)
            }
        }
        return nil
    }

    // MARK: Blocks

    /// Passes over what is left of a block that nothing is read from.
    ///
    /// - Returns: whether its end is reached
    private mutating func passOver(_ window: inout CaptureWindow) throws(CaptureError) -> Bool {
        guard toSkip > 0 else { return true }
        let count = Int(min(toSkip, UInt64(window.available)))
        window.skip(count)
        toSkip -= UInt64(count)
        guard toSkip > 0 else { return true }
        guard window.isFinished else { return false }
        throw .blockCut(end: window.offset, missing: Int(toSkip))
    }

    /// Whether type and length are there, of a section its byte order and its version, too.
    private func hasBlockHead(_ window: CaptureWindow) throws(CaptureError) -> Bool {
        guard try hasWhole(8, window) else { return false }
        guard window.uint32(at: 0, .big) == Pcapng.BlockType.section else { return true }
        return try hasWhole(16, window)
    }

    private func hasWhole(_ count: Int, _ window: CaptureWindow) throws(CaptureError) -> Bool {
        if window.available >= count { return true }
        guard window.isFinished, window.available > 0 else { return false }
        throw .blockCut(end: window.offset + window.available, missing: count - window.available)
    }

    /// The body of a block, once all of it is there.
    private func block(
        _ length: UInt32, _ window: CaptureWindow, isPacket: Bool
    ) throws(CaptureError) -> PcapngBlock? {
        guard length <= Pcapng.longestBlock else {
            throw .recordTooLong(frame: window.nextFrame, offset: window.offset, length: Int(length))
        }
        let isWhole = isPacket ? try window.has(Int(length)) : try hasWhole(Int(length), window)
        guard isWhole else { return nil }
        guard window.uint32(at: Int(length) - 4, order) == length else {
            throw .blockBroken(offset: window.offset, length: Int(length))
        }
        return PcapngBlock(order: order, octets: window.octets(at: 8, count: Int(length) - Pcapng.blockFrameCount))
    }

    // MARK: Sections and interfaces

    private mutating func enterSection(_ window: CaptureWindow) throws(CaptureError) {
        guard let order = Self.byteOrder(ofSectionIn: window) else {
            throw .blockBroken(offset: window.offset, length: Int(window.uint32(at: 4, order)))
        }
        self.order = order
        interfaces = []
        let version = window.uint16(at: 12, order)
        guard version == Pcapng.majorVersion else { throw .unsupportedVersion("pcapng", UInt32(version)) }
    }

    private mutating func describeInterface(_ block: PcapngBlock, _ window: CaptureWindow) throws(CaptureError) {
        // More cannot be numbered by most writers; without a bound a file of nothing else would fill the memory.
        guard block.octets.count >= 8, interfaces.count < 1 << 16 else {
            throw .blockBroken(offset: window.offset, length: block.octets.count + Pcapng.blockFrameCount)
        }
        var interface = PcapngInterface(
            number: interfaces.count, linkType: LinkType(rawValue: block.uint16(at: 0)),
            snapshotLength: block.uint32(at: 4))
        block.forEachOption(from: 8) { code, value in
            switch (code, value.count) {
            case (Pcapng.Option.interfaceName, _): interface.take(name: value)
            case (Pcapng.Option.timeResolution, 1): interface.resolution = value.first ?? interface.resolution
            case (Pcapng.Option.timeOffset, 8): interface.offset = Int64(bitPattern: block.uint64(in: value))
            default: break
            }
        }
        interfaces.append(interface)
    }

    // MARK: Packets

    private mutating func record(
        _ type: UInt32, _ block: PcapngBlock, _ window: CaptureWindow
    ) throws(CaptureError) -> Record {
        guard let head = PacketHead(type, block, snapshotLength: interfaces.first?.snapshotLength ?? 0),
            head.captured <= block.octets.count - head.count
        else {
            throw .blockBroken(offset: window.offset, length: block.octets.count + Pcapng.blockFrameCount)
        }
        _ = try window.checked(length: UInt32(clamping: head.captured))
        var record = Record(
            frame: window.nextFrame, offset: window.offset, kind: .empty, octets: [], includedLength: head.captured,
            originalLength: head.original)
        countDrops(UInt64(head.drops))
        let start = block.octets.startIndex + head.count
        readOptions(of: block, from: head.count + (head.captured + 3) & ~3, type, into: &record)
        record.cumulativeDrops = drops
        guard head.interface < interfaces.count else {
            record.kind = .foreign(nil)
            return record
        }
        let interface = interfaces[Int(head.interface)]
        if let count = head.time {
            let time = interface.time(count)
            record.timestamp = time.timestamp
            record.nanoseconds = time.nanoseconds
        }
        if interface.linkType.isHCI { record.adapter = interface.adapter }
        record.fill(interface.linkType, block.octets[start..<start + head.captured])
        return record
    }

    private mutating func readOptions(
        of block: PcapngBlock, from offset: Int, _ type: UInt32, into record: inout Record
    ) {
        guard type != Pcapng.BlockType.simplePacket else { return }
        var lost: UInt64 = 0
        block.forEachOption(from: offset) { code, value in
            switch (code, value.count) {
            case (Pcapng.Option.comment, _): record.comments.append(String(decoding: value, as: UTF8.self))
            case (Pcapng.Option.packetFlags, 4): record.direction = Self.direction(flags: block.uint32(in: value))
            case (Pcapng.Option.dropCount, 8) where type == Pcapng.BlockType.enhancedPacket:
                lost = block.uint64(in: value)
            default: break
            }
        }
        countDrops(lost)
    }

    private mutating func countDrops(_ lost: UInt64) {
        let (sum, overflow) = UInt64(drops).addingReportingOverflow(lost)
        drops = overflow ? .max : UInt32(clamping: sum)
    }

    private static func direction(flags: UInt32) -> Record.Direction? {
        switch flags & 3 {
        case Pcapng.inbound: .received
        case Pcapng.outbound: .sent
        default: nil
        }
    }
}

/// What stands before a packet in its block.
private struct PacketHead {
    var interface: UInt32 = 0
    /// The count of the interface's units of time; `nil` in a block that has none.
    var time: UInt64?
    var captured: Int
    var original: Int
    /// Packets lost before this one.
    var drops: UInt32 = 0
    /// Octets that the head takes.
    var count: Int

    /// - Parameter snapshotLength: of the first interface, which a simple packet belongs to
    init?(_ type: UInt32, _ block: PcapngBlock, snapshotLength: UInt32) {
        if type == Pcapng.BlockType.simplePacket {
            guard block.octets.count >= 4 else { return nil }
            original = Int(block.uint32(at: 0))
            captured = snapshotLength == 0 ? original : min(original, Int(snapshotLength))
            count = 4
            return
        }
        guard block.octets.count >= 20 else { return nil }
        if type == Pcapng.BlockType.obsoletePacket {
            interface = UInt32(block.uint16(at: 0))
            let lost = block.uint16(at: 2)
            // All ones: not known.
            drops = lost == .max ? 0 : UInt32(lost)
        } else {
            interface = block.uint32(at: 0)
        }
        time = UInt64(block.uint32(at: 4)) << 32 | UInt64(block.uint32(at: 8))
        captured = Int(block.uint32(at: 12))
        original = Int(block.uint32(at: 16))
        count = 20
    }
}
