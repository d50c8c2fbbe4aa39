/// Data that goes to the peer another way than the air (Core Vol 3, Part H, 2.3.5.6.4).
extension SecurityToolbox {
    /// New data for LE Secure Connections: what this device keeps for the one pairing that they are for, and what the peer is to be told.
    public func makeOutOfBandData() throws(ToolboxError) -> (own: OutOfBand.OwnCommitment, told: OutOfBand.Commitment) {
        let keyPair = try makeKeyPair()
        let octets = try random(SecretKey.length)
        let x = keyPair.publicKey.x
        let confirm = try f4(u: x, v: x, x: octets, z: 0)
        guard let random = SecretKey(octets.reversed()), let confirm = SecretKey(confirm.reversed()) else {
            throw .failed("a random value of \(octets.count) octets")
        }
        return (.init(random: random, keyPair: keyPair), .init(confirm: confirm, random: random))
    }
}
