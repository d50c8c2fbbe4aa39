public import Wire

/// Voice data of BR/EDR; kept as it is (Core Vol 4, Part E, 5.4.3).
public struct SynchronousPacket: Fielded, Hashable {
    public var handle = ConnectionHandle(rawValue: 0)
    /// Whether the data arrived whole: 2 bits.
    public var packetStatus: UInt8 = 0
    public var payload: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        var header = handle.rawValue | UInt16(packetStatus & 0b11) << 12
        try pass.uint16("Connection_Handle", &header)
        handle = ConnectionHandle(rawValue: header)
        packetStatus = UInt8(truncatingIfNeeded: header >> 12) & 0b11
        var length = UInt8(clamping: payload.count)
        try pass.uint8("Data_Total_Length", &length)
        try pass.bytes("Data", &payload, count: Int(length))
    }
}
