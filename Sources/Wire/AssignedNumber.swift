/// A number whose meanings others assign, and will go on assigning: an open set. Each value describes itself, known or not.
///
/// Conform a struct with `let rawValue`, `static let` constants, and `name`.
public protocol AssignedNumber: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue: FixedWidthInteger & UnsignedInteger & Sendable {
    init(rawValue: RawValue)

    /// The name in the specification or the assigned numbers; `nil` where none is known.
    var name: String? { get }
}

extension AssignedNumber {
    /// The name, else the number in hexadecimal.
    public var description: String { name ?? hexadecimal }

    /// The number as `0x0D`, all its digits.
    public var hexadecimal: String { "0x" + rawValue.paddedHexadecimal }
}
