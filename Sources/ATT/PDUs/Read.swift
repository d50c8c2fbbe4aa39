public import Wire

/// Asks for an attribute's value (Core Vol 3, Part F, 3.4.4.3).
public struct ReadRequest: PDU {
    public static let opcode = Opcode.readRequest

    public var handle = Handle.none

    public init() {}

    public init(handle: Handle) { self.handle = handle }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Attribute Handle", &handle)
    }
}

/// The value's first octets, as many as the MTU allows (Core Vol 3, Part F, 3.4.4.4).
public struct ReadResponse: PDU {
    public static let opcode = Opcode.readResponse

    public var value: [UInt8] = []

    public init() {}

    public init(value: [UInt8]) { self.value = value }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.rest("Attribute Value", &value)
    }
}

/// Asks for a part of an attribute's value (Core Vol 3, Part F, 3.4.4.5).
public struct ReadBlobRequest: PDU {
    public static let opcode = Opcode.readBlobRequest

    public var handle = Handle.none
    /// Octets from the value's start.
    public var offset: UInt16 = 0

    public init() {}

    public init(handle: Handle, offset: UInt16) {
        self.handle = handle
        self.offset = offset
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Attribute Handle", &handle)
        try pass.uint16("Value Offset", &offset)
    }
}

/// The value's octets from the offset on, as many as the MTU allows (Core Vol 3, Part F, 3.4.4.6).
public struct ReadBlobResponse: PDU {
    public static let opcode = Opcode.readBlobResponse

    public var value: [UInt8] = []

    public init() {}

    public init(value: [UInt8]) { self.value = value }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.rest("Part Attribute Value", &value)
    }
}
