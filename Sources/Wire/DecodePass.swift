/// Fills a packet's fields from octets.
public struct DecodePass: FieldPass, ~Copyable, ~Escapable {
    @usableFromInline var reader: ByteReader

    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: Span<UInt8>) {
        reader = ByteReader(octets)
    }

    /// Octets behind the last field read.
    public var remaining: Int {
        @inlinable get { reader.remaining }
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uint8(_ name: StaticString, _ value: inout UInt8) throws(WireError) {
        value = try reader.uint8(name)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func int8(_ name: StaticString, _ value: inout Int8) throws(WireError) {
        value = Int8(bitPattern: try reader.uint8(name))
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uint16(_ name: StaticString, _ value: inout UInt16) throws(WireError) {
        value = try reader.uint16(name)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uint24(_ name: StaticString, _ value: inout UInt32) throws(WireError) {
        value = try reader.uint24(name)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uint32(_ name: StaticString, _ value: inout UInt32) throws(WireError) {
        value = try reader.uint32(name)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uint64(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        value = try reader.uint64(name)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func number<Number: AssignedNumber>(_ name: StaticString, _ value: inout Number) throws(WireError) {
        let raw = try reader.unsigned(Number.octetCount, name)
        value = Number(rawValue: Number.RawValue(truncatingIfNeeded: raw))
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func address(_ name: StaticString, _ value: inout Address) throws(WireError) {
        try reader.require(6, name)
        let low = UInt64(try reader.uint32(name))
        let high = UInt64(try reader.uint16(name))
        value = Address(rawValue: high << 32 | low)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uuid(_ name: StaticString, _ value: inout BluetoothUUID, octets: Int?) throws(WireError) {
        let count = octets ?? reader.remaining
        let at = reader.offset
        let octets = try reader.bytes(name, count: count)
        guard let uuid = BluetoothUUID(littleEndian: octets.span) else {
            throw .invalid(field: name.description, at: at, reason: "a UUID has 2, 4 or 16 octets, not \(count)")
        }
        value = uuid
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int) throws(WireError) {
        value = try reader.bytes(name, count: count)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func rest(_ name: StaticString, _ value: inout [UInt8]) throws(WireError) {
        value = reader.rest()
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func list<Element: Fielded>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        value = []
        for _ in 0..<count {
            var element = Element()
            try element.fields(&self)
            value.append(element)
        }
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func restList<Element: Fielded>(_ name: StaticString, _ value: inout [Element]) throws(WireError) {
        value = []
        while reader.remaining > 0 {
            let before = reader.offset
            var element = Element()
            try element.fields(&self)
            value.append(element)
            // An element without octets would go on for ever.
            guard reader.offset > before else { return }
        }
    }
}
