/// Hands octets on as they are, or decompressed where they begin as a gzip file does.
public struct Decompressor: ~Copyable {
    private var input: [UInt8] = []
    private var gzip: GzipReader?
    private var isDecided = false
    private var isFinished = false

    /// What a gzip file begins with (RFC 1952, 2.3.1).
    private static let mark: [UInt8] = [0x1F, 0x8B]

    public init() {}

    /// Whether the octets are those of a gzip file; `false` as long as that is not known.
    public var isCompressed: Bool {
        switch gzip {
        case .none: false
        case .some: true
        }
    }

    /// Whether all octets were handed on that there will ever be.
    public var isAtEnd: Bool {
        switch gzip {
        case .none: isFinished && isDecided && input.isEmpty
        case .some(let reader): reader.isAtEnd
        }
    }

    /// Adds the octets that follow those fed before.
    public mutating func feed(_ octets: [UInt8]) {
        guard gzip?.feed(octets) == nil else { return }
        // Taken over, not copied, where nothing waits: the whole of a plain file comes through here.
        if input.isEmpty { input = octets } else { input += octets }
    }

    /// Tells that nothing follows.
    public mutating func finish() {
        isFinished = true
        gzip?.finish()
    }

    /// The next octets, at least one; `nil` where more input is needed, and after `finish()` at the end.
    ///
    /// - Throws: once, at what ends the reading; afterwards there is nothing more.
    public mutating func next() throws(GzipError) -> [UInt8]? {
        if !isDecided { try decide() }
        guard isDecided else { return nil }
        if isCompressed { return try gzip?.next() ?? nil }
        guard !input.isEmpty else { return nil }
        let octets = input
        input = []
        return octets
    }

    private mutating func decide() throws(GzipError) {
        guard input.count >= Self.mark.count || isFinished else { return }
        isDecided = true
        guard input.starts(with: Self.mark) else { return }
        var reader = try GzipReader()
        reader.feed(input)
        if isFinished { reader.finish() }
        gzip = consume reader
        input = []
    }
}
