import Wire

/// Reads a capture as its octets come: feed what there is, take the records that are whole, feed on.
///
/// The container is told from its content, never from a name. What is kept never exceeds what was fed at once and one record.
///
/// ```swift
/// var reader = CaptureReader()
/// while let chunk = read() {
///     reader.feed(chunk)
///     while let record = try reader.next() { … }
/// }
/// reader.finish()
/// while let record = try reader.next() { … }
/// ```
public struct CaptureReader: Sendable {
    var buffer: [UInt8] = []
    /// Where in `buffer` the octets not yet taken begin.
    var start = 0
    /// Octets of the file before `buffer`.
    private var discarded = 0
    private(set) var isFinished = false
    private var container = Container.undecided
    private var frames = 0

    enum Container {
        case undecided
        case btsnoop(Btsnoop.DataLink)
        case h4Stream
        /// Damage was reported; what follows has no meaning.
        case ended
    }

    public init() {}

    /// The btsnoop data link; `nil` before it is known and in other containers.
    public var dataLink: Btsnoop.DataLink? {
        if case .btsnoop(let dataLink) = container { dataLink } else { nil }
    }

    /// Adds the octets that follow those fed before.
    public mutating func feed(_ octets: ArraySlice<UInt8>) {
        guard !isEnded else { return }
        discarded += start
        buffer.removeFirst(start)
        start = 0
        buffer.append(contentsOf: octets)
    }

    /// Adds the octets that follow those fed before.
    public mutating func feed(_ octets: [UInt8]) { feed(octets[...]) }

    /// Tells that nothing follows: a record that is not whole by now is damage.
    public mutating func finish() { isFinished = true }

    /// The next record; `nil` where more octets are needed, and after `finish()` at the end.
    ///
    /// - Throws: once, at the damage that ends the reading; afterwards there are no more records.
    public mutating func next() throws(CaptureError) -> Record? {
        do {
            if case .undecided = container { try decideContainer() }
            switch container {
            case .undecided, .ended: return nil
            case .btsnoop(let dataLink): return try nextBtsnoopRecord(dataLink)
            case .h4Stream: return try nextStreamedPacket()
            }
        } catch {
            container = .ended
            buffer = []
            start = 0
            throw error
        }
    }

    private var isEnded: Bool {
        if case .ended = container { true } else { false }
    }

    // MARK: What the containers share

    /// Octets fed and not yet taken.
    var available: Int { buffer.count - start }

    /// Where in the file the next octet stands.
    var offset: Int { discarded + start }

    /// The number that the next record gets.
    var nextFrame: Int { frames + 1 }

    /// Takes `count` octets of a record.
    mutating func take(_ count: Int) {
        frames += 1
        start += count
    }

    /// What to do where only `available` of the `needed` octets of a record are there: wait, or report the damage.
    func incomplete(needed: Int) throws(CaptureError) {
        guard isFinished, available > 0 else { return }
        throw .recordCut(frame: nextFrame, offset: offset, octets: available, needed: needed)
    }

    private mutating func decideContainer() throws(CaptureError) {
        guard available > 0 else {
            if isFinished { throw .empty }
            return
        }
        let identification = Btsnoop.identification
        if buffer.starts(with: identification.prefix(available)) {
            guard available >= Btsnoop.fileHeaderCount else {
                if isFinished { throw .fileHeaderCut(octets: available, needed: Btsnoop.fileHeaderCount) }
                return
            }
            container = .btsnoop(try Btsnoop.dataLink(ofFileHeader: buffer.span))
            start = Btsnoop.fileHeaderCount
            return
        }
        switch H4Stream.recognise(buffer.span, isWhole: isFinished) {
        case .yes: container = .h4Stream
        case .no: throw Self.otherContainer(buffer).map(CaptureError.unsupportedContainer) ?? .notACapture
        case .needsMore: break
        }
    }

    /// The name of a container that is known and not read.
    private static func otherContainer(_ octets: [UInt8]) -> String? {
        switch octets.prefix(4) {
        case [0xA1, 0xB2, 0xC3, 0xD4], [0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D], [0x4D, 0x3C, 0xB2, 0xA1]:
            "pcap"
        case [0x0A, 0x0D, 0x0D, 0x0A]: "pcapng"
        default: nil
        }
    }
}
