import SMP

/// The cryptography of a device whose random generator is stuck.
struct StuckToolbox: SecurityToolbox {
    private let base: any SecurityToolbox

    init(_ base: any SecurityToolbox) { self.base = base }

    func encrypt(_ block: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] { try base.encrypt(block, key: key) }

    func authenticate(_ message: [UInt8], key: [UInt8]) throws(ToolboxError) -> [UInt8] {
        try base.authenticate(message, key: key)
    }

    func makeKeyPair() throws(ToolboxError) -> KeyPair { try base.makeKeyPair() }

    func keyPair(privateKey: [UInt8]) throws(ToolboxError) -> KeyPair { try base.keyPair(privateKey: privateKey) }

    func sharedSecret(of own: KeyPair, with peer: PublicKey) throws(ToolboxError) -> [UInt8] {
        try base.sharedSecret(of: own, with: peer)
    }

    func random(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: 0x5A + 7 * $0) } }
}
