/// Fills a packet's fields with random values, the extreme ones often: for property tests.
public struct RandomisePass: FieldPass {
    private var generator: SeededGenerator
    /// The most octets or elements that a field without a fixed length gets.
    private let longest: Int

    public init(seed: UInt64, longest: Int = 24) {
        generator = SeededGenerator(seed: seed)
        self.longest = longest
    }

    public mutating func uint8(_ name: StaticString, _ value: inout UInt8) { value = integer() }
    public mutating func int8(_ name: StaticString, _ value: inout Int8) { value = integer() }
    public mutating func uint16(_ name: StaticString, _ value: inout UInt16) { value = integer() }
    public mutating func uint24(_ name: StaticString, _ value: inout UInt32) { value = integer() & 0xFF_FFFF }
    public mutating func uint32(_ name: StaticString, _ value: inout UInt32) { value = integer() }
    public mutating func uint64(_ name: StaticString, _ value: inout UInt64) { value = integer() }

    public mutating func number<Number: AssignedNumber>(_ name: StaticString, _ value: inout Number) {
        let unused = Number.RawValue.bitWidth - 8 * Number.octetCount
        value = Number(rawValue: integer() >> Number.RawValue(unused))
    }

    public mutating func address(_ name: StaticString, _ value: inout Address) {
        value = Address(rawValue: generator.next())
    }

    public mutating func uuid(_ name: StaticString, _ value: inout BluetoothUUID, octets: Int?) {
        let octets = random(count: octets ?? [2, 16].randomElement(using: &generator) ?? 2)
        value = BluetoothUUID(littleEndian: octets.span) ?? value
    }

    public mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int) {
        value = random(count: count)
    }

    public mutating func rest(_ name: StaticString, _ value: inout [UInt8]) {
        value = random(count: Int.random(in: 0...longest, using: &generator))
    }

    public mutating func list<Element: Fielded>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        value = (0..<count).map { _ in Element.random(using: &generator) }
    }

    public mutating func restList<Element: Fielded>(_ name: StaticString, _ value: inout [Element]) throws(WireError) {
        try list(name, &value, count: Int.random(in: 0...longest, using: &generator))
    }

    /// Any value, but every fourth is the least or the greatest.
    private mutating func integer<Integer: FixedWidthInteger>() -> Integer {
        switch generator.next() & 7 {
        case 0: .min
        case 1: .max
        default: Integer(truncatingIfNeeded: generator.next())
        }
    }

    private mutating func random(count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }
}
