// What the controller's P-256 commands end with.

public import Wire

/// A key pair is made; its public half (Core Vol 4, Part E, 7.7.65.8).
public struct LEReadLocalP256PublicKeyComplete: LEEventParameters {
    public static let subevent = LESubevent.readLocalP256PublicKeyComplete

    public var status = Status.success
    /// 32 octets, the least significant first.
    public var x: [UInt8] = []
    /// 32 octets, the least significant first.
    public var y: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.bytes("Key_X_Coordinate", &x, count: 32)
        try pass.bytes("Key_Y_Coordinate", &y, count: 32)
    }
}

/// The shared secret is computed (Core Vol 4, Part E, 7.7.65.9).
public struct LEGenerateDHKeyComplete: LEEventParameters {
    public static let subevent = LESubevent.generateDHKeyComplete

    public var status = Status.success
    /// 32 octets, the least significant first.
    public var key: [UInt8] = []

    public init() {}

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.number("Status", &status)
        try pass.bytes("DH_Key", &key, count: 32)
    }
}
