public import SMP

/// Pairing's cryptography by libcrypto, OpenSSL's library.
public struct LibcryptoToolbox: SecurityToolbox {
    public init() {}

    public func encrypt(_ block: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try BlockCipher.encrypt(block, key: key)
    }

    public func authenticate(_ message: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try MessageAuthentication.tag(of: message, key: key)
    }

    public func makeKeyPair() throws(ToolboxError) -> KeyPair { try Curve.makeKeyPair() }

    public func keyPair(privateKey: [UInt8]) throws(ToolboxError) -> KeyPair { try Curve.keyPair(privateKey) }

    public func sharedSecret(of own: KeyPair, with peer: PublicKey) throws(ToolboxError) -> [UInt8] {
        try Curve.sharedSecret(of: own, with: peer)
    }

    public func random(_ count: Int) throws(ToolboxError) -> [UInt8] { Entropy.octets(count) }
}
