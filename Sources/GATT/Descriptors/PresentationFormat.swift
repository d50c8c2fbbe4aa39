public import ATT
public import Wire

/// How a characteristic's value is to be shown: the value of a Characteristic Presentation Format descriptor (Core Vol 3,
/// Part G, 3.3.3.5).
public struct PresentationFormat: Fielded, Hashable {
    /// The form of the octets.
    public var format = ValueFormat(rawValue: 0)
    /// The power of ten by which an integer is multiplied.
    public var exponent: Int8 = 0
    /// The unit, as an assigned UUID.
    public var unit: UInt16 = 0
    /// Who assigned the description: 0x01 for the Bluetooth SIG.
    public var namespace: UInt8 = 0
    /// Which of several like values it is, such as left or right.
    public var descriptionNumber: UInt16 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Format", &format)
        var exponent = UInt8(bitPattern: exponent)
        try pass.uint8("Exponent", &exponent)
        self.exponent = Int8(bitPattern: exponent)
        try pass.uint16("Unit", &unit)
        try pass.uint8("Name Space", &namespace)
        try pass.uint16("Description", &descriptionNumber)
    }
}

/// The form of a value (Assigned Numbers, 2.4.1).
public struct ValueFormat: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public var name: String? { Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : nil }

    /// By number; 0x00 is reserved.
    private static let names: [String?] = [
        nil, "boolean", "uint2", "uint4", "uint8", "uint12", "uint16", "uint24", "uint32", "uint48", "uint64",
        "uint128", "sint8", "sint12", "sint16", "sint24", "sint32", "sint48", "sint64", "sint128", "float32",
        "float64", "medfloat16", "medfloat32", "uint16[2]", "utf8s", "utf16s", "struct", "medASN1",
    ]
}

/// Of which values a characteristic's value is made: the handles in a Characteristic Aggregate Format descriptor, each of
/// a presentation format (Core Vol 3, Part G, 3.3.3.6).
public struct AggregateFormat: Fielded, Hashable {
    /// The presentation formats' handles, in the order of the values.
    public var formats: [Handle] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.restList("List of Handles", &formats)
    }
}
