// What the controller says about itself and its buffers.

public import Wire

/// Something in the controller failed (Core Vol 4, Part E, 7.7.16).
public struct HardwareError: EventParameters {
    public static let code = EventCode.hardwareError

    /// The maker's own number.
    public var hardwareCode: UInt8 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("Hardware_Code", &hardwareCode)
    }
}

/// The host sent more data than the controller had buffers (Core Vol 4, Part E, 7.7.26).
public struct DataBufferOverflow: EventParameters {
    public static let code = EventCode.dataBufferOverflow

    /// 0 synchronous, 1 ACL, 2 ISO.
    public var linkKind: UInt8 = 0

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint8("Link_Type", &linkKind)
    }
}

/// Data packets that the controller has sent, or flushed, so that their buffers are free (Core Vol 4, Part E, 7.7.19).
public struct NumberOfCompletedPackets: EventParameters, RowEvent {
    public static let code = EventCode.numberOfCompletedPackets

    /// Row by row: handle, count, handle, count.
    public var completions: [Completion] = []
    public var malformed: WireError?

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        var count = UInt8(clamping: completions.count)
        try pass.uint8("Num_Handles", &count)
        try pass.list("Handle", &completions, count: Int(count))
    }

    /// The completed packets of one connection.
    public struct Completion: Fielded, Hashable {
        public var handle = ConnectionHandle(rawValue: 0)
        public var count: UInt16 = 0

        public init() {}

        public init(_ handle: ConnectionHandle, count: UInt16) {
            self.handle = handle
            self.count = count
        }

        public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
            try pass.number("Connection_Handle", &handle)
            try pass.uint16("Num_Completed_Packets", &count)
        }
    }
}
