public import Wire

/// One command of the signalling channel, before its data is read (Core Vol 3, Part A, 4). On an LE link a frame holds
/// one.
public struct SignalingPacket: Fielded, Hashable {
    /// The longest packet that both ends of an LE link take for certain, in octets.
    public static let minimumMTU = 23

    public var code = SignalingCode(rawValue: 0)
    /// Ties a response to its request; never 0.
    public var identifier: UInt8 = 0
    public var data: [UInt8] = []

    public init() {}

    public init(code: SignalingCode, identifier: UInt8, data: [UInt8]) {
        self.code = code
        self.identifier = identifier
        self.data = data
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Code", &code)
        try pass.uint8("Identifier", &identifier)
        var count = UInt16(clamping: data.count)
        try pass.uint16("Data Length", &count)
        try pass.bytes("Data", &data, count: Int(count))
    }

    /// The packet in the frame that carries it.
    public var frame: BasicFrame { BasicFrame(channel: .signaling, payload: encoded) }
}
