/// The cryptography that pairing stands on (Core Vol 3, Part H, 2.2). Whoever implements it implements nothing of pairing.
///
/// Octets are in the order of the specification's text, the most significant first; PDUs have them the other way round.
public protocol SecurityToolbox: Sendable {
    /// AES-128 of one block of 16 octets (Core Vol 3, Part H, 2.2.1).
    func encrypt(_ block: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8]
    /// AES-CMAC of a message (RFC 4493; Core Vol 3, Part H, 2.2.5).
    func authenticate(_ message: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8]
    /// A new pair of keys on P-256.
    func makeKeyPair() throws(ToolboxError) -> KeyPair
    /// The pair of a known private key of 32 octets.
    func keyPair(privateKey: [UInt8]) throws(ToolboxError) -> KeyPair
    /// The shared secret of 32 octets (Core Vol 3, Part H, 2.2.6: P256).
    ///
    /// - Throws: `.notOnCurve` where the peer's key is no point of the curve
    func sharedSecret(of own: KeyPair, with peer: PublicKey) throws(ToolboxError) -> [UInt8]
    /// Octets that nobody can guess.
    func random(_ count: Int) throws(ToolboxError) -> [UInt8]
}

/// Why there was nothing to be had of the toolbox.
public enum ToolboxError: Error, Hashable, Sendable {
    /// A point that does not lie on P-256, or is no point.
    case notOnCurve
    /// The library failed: it lacks memory, or the system entropy.
    case failed(String)
}

/// A point on P-256.
public struct PublicKey: Hashable, Sendable {
    /// 32 octets, the most significant first.
    public var x: [UInt8]
    /// 32 octets, the most significant first.
    public var y: [UInt8]

    public init(x: [UInt8], y: [UInt8]) {
        self.x = x
        self.y = y
    }
}

/// A private key and the point that belongs to it. However it is printed, the private key does not show.
public struct KeyPair: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// 32 octets, the most significant first.
    public let privateKey: [UInt8]
    /// The point that the peer is told.
    public let publicKey: PublicKey

    public init(privateKey: [UInt8], publicKey: PublicKey) {
        self.privateKey = privateKey
        self.publicKey = publicKey
    }

    public var description: String { "(secret)" }
    /// The public key alone: `dump` and the like see no private one either.
    public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}
