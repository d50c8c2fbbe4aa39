public import Wire

/// Asks for the values of several attributes, joined (Core Vol 3, Part F, 3.4.4.7).
public struct ReadMultipleRequest: PDU {
    public static let opcode = Opcode.readMultipleRequest

    /// At least two.
    public var handles: [Handle] = []

    public init() {}

    public init(handles: [Handle]) { self.handles = handles }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.restList("Handle", &handles)
    }
}

/// The values, joined without a mark between them (Core Vol 3, Part F, 3.4.4.8).
public struct ReadMultipleResponse: PDU {
    public static let opcode = Opcode.readMultipleResponse

    public var values: [UInt8] = []

    public init() {}

    public init(values: [UInt8]) { self.values = values }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.rest("Set Of Values", &values)
    }
}

/// Asks for the values of several attributes, each with its length (Core Vol 3, Part F, 3.4.4.11).
public struct ReadMultipleVariableRequest: PDU {
    public static let opcode = Opcode.readMultipleVariableRequest

    /// At least two.
    public var handles: [Handle] = []

    public init() {}

    public init(handles: [Handle]) { self.handles = handles }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.restList("Handle", &handles)
    }
}

/// The values, each behind its length in two octets (Core Vol 3, Part F, 3.4.4.12).
public struct ReadMultipleVariableResponse: PDU {
    public static let opcode = Opcode.readMultipleVariableResponse

    /// Lengths and values; `values` reads them.
    public var lengthValueTuples: [UInt8] = []

    public init() {}

    public init(lengthValueTuples: [UInt8]) { self.lengthValueTuples = lengthValueTuples }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.rest("Length Value Tuple List", &lengthValueTuples)
    }

    /// A value, and whether the server had to cut it at the MTU.
    public struct Entry: Hashable, Sendable {
        /// What the response holds of it.
        public var value: [UInt8]
        /// Whether the value is longer, as its length says.
        public var isCut: Bool

        public init(value: [UInt8], isCut: Bool) {
            self.value = value
            self.isCut = isCut
        }
    }

    /// The values in the order asked for. The last may be shorter than its length says: the server cuts it at the MTU.
    public var entries: [Entry] {
        var entries: [Entry] = []
        var rest = lengthValueTuples[...]
        while rest.count >= 2 {
            let length = Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8
            rest = rest.dropFirst(2)
            entries.append(Entry(value: [UInt8](rest.prefix(length)), isCut: rest.count < length))
            rest = rest.dropFirst(length)
        }
        return entries
    }

    /// The values alone.
    public var values: [[UInt8]] { entries.map(\.value) }
}
