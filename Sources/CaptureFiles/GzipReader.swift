import CZlib

/// Decompresses a gzip file (RFC 1952) as its octets come, all its members one behind the other.
///
/// What is kept is what was fed and not yet decompressed; what comes out comes in pieces of a bounded size, however much a few
/// octets may stand for.
public struct GzipReader: ~Copyable {
    private var stream: ZlibStream
    private var input: [UInt8] = []
    /// Where in `input` the octets not yet taken begin.
    private var start = 0
    /// Octets of the file before `input`.
    private var discarded = 0
    private var isFinished = false
    private var state = State.beforeMember(isFirst: true)

    private enum State: Equatable {
        case beforeMember(isFirst: Bool)
        case inMember
        case failed(GzipError)
        case ended
    }

    /// The most octets that one piece has.
    static let pieceCount = 1 << 18

    /// - Throws: `GzipError.outOfMemory`
    public init() throws(GzipError) { stream = try ZlibStream(.inflating) }

    /// Adds the octets that follow those fed before.
    public mutating func feed(_ octets: [UInt8]) {
        discarded += start
        input.removeFirst(start)
        start = 0
        input += octets
    }

    /// Tells that nothing follows.
    public mutating func finish() { isFinished = true }

    /// The next decompressed octets, at least one; `nil` where more input is needed, and after `finish()` at the end.
    ///
    /// - Throws: once, at what ends the reading; afterwards there is nothing more.
    public mutating func next() throws(GzipError) -> [UInt8]? {
        while true {
            switch state {
            case .ended: return nil
            case .failed(let error):
                state = .ended
                throw error
            case .beforeMember(let isFirst):
                guard try beginMember(isFirst: isFirst) else { return nil }
            case .inMember:
                let (octets, goesOn) = inflateSome()
                if !octets.isEmpty { return octets }
                if !goesOn { return nil }
            }
        }
    }

    /// Whether there is nothing more to come.
    var isAtEnd: Bool { state == .ended }

    /// Where in the compressed file the next octet stands.
    private var offset: Int { discarded + start }

    /// Goes on to the next member.
    ///
    /// - Returns: whether there is one, as far as the input is there
    private mutating func beginMember(isFirst: Bool) throws(GzipError) -> Bool {
        // Tapes and some programs fill up with zeros.
        if !isFirst { while start < input.count, input[start] == 0 { start += 1 } }
        guard start < input.count else {
            if isFinished { state = .ended }
            return false
        }
        guard input[start] == 0x1F else {
            state = .ended
            throw .notAMember(offset: offset)
        }
        state = .inMember
        return true
    }

    /// Decompresses one piece.
    ///
    /// - Returns: what came out, and whether there may be more without more input
    private mutating func inflateSome() -> (octets: [UInt8], goesOn: Bool) {
        let step = stream.step(input[start...], room: Self.pieceCount)
        start += step.taken
        switch step.result {
        case Z_STREAM_END:
            stream.reset()
            state = .beforeMember(isFirst: false)
        case Z_OK: break
        case Z_BUF_ERROR:
            // Nothing was possible: there is no more input.
            guard isFinished else { return (step.output, false) }
            state = .failed(.cut(offset: offset))
        case Z_MEM_ERROR: state = .failed(.outOfMemory)
        default: state = .failed(.damaged(offset: offset, stream.message))
        }
        return (step.output, true)
    }
}
