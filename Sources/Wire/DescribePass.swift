/// One field of a packet, for people.
public struct DescribedField: Hashable, Sendable {
    /// The field's name in the specification.
    public var name: String
    /// The value as text; empty for a list, whose elements are the children.
    public var text: String
    /// The elements of a list; empty for all else.
    public var children: [DescribedField]

    public init(name: String, text: String, children: [DescribedField] = []) {
        self.name = name
        self.text = text
        self.children = children
    }
}

/// Writes a packet's fields as names and texts.
public struct DescribePass: FieldPass {
    public internal(set) var fields: [DescribedField] = []

    public init() {}

    public mutating func uint8(_ name: StaticString, _ value: inout UInt8) { note(name, value.description) }
    public mutating func int8(_ name: StaticString, _ value: inout Int8) { note(name, value.description) }
    public mutating func uint16(_ name: StaticString, _ value: inout UInt16) { note(name, value.description) }
    public mutating func uint24(_ name: StaticString, _ value: inout UInt32) { note(name, value.description) }
    public mutating func uint32(_ name: StaticString, _ value: inout UInt32) { note(name, value.description) }
    public mutating func uint64(_ name: StaticString, _ value: inout UInt64) {
        note(name, "0x" + value.paddedHexadecimal)
    }

    public mutating func number<Number: AssignedNumber>(_ name: StaticString, _ value: inout Number) {
        note(name, value.name.map { "\($0) (\(value.hexadecimal))" } ?? value.hexadecimal)
    }

    public mutating func address(_ name: StaticString, _ value: inout Address) { note(name, value.description) }

    public mutating func uuid(_ name: StaticString, _ value: inout BluetoothUUID, octets: Int?) {
        note(name, value.description)
    }

    public mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int) {
        note(name, value.hexadecimal)
    }

    public mutating func rest(_ name: StaticString, _ value: inout [UInt8]) { note(name, value.hexadecimal) }

    public mutating func list<Element: Fielded>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        try restList(name, &value)
    }

    public mutating func restList<Element: Fielded>(_ name: StaticString, _ value: inout [Element]) throws(WireError) {
        for (index, element) in value.enumerated() {
            fields.append(DescribedField(name: "\(name) \(index)", text: "", children: element.described))
        }
    }

    private mutating func note(_ name: StaticString, _ text: String) {
        fields.append(DescribedField(name: name.description, text: text))
    }
}
