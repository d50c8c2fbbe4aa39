public import Wire

/// Asks to write an attribute's value (Core Vol 3, Part F, 3.4.5.1).
public struct WriteRequest: PDU {
    public static let opcode = Opcode.writeRequest

    public var handle = Handle.none
    public var value: [UInt8] = []

    public init() {}

    public init(handle: Handle, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Attribute Handle", &handle)
        try pass.rest("Attribute Value", &value)
    }
}

/// The value was written (Core Vol 3, Part F, 3.4.5.2).
public struct WriteResponse: PDU {
    public static let opcode = Opcode.writeResponse

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}
}

/// Writes an attribute's value without an answer (Core Vol 3, Part F, 3.4.5.3).
public struct WriteCommand: PDU {
    public static let opcode = Opcode.writeCommand

    public var handle = Handle.none
    public var value: [UInt8] = []

    public init() {}

    public init(handle: Handle, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Attribute Handle", &handle)
        try pass.rest("Attribute Value", &value)
    }
}

/// Writes a value with a signature in place of an encrypted link (Core Vol 3, Part F, 3.4.5.4).
public struct SignedWriteCommand: PDU {
    public static let opcode = Opcode.signedWriteCommand

    public var handle = Handle.none
    /// The value, then 12 octets of signature: counter and authentication code.
    public var value: [UInt8] = []

    public init() {}

    public init(handle: Handle, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Attribute Handle", &handle)
        try pass.rest("Attribute Value", &value)
    }
}
