extension Fielded {
    @inlinable
    @discardableResult
    public static func dissect(_ octets: Span<UInt8>, to writer: inout FieldWriter) -> DissectionEnd {
        var packet = Self()
        var pass = DissectPass(octets, writer)
        var end = DissectionEnd()
        do {
            try packet.fields(&pass)
            end.trailing = pass.remaining
        } catch {
            end.error = error
        }
        writer = pass.finish()
        return end
    }

    /// Describes the packet at the start of `octets`, as far as it goes.
    public static func dissect(_ octets: Span<UInt8>) -> DissectedFields {
        var writer = FieldWriter(.tree)
        let end = dissect(octets, to: &writer)
        return DissectedFields(fields: writer.tree, error: end.error, trailing: end.trailing)
    }
}

/// Fills a packet's fields from octets and describes each as it goes.
public struct DissectPass: FieldPass, ~Copyable, ~Escapable {
    @usableFromInline var decode: DecodePass
    @usableFromInline var describe: DescribePass

    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: Span<UInt8>, _ writer: consuming FieldWriter) {
        decode = DecodePass(octets)
        describe = DescribePass(writer)
    }

    /// What was written to, back again.
    @inlinable
    public consuming func finish() -> FieldWriter { describe.finish() }

    /// Octets behind the last field read.
    public var remaining: Int {
        @inlinable get { decode.remaining }
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uint8(_ name: StaticString, _ value: inout UInt8) throws(WireError) {
        try decode.uint8(name, &value)
        describe.uint8(name, &value)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func int8(_ name: StaticString, _ value: inout Int8) throws(WireError) {
        try decode.int8(name, &value)
        describe.int8(name, &value)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uint16(_ name: StaticString, _ value: inout UInt16) throws(WireError) {
        try decode.uint16(name, &value)
        describe.uint16(name, &value)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uint24(_ name: StaticString, _ value: inout UInt32) throws(WireError) {
        try decode.uint24(name, &value)
        describe.uint24(name, &value)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uint32(_ name: StaticString, _ value: inout UInt32) throws(WireError) {
        try decode.uint32(name, &value)
        describe.uint32(name, &value)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uint64(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        try decode.uint64(name, &value)
        describe.uint64(name, &value)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func number<Number: AssignedNumber>(_ name: StaticString, _ value: inout Number) throws(WireError) {
        try decode.number(name, &value)
        describe.number(name, &value)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func address(_ name: StaticString, _ value: inout Address) throws(WireError) {
        try decode.address(name, &value)
        describe.address(name, &value)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uuid(_ name: StaticString, _ value: inout BluetoothUUID, octets: Int?) throws(WireError) {
        try decode.uuid(name, &value, octets: octets)
        describe.uuid(name, &value, octets: octets)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int) throws(WireError) {
        try decode.bytes(name, &value, count: count)
        describe.bytes(name, &value, count: count)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func rest(_ name: StaticString, _ value: inout [UInt8]) throws(WireError) {
        try decode.rest(name, &value)
        describe.rest(name, &value)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func randomAddress(_ name: StaticString, _ value: inout Address) throws(WireError) {
        try decode.address(name, &value)
        describe.randomAddress(name, &value)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func content(
        _ name: StaticString, _ content: FieldContent, _ value: inout [UInt8], count: Int
    ) throws(WireError) {
        try decode.bytes(name, &value, count: count)
        describe.content(name, content, &value, count: count)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func bits(
        _ name: StaticString, _ value: inout [UInt8], count: Int, _ nameOfBit: (Int) -> String?
    ) throws(WireError) {
        try decode.bytes(name, &value, count: count)
        describe.bits(name, &value, count: count, nameOfBit)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func text(_ name: StaticString, _ value: inout [UInt8], count: Int) throws(WireError) {
        try decode.bytes(name, &value, count: count)
        describe.text(name, &value, count: count)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func list<Element: Fielded>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        value = []
        for _ in 0..<count { try element(name, &value) }
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func restList<Element: Fielded>(_ name: StaticString, _ value: inout [Element]) throws(WireError) {
        value = []
        while remaining > 0 {
            let before = remaining
            try element(name, &value)
            // An element without octets would go on for ever.
            guard remaining < before else { return }
        }
    }

    /// Reads one more element; its fields, whole or not, stand below one field.
    @inlinable
    @_lifetime(self: copy self)
    mutating func element<Element: Fielded>(
        _ name: StaticString, _ value: inout [Element]
    ) throws(WireError) {
        describe.writer.begin(name, index: value.count)
        describe.writer.openFields()
        defer {
            describe.writer.closeFields()
            describe.writer.end()
        }
        var element = Element()
        try element.fields(&self)
        value.append(element)
    }
}
