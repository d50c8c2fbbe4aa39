public import Wire

/// A B-frame: one PDU of a channel, as it goes into ACL fragments (Core Vol 3, Part A, 3.1).
public struct BasicFrame: Fielded, Hashable {
    /// Octets before the payload: its length and the channel.
    public static let headerCount = 4

    public var channel = ChannelID.null
    /// At most 65,535 octets; more are cut when encoded.
    public var payload: [UInt8] = []

    public init() {}

    public init(channel: ChannelID, payload: [UInt8]) {
        self.channel = channel
        self.payload = payload
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        var count = UInt16(clamping: payload.count)
        try pass.uint16("PDU Length", &count)
        try pass.number("Channel ID", &channel)
        try pass.bytes("Information Payload", &payload, count: Int(count))
    }
}
