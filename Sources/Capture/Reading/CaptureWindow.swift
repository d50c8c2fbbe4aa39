/// The part of a file that lies between what was taken and what has not come yet, and where in the file that is.
///
/// Offsets count from the first octet not taken; whoever reads at one has asked `available` before.
struct CaptureWindow: Sendable {
    private(set) var buffer: [UInt8] = []
    /// Where in `buffer` the octets not yet taken begin.
    private(set) var start = 0
    /// Where in `buffer` the octets begin that were taken and not yet asked for.
    private var shown = 0
    /// Octets of the file before `buffer`.
    private var discarded = 0
    private var frames = 0
    /// Whether nothing follows what is here.
    private(set) var isFinished = false

    /// Octets that are there and not yet taken.
    var available: Int { buffer.count - start }

    /// Where in the file the next octet stands.
    var offset: Int { discarded + start }

    /// The number that the next record gets.
    var nextFrame: Int { frames + 1 }

    // MARK: Filling and emptying

    mutating func feed(_ octets: ArraySlice<UInt8>) {
        discarded += start
        buffer.removeFirst(start)
        start = 0
        shown = 0
        buffer.append(contentsOf: octets)
    }

    mutating func finish() { isFinished = true }

    /// Lets go of what is left, and of nothing that was taken.
    mutating func drop() { buffer.removeSubrange(start...) }

    /// The octets that were taken since this was asked last, as far as they have come since the last feeding.
    mutating func takeOctets() -> ArraySlice<UInt8> {
        defer { shown = start }
        return buffer[shown..<start]
    }

    /// Takes the `count` octets of a record.
    mutating func take(_ count: Int) {
        frames += 1
        start += count
    }

    /// Passes over octets that are no record.
    mutating func skip(_ count: Int) { start += count }

    // MARK: Looking

    func uint8(at offset: Int) -> UInt8 { buffer[start + offset] }

    func uint16(at offset: Int, _ order: ByteOrder) -> UInt16 {
        let first = start + offset
        return order.uint16(buffer[first], buffer[first + 1])
    }

    func uint32(at offset: Int, _ order: ByteOrder) -> UInt32 {
        let first = start + offset
        return order.uint32(buffer[first], buffer[first + 1], buffer[first + 2], buffer[first + 3])
    }

    func octets(at offset: Int, count: Int) -> ArraySlice<UInt8> {
        buffer[start + offset..<start + offset + count]
    }

    /// Whether the file goes on with `octets`, as far as it is there.
    func begins(with octets: [UInt8]) -> Bool {
        buffer[start...].starts(with: octets.prefix(available))
    }

    /// Whether `needed` octets of a record are there. Where they are not, they may come later; at the end of the file, where
    /// some of them are there, that is damage.
    func has(_ needed: Int) throws(CaptureError) -> Bool {
        if available >= needed { return true }
        guard isFinished, available > 0 else { return false }
        throw .recordCut(frame: nextFrame, offset: offset, octets: available, needed: needed)
    }

    /// The length that a record claims, where a packet can be so long.
    func checked(length: UInt32) throws(CaptureError) -> Int {
        guard length <= UInt32(Record.longest) else {
            throw .recordTooLong(frame: nextFrame, offset: offset, length: Int(length))
        }
        return Int(length)
    }
}
