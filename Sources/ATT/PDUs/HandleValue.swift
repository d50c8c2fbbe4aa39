public import Wire

/// A value that the server sends unasked (Core Vol 3, Part F, 3.4.7.1).
public struct HandleValueNotification: PDU {
    public static let opcode = Opcode.handleValueNotification

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

/// A value that the server sends unasked and wants confirmed (Core Vol 3, Part F, 3.4.7.2).
public struct HandleValueIndication: PDU {
    public static let opcode = Opcode.handleValueIndication

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

/// Answers an indication (Core Vol 3, Part F, 3.4.7.3).
public struct HandleValueConfirmation: PDU {
    public static let opcode = Opcode.handleValueConfirmation

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {}
}

/// Several values that the server sends unasked (Core Vol 3, Part F, 3.4.7.4).
public struct MultipleHandleValueNotification: PDU {
    public static let opcode = Opcode.multipleHandleValueNotification

    public var values: [HandleLengthValue] = []

    public init() {}

    public init(values: [HandleLengthValue]) { self.values = values }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.restList("Handle Length Value Tuple List", &values)
    }
}

/// One value of a Multiple Handle Value Notification.
public struct HandleLengthValue: Fielded, Hashable {
    public var handle = Handle.none
    public var value: [UInt8] = []

    public init() {}

    public init(handle: Handle, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        var length = UInt16(clamping: value.count)
        try pass.number("Attribute Handle", &handle)
        try pass.uint16("Value Length", &length)
        try pass.bytes("Attribute Value", &value, count: Int(length))
    }
}
