import Cryptography
import SMP
import Synchronization

/// A toolbox that gives one random value of 128 bits twice.
final class RepeatingToolbox: SecurityToolbox {
    private let base = SeededToolbox(seed: 77)
    private let from: Int
    private let state = Mutex<(count: Int, last: [UInt8])>((0, []))

    /// - Parameter from: the value of which number, from 1, is the one before
    init(from: Int) { self.from = from }

    func random(_ count: Int) throws(ToolboxError) -> [UInt8] {
        let octets = base.random(count)
        guard count == SecretKey.length else { return octets }
        return state.withLock { state in
            state.count += 1
            if state.count < from || state.last.isEmpty { state.last = octets }
            return state.last
        }
    }

    func encrypt(_ block: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] { try base.encrypt(block, key: key) }
    func authenticate(_ message: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try base.authenticate(message, key: key)
    }
    func makeKeyPair() throws(ToolboxError) -> KeyPair { try base.makeKeyPair() }
    func keyPair(privateKey: [UInt8]) throws(ToolboxError) -> KeyPair { try base.keyPair(privateKey: privateKey) }
    func sharedSecret(of own: KeyPair, with peer: PublicKey) throws(ToolboxError) -> [UInt8] {
        try base.sharedSecret(of: own, with: peer)
    }
}
