public import SMP
import Synchronization
import Wire

/// A toolbox whose random numbers a seed repeats exactly: for simulations and tests, never for secrets.
public final class SeededToolbox<Base: SecurityToolbox>: SecurityToolbox {
    private let base: Base
    private let generator: Mutex<SeededGenerator>

    /// - Parameter base: does everything that is not random
    public init(_ base: Base, seed: UInt64) {
        self.base = base
        generator = Mutex(SeededGenerator(seed: seed))
    }

    public func encrypt(_ block: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try base.encrypt(block, key: key)
    }

    public func authenticate(_ message: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try base.authenticate(message, key: key)
    }

    public func makeKeyPair() throws(ToolboxError) -> KeyPair {
        var privateKey = random(32)
        // Between 1 and the order of the curve, whose first octets are FF.
        privateKey[0] &= 0x7F
        privateKey[31] |= 0x01
        return try base.keyPair(privateKey: privateKey)
    }

    public func keyPair(privateKey: [UInt8]) throws(ToolboxError) -> KeyPair {
        try base.keyPair(privateKey: privateKey)
    }

    public func sharedSecret(of own: KeyPair, with peer: PublicKey) throws(ToolboxError) -> [UInt8] {
        try base.sharedSecret(of: own, with: peer)
    }

    public func random(_ count: Int) -> [UInt8] {
        generator.withLock { generator in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
    }
}

extension SeededToolbox where Base == LibcryptoToolbox {
    /// libcrypto but for the random numbers.
    public convenience init(seed: UInt64) { self.init(LibcryptoToolbox(), seed: seed) }
}
