public import Wire

/// An event's parameters as fields (Core Vol 4, Part E, 7.7).
public protocol EventParameters: Fielded, Hashable {
    static var code: EventCode { get }
}

extension EventParameters {
    /// The event as a packet, its H4 type octet first.
    public var packet: [UInt8] { Packet.event(Self.code, parameters: encoded).encoded }
}

/// The parameters of an LE event as fields, without the sub-event code (Core Vol 4, Part E, 7.7.65).
public protocol LEEventParameters: Fielded, Hashable {
    static var subevent: LESubevent { get }
}

extension LEEventParameters {
    /// The event as a packet, its H4 type octet first.
    public var packet: [UInt8] {
        Packet.event(.leMeta, parameters: [Self.subevent.rawValue] + encoded).encoded
    }
}
