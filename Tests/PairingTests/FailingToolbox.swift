import Cryptography
import SMP
import Synchronization

/// A toolbox that fails for good after so many uses.
final class FailingToolbox: SecurityToolbox {
    private let base = SeededToolbox(seed: 99)
    private let limit: Int
    private let count = Mutex(0)

    init(after limit: Int) { self.limit = limit }

    private func use() throws(ToolboxError) {
        let used = count.withLock { count in
            count += 1
            return count
        }
        guard used <= limit else { throw .failed("after \(limit)") }
    }

    func encrypt(_ block: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try use()
        return try base.encrypt(block, key: key)
    }

    func authenticate(_ message: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try use()
        return try base.authenticate(message, key: key)
    }

    func makeKeyPair() throws(ToolboxError) -> KeyPair {
        try use()
        return try base.makeKeyPair()
    }

    func keyPair(privateKey: [UInt8]) throws(ToolboxError) -> KeyPair {
        try use()
        return try base.keyPair(privateKey: privateKey)
    }

    func sharedSecret(of own: KeyPair, with peer: PublicKey) throws(ToolboxError) -> [UInt8] {
        try use()
        return try base.sharedSecret(of: own, with: peer)
    }

    func random(_ count: Int) throws(ToolboxError) -> [UInt8] {
        try use()
        return base.random(count)
    }
}
