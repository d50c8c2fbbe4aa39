/// What could be read of a packet, for people: the fields before an error stay.
public struct DissectedFields: Hashable, Sendable {
    public var fields: [DescribedField]
    /// Where the packet was cut short or made no sense.
    public var error: WireError?
    /// Octets behind the last field; 0 after an error.
    public var trailing: Int

    public init(fields: [DescribedField] = [], error: WireError? = nil, trailing: Int = 0) {
        self.fields = fields
        self.error = error
        self.trailing = trailing
    }
}

extension Fielded {
    /// Describes the packet at the start of `octets`, as far as it goes.
    public static func dissect(_ octets: Span<UInt8>) -> DissectedFields {
        var packet = Self()
        var pass = DissectPass(octets)
        do {
            try packet.fields(&pass)
            return DissectedFields(fields: pass.fields, trailing: pass.remaining)
        } catch {
            return DissectedFields(fields: pass.fields, error: error)
        }
    }
}

/// Fills a packet's fields from octets and describes each as it goes.
public struct DissectPass: FieldPass, ~Copyable, ~Escapable {
    private var decode: DecodePass
    private var describe = DescribePass()

    @_lifetime(copy octets)
    public init(_ octets: Span<UInt8>) {
        decode = DecodePass(octets)
    }

    /// The fields read so far.
    public var fields: [DescribedField] { describe.fields }

    /// Octets behind the last field read.
    public var remaining: Int { decode.remaining }

    @_lifetime(self: copy self)
    public mutating func uint8(_ name: StaticString, _ value: inout UInt8) throws(WireError) {
        try decode.uint8(name, &value)
        describe.uint8(name, &value)
    }

    @_lifetime(self: copy self)
    public mutating func int8(_ name: StaticString, _ value: inout Int8) throws(WireError) {
        try decode.int8(name, &value)
        describe.int8(name, &value)
    }

    @_lifetime(self: copy self)
    public mutating func uint16(_ name: StaticString, _ value: inout UInt16) throws(WireError) {
        try decode.uint16(name, &value)
        describe.uint16(name, &value)
    }

    @_lifetime(self: copy self)
    public mutating func uint24(_ name: StaticString, _ value: inout UInt32) throws(WireError) {
        try decode.uint24(name, &value)
        describe.uint24(name, &value)
    }

    @_lifetime(self: copy self)
    public mutating func uint32(_ name: StaticString, _ value: inout UInt32) throws(WireError) {
        try decode.uint32(name, &value)
        describe.uint32(name, &value)
    }

    @_lifetime(self: copy self)
    public mutating func uint64(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        try decode.uint64(name, &value)
        describe.uint64(name, &value)
    }

    @_lifetime(self: copy self)
    public mutating func number<Number: AssignedNumber>(_ name: StaticString, _ value: inout Number) throws(WireError) {
        try decode.number(name, &value)
        describe.number(name, &value)
    }

    @_lifetime(self: copy self)
    public mutating func address(_ name: StaticString, _ value: inout Address) throws(WireError) {
        try decode.address(name, &value)
        describe.address(name, &value)
    }

    @_lifetime(self: copy self)
    public mutating func uuid(_ name: StaticString, _ value: inout BluetoothUUID, octets: Int?) throws(WireError) {
        try decode.uuid(name, &value, octets: octets)
        describe.uuid(name, &value, octets: octets)
    }

    @_lifetime(self: copy self)
    public mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int) throws(WireError) {
        try decode.bytes(name, &value, count: count)
        describe.bytes(name, &value, count: count)
    }

    @_lifetime(self: copy self)
    public mutating func rest(_ name: StaticString, _ value: inout [UInt8]) throws(WireError) {
        try decode.rest(name, &value)
        describe.rest(name, &value)
    }

    @_lifetime(self: copy self)
    public mutating func list<Element: Fielded>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        value = []
        for _ in 0..<count { try element(name, &value) }
    }

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

    /// Reads one more element; its fields, whole or not, become the children of one field.
    @_lifetime(self: copy self)
    private mutating func element<Element: Fielded>(
        _ name: StaticString, _ value: inout [Element]
    ) throws(WireError) {
        let outer = describe.fields
        let index = value.count
        describe.fields = []
        defer {
            describe.fields = outer + [DescribedField(name: "\(name) \(index)", text: "", children: describe.fields)]
        }
        var element = Element()
        try element.fields(&self)
        value.append(element)
    }
}
