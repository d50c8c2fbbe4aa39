public import Wire

/// One packet between host and controller, its content not yet looked into: kind and octets (Core Vol 4, Part E, 5.4).
public enum Packet: Hashable, Sendable {
    case command(Opcode, parameters: [UInt8])
    case acl(ACLPacket)
    case synchronous(SynchronousPacket)
    case event(EventCode, parameters: [UInt8])
    case iso(ISOPacket)
    /// A type octet that the specification does not define, and everything behind it.
    case other(PacketType, octets: [UInt8])
}

extension Packet {
    /// Reads one packet, its H4 type octet first.
    ///
    /// - Parameter trailing: set to the number of octets behind the end that the packet's own length declares.
    /// - Throws: `truncated` where the header is not whole or less is there than it declares; offsets count from the type octet.
    public init(decoding octets: Span<UInt8>, trailing: inout Int) throws(WireError) {
        var pass = DecodePass(octets)
        var type = PacketType(rawValue: 0)
        try pass.number("HCI packet type", &type)
        switch type {
        case .command:
            var command = CommandPacket()
            try command.fields(&pass)
            self = .command(command.opcode, parameters: command.parameters)
        case .acl:
            var packet = ACLPacket()
            try packet.fields(&pass)
            self = .acl(packet)
        case .synchronous:
            var packet = SynchronousPacket()
            try packet.fields(&pass)
            self = .synchronous(packet)
        case .event:
            var event = EventPacket()
            try event.fields(&pass)
            self = .event(event.code, parameters: event.parameters)
        case .iso:
            var packet = ISOPacket()
            try packet.fields(&pass)
            self = .iso(packet)
        default:
            var rest: [UInt8] = []
            try pass.rest("Octets", &rest)
            self = .other(type, octets: rest)
        }
        trailing = pass.remaining
    }

    /// Reads one packet, its H4 type octet first. Octets behind its declared end are left alone.
    public init(decoding octets: [UInt8]) throws(WireError) {
        var trailing = 0
        try self.init(decoding: octets.span, trailing: &trailing)
    }

    /// The kind, as its H4 type octet tells it.
    public var type: PacketType {
        switch self {
        case .command: .command
        case .acl: .acl
        case .synchronous: .synchronous
        case .event: .event
        case .iso: .iso
        case .other(let type, _): type
        }
    }

    /// The packet as on the wire, its H4 type octet first.
    ///
    /// What does not fit the length field is cut: 255 octets of parameters, 65,535 of ACL data, 255 of synchronous, 16,383 of ISO.
    public var encoded: [UInt8] {
        var pass = EncodePass()
        var type = type
        pass.number("HCI packet type", &type)
        switch self {
        case .command(let opcode, let parameters):
            return pass.octets + CommandPacket(opcode, parameters: parameters).encoded
        case .acl(let packet): return pass.octets + packet.encoded
        case .synchronous(let packet): return pass.octets + packet.encoded
        case .event(let code, let parameters): return pass.octets + EventPacket(code, parameters: parameters).encoded
        case .iso(let packet): return pass.octets + packet.encoded
        case .other(_, let octets): return pass.octets + octets
        }
    }
}

/// The fields of a command packet (Core Vol 4, Part E, 5.4.1).
struct CommandPacket: Fielded, Hashable {
    var opcode = Opcode.none
    var parameters: [UInt8] = []

    init() {}

    init(_ opcode: Opcode, parameters: [UInt8]) {
        self.opcode = opcode
        self.parameters = parameters
    }

    mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Opcode", &opcode)
        var length = UInt8(clamping: parameters.count)
        try pass.uint8("Parameter_Total_Length", &length)
        try pass.bytes("Parameters", &parameters, count: Int(length))
    }
}

/// The fields of an event packet (Core Vol 4, Part E, 5.4.4).
struct EventPacket: Fielded, Hashable {
    var code = EventCode(rawValue: 0)
    var parameters: [UInt8] = []

    init() {}

    init(_ code: EventCode, parameters: [UInt8]) {
        self.code = code
        self.parameters = parameters
    }

    mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Event_Code", &code)
        var length = UInt8(clamping: parameters.count)
        try pass.uint8("Parameter_Total_Length", &length)
        try pass.bytes("Event_Parameters", &parameters, count: Int(length))
    }
}
