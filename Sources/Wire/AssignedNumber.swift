/// A number whose meanings others assign, and will go on assigning: an open set. Each value describes itself, known or not.
///
/// Conform a struct with `let rawValue`, `static let` constants, and `name`.
public protocol AssignedNumber: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue: FixedWidthInteger & UnsignedInteger & Sendable {
    init(rawValue: RawValue)

    /// The name in the specification or the assigned numbers; `nil` where none is known.
    var name: String? { get }

    /// How many octets it takes in a packet.
    static var octetCount: Int { get }

    /// Writes the number as a field: the name with the number behind it, unless a kind of number has more to say.
    func describe(_ field: StaticString, to writer: inout FieldWriter)
}

extension AssignedNumber {
    /// As many as its raw value has.
    @inlinable
    public static var octetCount: Int { RawValue.bitWidth / 8 }

    /// The name, else the number in hexadecimal.
    public var description: String { name ?? hexadecimal }

    /// The number as `0x0D`, all its digits.
    public var hexadecimal: String {
        var text: [UInt8] = []
        appendHexadecimal(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends `hexadecimal`.
    @inlinable
    public func appendHexadecimal(to text: inout [UInt8]) {
        text.append(prefixedHexadecimal: UInt64(truncatingIfNeeded: rawValue), digits: 2 * Self.octetCount)
    }

    @inlinable
    public func describe(_ field: StaticString, to writer: inout FieldWriter) {
        let name = name
        writer.field(field) { writer in
            guard let name else { return appendHexadecimal(to: &writer.octets) }
            writer.append(name)
            writer.octets.append(" (" as StaticString)
            appendHexadecimal(to: &writer.octets)
            writer.octets.append(UInt8(ascii: ")"))
        }
    }
}

/// A number whose bits have meanings of their own.
public protocol NamedBits: AssignedNumber {
    /// The name of a bit, counted from the lowest; `nil` where none is known.
    static func name(ofBit bit: Int) -> String?
}

extension NamedBits {
    /// The names of the bits set, the lowest first, with `bit 12` for one without a name; `nil` where none is set.
    public var name: String? {
        rawValue == 0 ? nil : bitNames.joined(separator: ", ")
    }

    /// The names of the bits set, the lowest first, with `bit 12` for one without a name.
    public var bitNames: [String] {
        (0..<RawValue.bitWidth).filter { rawValue >> $0 & 1 == 1 }.map { Self.name(ofBit: $0) ?? "bit \($0)" }
    }

    /// The number, and below it each bit that is set.
    @inlinable
    public func describe(_ field: StaticString, to writer: inout FieldWriter) {
        writer.begin(field)
        writer.beginValue()
        appendHexadecimal(to: &writer.octets)
        writer.endValue()
        if rawValue != 0 {
            writer.openFields()
            for bit in 0..<RawValue.bitWidth where rawValue >> bit & 1 == 1 {
                if let name = Self.name(ofBit: bit) { writer.field(name) } else { writer.field("bit \(bit)") }
            }
            writer.closeFields()
        }
        writer.end()
    }
}
