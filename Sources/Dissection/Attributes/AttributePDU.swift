public import ATT
public import Wire

/// An ATT PDU in a capture, with what the PDUs before it tell about it.
public struct AttributePDU: Hashable, Sendable {
    public var opcode: Opcode
    /// The handle after the opcode, in PDUs that begin with exactly one.
    public var handle: Handle?
    /// What follows the opcode and `handle`; `nil` where it was not recorded whole.
    public var value: ArraySlice<UInt8>?
    /// The attribute that a response to a read or a write is about, the handle in its request; that of the indication that a
    /// confirmation confirms.
    public var requested: Handle?
    /// Where in the attribute's value a Read Blob Response begins; `nil` for other PDUs.
    public var offset: Int?
    /// What a Write Request wanted to write, on the response that says it was.
    public var written: [UInt8]?
    /// The type of the attribute with `handle`, else of `requested`, else the one that is asked for; `nil` where the capture does not tell.
    public var attributeType: BluetoothUUID?
    /// Whether `attributeType` was told on an earlier link with the same peer, and not on this one.
    public var isTypeOfEarlierLink = false
    /// Of a Client Characteristic Configuration descriptor, the characteristic that it belongs to.
    public var configured: BluetoothUUID?
    /// Who serves the attribute.
    public var server: Server

    /// One of the two ends of a link.
    public enum Server: Hashable, Sendable {
        case peer
        case host
    }
}
