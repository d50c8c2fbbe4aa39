public import Capture

/// Reads a capture as its octets come, plain or compressed with gzip: `CaptureReader` behind a `Decompressor`.
///
/// What is kept is bounded also where a few compressed octets stand for very many: they are decompressed piece by piece, as the
/// records are taken.
public struct CaptureDecoder: ~Copyable {
    private var decompressor = Decompressor()
    private var reader = CaptureReader()
    private var isEnded = false

    public init() {}

    /// What the capture is; `nil` before that is known.
    public var format: CaptureFormat? { reader.format }

    /// Adds the octets that follow those fed before.
    public mutating func feed(_ octets: [UInt8]) {
        if !octets.isEmpty, !isEnded { decompressor.feed(octets) }
    }

    /// Tells that nothing follows: a record that is not whole by now is damage.
    public mutating func finish() { decompressor.finish() }

    /// The next record; `nil` where more octets are needed, and after `finish()` at the end.
    ///
    /// - Throws: once, at what ends the reading; afterwards there are no more records.
    public mutating func next() throws(CaptureFileError) -> Record? {
        repeat {
            if let record = try nextOfPiece() { return record }
        } while try advance()
        return nil
    }

    // MARK: Piece by piece

    /// The next record as far as `advance()` has come; `nil` where it is not whole so far.
    ///
    /// - Throws: as `next()`
    public mutating func nextOfPiece() throws(CaptureFileError) -> Record? {
        do throws(CaptureError) {
            return try reader.next()
        } catch {
            isEnded = true
            throw .capture(error)
        }
    }

    /// Goes on to the next piece of the decompressed capture.
    ///
    /// - Returns: whether there may be a record in it; `false` where more octets are needed, and at the end
    /// - Throws: as `next()`
    public mutating func advance() throws(CaptureFileError) -> Bool {
        guard !isEnded else { return false }
        do throws(GzipError) {
            if let octets = try decompressor.next() {
                reader.feed(octets)
                return true
            }
        } catch {
            isEnded = true
            throw .compression(error)
        }
        guard decompressor.isAtEnd else { return false }
        isEnded = true
        reader.finish()
        return true
    }

    /// The octets of the decompressed capture that were read since this was asked last, records and what stands between them.
    /// To be asked before each `advance()`, which lets go of them.
    public mutating func takeOctets() -> ArraySlice<UInt8> { reader.takeOctets() }
}
