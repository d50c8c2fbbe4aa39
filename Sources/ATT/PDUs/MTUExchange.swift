public import Wire

/// Tells the server how long a PDU the client can take (Core Vol 3, Part F, 3.4.2.1).
public struct ExchangeMTURequest: PDU {
    public static let opcode = Opcode.exchangeMTURequest

    /// Octets.
    public var clientRxMTU: UInt16 = 0

    public init() {}

    public init(clientRxMTU: UInt16) { self.clientRxMTU = clientRxMTU }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint16("Client Rx MTU", &clientRxMTU)
    }
}

/// Tells the client how long a PDU the server can take (Core Vol 3, Part F, 3.4.2.2).
public struct ExchangeMTUResponse: PDU {
    public static let opcode = Opcode.exchangeMTUResponse

    /// Octets.
    public var serverRxMTU: UInt16 = 0

    public init() {}

    public init(serverRxMTU: UInt16) { self.serverRxMTU = serverRxMTU }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint16("Server Rx MTU", &serverRxMTU)
    }
}
