public import Wire

/// An attribute handle (Core Vol 3, Part F, 3.2.2). The server assigns it; 0x0000 names no attribute.
public struct Handle: AssignedNumber, Comparable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }
    public init(_ rawValue: UInt16) { self.rawValue = rawValue }

    /// Reads the two octets at an offset, the least significant first; `nil` where the octets end before.
    public init?(littleEndian octets: Span<UInt8>, at offset: Int = 0) {
        guard offset >= 0, octets.count - offset >= 2 else { return nil }
        self.init(UInt16(octets[offset]) | UInt16(octets[offset + 1]) << 8)
    }

    /// 0x0000, which no attribute has.
    public static let none = Handle(0x0000)
    /// The least handle that an attribute can have.
    public static let first = Handle(0x0001)
    /// The greatest handle that an attribute can have.
    public static let last = Handle(0xFFFF)

    /// A handle has no name, only its number.
    public var name: String? { nil }

    /// The handle after this one; `nil` after 0xFFFF.
    public var next: Handle? { self == .last ? nil : Handle(rawValue &+ 1) }

    /// The handle before this one; `nil` before 0x0000.
    public var previous: Handle? { self == .none ? nil : Handle(rawValue &- 1) }

    public static func < (left: Handle, right: Handle) -> Bool { left.rawValue < right.rawValue }
}

extension Handle: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt16) { self.init(value) }
}

/// A list of handles is a list of packets with one field.
extension Handle: Fielded {
    public init() { self = .none }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Handle", &self)
    }
}
