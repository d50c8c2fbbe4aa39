/// Counts the octets that a packet takes on the wire, without writing them.
public struct MeasurePass: FieldPass {
    /// The octets that the fields so far take.
    public private(set) var count = 0

    public init() {}

    public mutating func uint8(_ name: StaticString, _ value: inout UInt8) { count += 1 }
    public mutating func int8(_ name: StaticString, _ value: inout Int8) { count += 1 }
    public mutating func uint16(_ name: StaticString, _ value: inout UInt16) { count += 2 }
    public mutating func uint24(_ name: StaticString, _ value: inout UInt32) { count += 3 }
    public mutating func uint32(_ name: StaticString, _ value: inout UInt32) { count += 4 }
    public mutating func uint64(_ name: StaticString, _ value: inout UInt64) { count += 8 }

    public mutating func number<Number: AssignedNumber>(_ name: StaticString, _ value: inout Number) {
        count += Number.octetCount
    }

    public mutating func address(_ name: StaticString, _ value: inout Address) { count += 6 }

    public mutating func uuid(_ name: StaticString, _ value: inout BluetoothUUID, octets: Int?) {
        count += octets ?? value.shortestCount
    }

    public mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int) { self.count += count }
    public mutating func rest(_ name: StaticString, _ value: inout [UInt8]) { count += value.count }

    public mutating func list<Element: Fielded>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        for index in value.indices.prefix(count) { try value[index].fields(&self) }
    }

    public mutating func restList<Element: Fielded>(_ name: StaticString, _ value: inout [Element]) throws(WireError) {
        for index in value.indices { try value[index].fields(&self) }
    }
}
