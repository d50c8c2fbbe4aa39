/// One way of going through a packet's fields: decoding, encoding, describing, measuring, randomising.
///
/// A packet lists its fields once, in `Fielded.fields(_:)`; every pass follows that list, so that reader and writer cannot disagree.
/// Names are the specification's.
public protocol FieldPass: ~Copyable, ~Escapable {
    @_lifetime(self: copy self)
    mutating func uint8(_ name: StaticString, _ value: inout UInt8) throws(WireError)
    @_lifetime(self: copy self)
    mutating func int8(_ name: StaticString, _ value: inout Int8) throws(WireError)
    @_lifetime(self: copy self)
    mutating func uint16(_ name: StaticString, _ value: inout UInt16) throws(WireError)
    /// Three octets; the top octet of `value` is no part of the packet.
    @_lifetime(self: copy self)
    mutating func uint24(_ name: StaticString, _ value: inout UInt32) throws(WireError)
    @_lifetime(self: copy self)
    mutating func uint32(_ name: StaticString, _ value: inout UInt32) throws(WireError)
    @_lifetime(self: copy self)
    mutating func uint64(_ name: StaticString, _ value: inout UInt64) throws(WireError)
    /// A number with assigned meanings, in `Number.octetCount` octets.
    @_lifetime(self: copy self)
    mutating func number<Number: AssignedNumber>(_ name: StaticString, _ value: inout Number) throws(WireError)
    @_lifetime(self: copy self)
    mutating func address(_ name: StaticString, _ value: inout Address) throws(WireError)
    /// A UUID in `octets` octets: 2, 4 or 16; `nil` means all that remain (ATT's last fields).
    @_lifetime(self: copy self)
    mutating func uuid(_ name: StaticString, _ value: inout BluetoothUUID, octets: Int?) throws(WireError)
    /// Exactly `count` octets. When encoding, a shorter value is filled up with zeros and a longer one cut.
    @_lifetime(self: copy self)
    mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int) throws(WireError)
    /// All octets that remain, possibly none.
    @_lifetime(self: copy self)
    mutating func rest(_ name: StaticString, _ value: inout [UInt8]) throws(WireError)
    /// A random device address, whose top bits tell its kind (Core Vol 6, Part B, 1.3.2).
    @_lifetime(self: copy self)
    mutating func randomAddress(_ name: StaticString, _ value: inout Address) throws(WireError)
    /// Exactly `count` octets that a layer above reads.
    @_lifetime(self: copy self)
    mutating func content(
        _ name: StaticString, _ content: FieldContent, _ value: inout [UInt8], count: Int
    ) throws(WireError)
    /// Exactly `count` octets of bits that have names.
    @_lifetime(self: copy self)
    mutating func bits(
        _ name: StaticString, _ value: inout [UInt8], count: Int, _ nameOfBit: (Int) -> String?
    ) throws(WireError)
    /// Exactly `count` octets that are text in UTF-8, filled up with zeros.
    @_lifetime(self: copy self)
    mutating func text(_ name: StaticString, _ value: inout [UInt8], count: Int) throws(WireError)
    /// `count` elements, each a packet in the packet.
    @_lifetime(self: copy self)
    mutating func list<Element: Fielded>(_ name: StaticString, _ value: inout [Element], count: Int) throws(WireError)
    /// Elements to the end of the packet. A part of one at the end is an error.
    @_lifetime(self: copy self)
    mutating func restList<Element: Fielded>(_ name: StaticString, _ value: inout [Element]) throws(WireError)
}

// What is to be told apart only where fields are described.
extension FieldPass where Self: ~Copyable & ~Escapable {
    @inlinable
    @_lifetime(self: copy self)
    public mutating func randomAddress(_ name: StaticString, _ value: inout Address) throws(WireError) {
        try address(name, &value)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func content(
        _ name: StaticString, _ content: FieldContent, _ value: inout [UInt8], count: Int
    ) throws(WireError) {
        try bytes(name, &value, count: count)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func bits(
        _ name: StaticString, _ value: inout [UInt8], count: Int, _ nameOfBit: (Int) -> String?
    ) throws(WireError) {
        try bytes(name, &value, count: count)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func text(_ name: StaticString, _ value: inout [UInt8], count: Int) throws(WireError) {
        try bytes(name, &value, count: count)
    }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
    /// An octet that counts, then so many octets.
    @_lifetime(self: copy self)
    public mutating func countedBytes(_ name: StaticString, _ value: inout [UInt8]) throws(WireError) {
        var count = UInt8(clamping: value.count)
        try uint8("Length", &count)
        try bytes(name, &value, count: Int(count))
    }

    /// An octet that counts, then so many elements.
    @_lifetime(self: copy self)
    public mutating func countedList<Element: Fielded>(
        _ name: StaticString, _ value: inout [Element]
    ) throws(WireError) {
        var count = UInt8(clamping: value.count)
        try uint8("Count", &count)
        try list(name, &value, count: Int(count))
    }
}

/// A packet, or a part of one, that lists its fields.
public protocol Fielded: Sendable {
    /// A packet of zeros and empty lists, for decoding to fill.
    init()

    /// Hands each field to `pass`, in the order on the wire.
    @_lifetime(pass: copy pass)
    mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError)

    /// Writes the fields of the packet at the start of `octets`, as far as it goes.
    ///
    /// A requirement, not an extension alone, so that each packet has its own, made for its fields: for captures this is the
    /// hot path.
    @discardableResult
    static func dissect(_ octets: Span<UInt8>, to writer: inout FieldWriter) -> DissectionEnd
}
