public import Wire

/// Asks to queue a part of a value for writing (Core Vol 3, Part F, 3.4.6.1).
public struct PrepareWriteRequest: PDU {
    public static let opcode = Opcode.prepareWriteRequest

    public var handle = Handle.none
    /// Octets from the value's start.
    public var offset: UInt16 = 0
    public var value: [UInt8] = []

    public init() {}

    public init(handle: Handle, offset: UInt16, value: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Attribute Handle", &handle)
        try pass.uint16("Value Offset", &offset)
        try pass.rest("Part Attribute Value", &value)
    }
}

/// Repeats what was queued (Core Vol 3, Part F, 3.4.6.2).
public struct PrepareWriteResponse: PDU {
    public static let opcode = Opcode.prepareWriteResponse

    public var handle = Handle.none
    /// Octets from the value's start.
    public var offset: UInt16 = 0
    public var value: [UInt8] = []

    public init() {}

    public init(handle: Handle, offset: UInt16, value: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Attribute Handle", &handle)
        try pass.uint16("Value Offset", &offset)
        try pass.rest("Part Attribute Value", &value)
    }
}

/// Writes all that is queued, or forgets it (Core Vol 3, Part F, 3.4.6.3).
public struct ExecuteWriteRequest: PDU {
    public static let opcode = Opcode.executeWriteRequest

    /// 0x00: forget; 0x01: write.
    public var flags: UInt8 = 0

    public init() {}

    public init(flags: UInt8) { self.flags = flags }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("Flags", &flags)
    }
}

/// The queue was written or forgotten (Core Vol 3, Part F, 3.4.6.4).
public struct ExecuteWriteResponse: PDU {
    public static let opcode = Opcode.executeWriteResponse

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}
}
