public import Wire

/// Data of one connection: a piece of an L2CAP PDU (Core Vol 4, Part E, 5.4.2).
public struct ACLPacket: Fielded, Hashable {
    public var handle: ConnectionHandle
    public var boundary: PacketBoundary
    /// 0 is point-to-point, all that LE has. 2 bits.
    public var broadcast: UInt8
    public var payload: [UInt8]

    public init(
        handle: ConnectionHandle, boundary: PacketBoundary = .firstNonFlushable, broadcast: UInt8 = 0, payload: [UInt8]
    ) {
        self.handle = handle
        self.boundary = boundary
        self.broadcast = broadcast
        self.payload = payload
    }

    public init() { self.init(handle: ConnectionHandle(rawValue: 0), payload: []) }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        var header = ACLHeader(handle, boundary, broadcast)
        try pass.number("Connection_Handle", &header)
        (handle, boundary, broadcast) = (header.handle, header.boundary, header.broadcast)
        var length = UInt16(clamping: payload.count)
        try pass.uint16("Data_Total_Length", &length)
        try pass.bytes("Data", &payload, count: Int(length))
    }
}

/// Where in an L2CAP PDU an ACL packet stands: the 2 bits of PB (Core Vol 4, Part E, 5.4.2).
public struct PacketBoundary: AssignedNumber {
    public let rawValue: UInt8

    /// Keeps the low 2 bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0b11 }

    /// The start of a PDU, from host to controller on LE.
    public static let firstNonFlushable = PacketBoundary(rawValue: 0b00)
    /// More of the PDU begun before.
    public static let continuation = PacketBoundary(rawValue: 0b01)
    /// The start of a PDU, from controller to host.
    public static let firstFlushable = PacketBoundary(rawValue: 0b10)
    /// A whole PDU, flushable.
    public static let complete = PacketBoundary(rawValue: 0b11)

    public var name: String? {
        switch self {
        case .firstNonFlushable: "first, non-flushable"
        case .continuation: "continuation"
        case .firstFlushable: "first, flushable"
        default: "complete"
        }
    }

    /// Whether a PDU begins here, so that one begun before and not finished is lost.
    public var isStart: Bool { self != .continuation }
}

/// The first two octets of an ACL packet: handle and flags.
private struct ACLHeader: AssignedNumber {
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ handle: ConnectionHandle, _ boundary: PacketBoundary, _ broadcast: UInt8) {
        rawValue = handle.rawValue | UInt16(boundary.rawValue) << 12 | UInt16(broadcast & 0b11) << 14
    }

    var handle: ConnectionHandle { ConnectionHandle(rawValue: rawValue) }
    var boundary: PacketBoundary { PacketBoundary(rawValue: UInt8(truncatingIfNeeded: rawValue >> 12)) }
    var broadcast: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 14) }

    var name: String? { "\(handle), \(boundary)" + (broadcast == 0 ? "" : ", broadcast \(broadcast)") }
}
