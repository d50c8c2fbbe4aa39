/// Writes a packet's fields as names and texts.
public struct DescribePass: FieldPass, ~Copyable {
    /// Where they are written.
    public var writer: FieldWriter

    @inlinable
    public init(_ writer: consuming FieldWriter) { self.writer = writer }

    /// What was written to, back again.
    @inlinable
    public consuming func finish() -> FieldWriter { writer }

    public mutating func uint8(_ name: StaticString, _ value: inout UInt8) { note(name, decimal: Int64(value)) }
    public mutating func int8(_ name: StaticString, _ value: inout Int8) { note(name, decimal: Int64(value)) }
    public mutating func uint16(_ name: StaticString, _ value: inout UInt16) { note(name, decimal: Int64(value)) }
    public mutating func uint24(_ name: StaticString, _ value: inout UInt32) { note(name, decimal: Int64(value)) }
    public mutating func uint32(_ name: StaticString, _ value: inout UInt32) { note(name, decimal: Int64(value)) }

    public mutating func uint64(_ name: StaticString, _ value: inout UInt64) {
        let number = value
        writer.field(name) { $0.octets.append(prefixedHexadecimal: number, digits: 16) }
    }

    @inlinable
    public mutating func number<Number: AssignedNumber>(_ name: StaticString, _ value: inout Number) {
        value.describe(name, to: &writer)
    }

    public mutating func address(_ name: StaticString, _ value: inout Address) {
        let address = value
        writer.field(name) { address.append(to: &$0.octets) }
    }

    public mutating func randomAddress(_ name: StaticString, _ value: inout Address) {
        let address = value
        writer.field(name) { writer in
            address.append(to: &writer.octets)
            guard address != .zero else { return }
            writer.octets.append(" (" as StaticString)
            writer.octets.append(address.randomness.text)
            writer.octets.append(UInt8(ascii: ")"))
        }
    }

    public mutating func uuid(_ name: StaticString, _ value: inout BluetoothUUID, octets: Int?) {
        let uuid = value
        writer.field(name) { uuid.append(to: &$0.octets) }
    }

    public mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int) { rest(name, &value) }

    public mutating func rest(_ name: StaticString, _ value: inout [UInt8]) {
        let octets = value
        writer.field(name) { $0.octets.append(lowerHexadecimal: octets) }
    }

    public mutating func content(_ name: StaticString, _ content: FieldContent, _ value: inout [UInt8], count: Int) {
        writer.begin(name)
        writer.beginValue()
        writer.octets.append(lowerHexadecimal: value)
        writer.endValue()
        writer.appendFields(of: content, value.span)
        writer.end()
    }

    public mutating func bits(
        _ name: StaticString, _ value: inout [UInt8], count: Int, _ nameOfBit: (Int) -> String?
    ) {
        let octets = value
        writer.begin(name)
        writer.beginValue()
        writer.octets.append(lowerHexadecimal: octets)
        writer.endValue()
        writer.openFields()
        for bit in 0..<8 * octets.count where octets[bit / 8] >> (bit % 8) & 1 == 1 {
            writer.field(nameOfBit(bit) ?? "octet \(bit / 8) bit \(bit % 8)")
        }
        writer.closeFields()
        writer.end()
    }

    public mutating func text(_ name: StaticString, _ value: inout [UInt8], count: Int) {
        let text = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
        writer.field(name) { $0.append(text) }
    }

    @inlinable
    public mutating func list<Element: Fielded>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        try restList(name, &value)
    }

    @inlinable
    public mutating func restList<Element: Fielded>(_ name: StaticString, _ value: inout [Element]) throws(WireError) {
        for index in value.indices {
            writer.begin(name, index: index)
            writer.openFields()
            defer {
                writer.closeFields()
                writer.end()
            }
            try value[index].fields(&self)
        }
    }

    private mutating func note(_ name: StaticString, decimal value: Int64) {
        writer.field(name) { $0.octets.append(decimal: value) }
    }
}
