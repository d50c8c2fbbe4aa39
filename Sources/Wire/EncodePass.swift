/// Writes a packet's fields as octets.
public struct EncodePass: FieldPass {
    /// What has been written so far.
    public private(set) var octets: [UInt8] = []

    public init() {}

    public mutating func uint8(_ name: StaticString, _ value: inout UInt8) { octets.append(value) }
    public mutating func int8(_ name: StaticString, _ value: inout Int8) { octets.append(UInt8(bitPattern: value)) }
    public mutating func uint16(_ name: StaticString, _ value: inout UInt16) { octets.append(littleEndian: value) }
    public mutating func uint24(_ name: StaticString, _ value: inout UInt32) {
        octets.append(littleEndian: UInt64(value), count: 3)
    }
    public mutating func uint32(_ name: StaticString, _ value: inout UInt32) { octets.append(littleEndian: value) }
    public mutating func uint64(_ name: StaticString, _ value: inout UInt64) { octets.append(littleEndian: value) }

    public mutating func number<Number: AssignedNumber>(_ name: StaticString, _ value: inout Number) {
        octets.append(littleEndian: UInt64(truncatingIfNeeded: value.rawValue), count: Number.octetCount)
    }

    public mutating func address(_ name: StaticString, _ value: inout Address) {
        octets.append(littleEndian: value.rawValue, count: 6)
    }

    public mutating func uuid(_ name: StaticString, _ value: inout BluetoothUUID, octets width: Int?) {
        octets += value.littleEndian(octets: width ?? value.shortestCount)
    }

    public mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int) {
        octets += value.prefix(count)
        octets += repeatElement(0, count: max(0, count - value.count))
    }

    public mutating func rest(_ name: StaticString, _ value: inout [UInt8]) { octets += value }

    public mutating func list<Element: Fielded>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        for index in value.indices.prefix(count) { try value[index].fields(&self) }
    }

    public mutating func restList<Element: Fielded>(_ name: StaticString, _ value: inout [Element]) throws(WireError) {
        for index in value.indices { try value[index].fields(&self) }
    }
}
