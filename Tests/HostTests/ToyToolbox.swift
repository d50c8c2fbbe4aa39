import SMP
import Synchronization
import Wire

/// A toolbox whose results can be worked out by hand. It protects nothing: a block is encrypted by adding the key to it.
final class ToyToolbox: SecurityToolbox {
    /// Its random octets count from here on.
    private let next = Mutex<UInt8>(1)

    func encrypt(_ block: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] { zip(block, key).map { $0 &+ $1 } }

    func authenticate(_ message: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] { key }

    func makeKeyPair() throws(ToolboxError) -> KeyPair { try keyPair(privateKey: [UInt8](repeating: 1, count: 32)) }

    func keyPair(privateKey: [UInt8]) throws(ToolboxError) -> KeyPair {
        KeyPair(privateKey: privateKey, publicKey: PublicKey(x: privateKey, y: privateKey))
    }

    func sharedSecret(of own: KeyPair, with peer: PublicKey) throws(ToolboxError) -> [UInt8] { peer.x }

    func random(_ count: Int) throws(ToolboxError) -> [UInt8] {
        let first = next.withLock { next in
            defer { next &+= 1 }
            return next
        }
        return (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
    }
}

extension ToyToolbox {
    /// The private address of a key made of one octet: prand 40 00 00, and a hash of prand and key.
    static func address(of key: UInt8) -> Address {
        // The block is 13 zeros and prand; the hash is its last three octets.
        Address(rawValue: 0x4000_0000_0000 | UInt64(0x40 &+ key) << 16 | UInt64(key) << 8 | UInt64(key))
    }
}
