/// A cursor over octets that somebody else sent. Every read is checked; none traps.
///
/// All numbers are little-endian, as everywhere in HCI, L2CAP, ATT and GATT (Core Vol 1, Part E, 2.9).
public struct ByteReader: ~Escapable, ~Copyable {
    @usableFromInline let octets: Span<UInt8>
    @usableFromInline var position = 0

    /// Octets read so far.
    public var offset: Int {
        @inlinable get { position }
    }

    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: Span<UInt8>) {
        self.octets = octets
    }

    /// Octets not yet read.
    public var remaining: Int {
        @inlinable get { octets.count - offset }
    }

    /// Makes sure that `count` octets are left.
    @inlinable
    public func require(_ count: Int, _ field: StaticString) throws(WireError) {
        guard count >= 0, count <= remaining else {
            throw truncated(count, field)
        }
    }

    /// Apart from `require`, so that the way that readings take has no more than a comparison in it.
    @usableFromInline
    func truncated(_ count: Int, _ field: StaticString) -> WireError {
        .truncated(field: field.description, at: offset, needed: count, remaining: remaining)
    }

    @inlinable
    public mutating func uint8(_ field: StaticString) throws(WireError) -> UInt8 {
        try require(1, field)
        defer { position += 1 }
        return octets[offset]
    }

    @inlinable
    public mutating func uint16(_ field: StaticString) throws(WireError) -> UInt16 {
        try UInt16(truncatingIfNeeded: unsigned(2, field))
    }

    /// Three octets, as in HCI's periods.
    @inlinable
    public mutating func uint24(_ field: StaticString) throws(WireError) -> UInt32 {
        try UInt32(truncatingIfNeeded: unsigned(3, field))
    }

    @inlinable
    public mutating func uint32(_ field: StaticString) throws(WireError) -> UInt32 {
        try UInt32(truncatingIfNeeded: unsigned(4, field))
    }

    @inlinable
    public mutating func uint64(_ field: StaticString) throws(WireError) -> UInt64 {
        try unsigned(8, field)
    }

    @inlinable
    public mutating func bytes(_ field: StaticString, count: Int) throws(WireError) -> [UInt8] {
        try require(count, field)
        defer { position += count }
        return [UInt8](octets.extracting(offset..<offset + count))
    }

    /// All octets that are left, possibly none.
    @inlinable
    public mutating func rest() -> [UInt8] {
        defer { position = octets.count }
        return [UInt8](octets.extracting(offset..<octets.count))
    }

    /// A number of up to eight octets.
    @inlinable
    mutating func unsigned(_ count: Int, _ field: StaticString) throws(WireError) -> UInt64 {
        try require(count, field)
        var value: UInt64 = 0
        for index in (0..<count).reversed() { value = value << 8 | UInt64(octets[offset + index]) }
        position += count
        return value
    }
}

extension [UInt8] {
    /// A copy of the octets that the span shows.
    @inlinable
    public init(_ span: Span<UInt8>) {
        self.init(capacity: span.count) { output in
            for index in span.indices { output.append(span[index]) }
        }
    }
}
