public import Wire

/// Isochronous data of LE Audio; kept as it is, time stamp and sequence number within the payload (Core Vol 4, Part E, 5.4.5).
public struct ISOPacket: Fielded, Hashable {
    public var handle = ConnectionHandle(rawValue: 0)
    /// PB and TS: 3 bits.
    public var flags: UInt8 = 0
    public var payload: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        var header = handle.rawValue | UInt16(flags & 0b111) << 12
        try pass.uint16("Connection_Handle", &header)
        handle = ConnectionHandle(rawValue: header)
        flags = UInt8(truncatingIfNeeded: header >> 12) & 0b111
        var length = UInt16(min(payload.count, 0x3FFF))
        try pass.uint16("Data_Total_Length", &length)
        // The two top bits are reserved.
        try pass.bytes("Data", &payload, count: Int(length & 0x3FFF))
    }
}
