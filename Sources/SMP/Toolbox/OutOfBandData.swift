/// Data that goes to the peer another way than the air (Core Vol 3, Part H, 2.3.5.6.4).
extension SecurityToolbox {
    /// New data for LE Secure Connections: what this device keeps for the one pairing that they are for, and what the peer is to be told.
    public func makeOutOfBandData() throws(ToolboxError) -> (own: OutOfBand.OwnCommitment, told: OutOfBand.Commitment) {
        let keyPair = try makeKeyPair()
        let octets = try random(SecretKey.length)
        guard let random = SecretKey(octets.reversed()) else {
            throw .failed("a random value of \(octets.count) octets")
        }
        let own = OutOfBand.OwnCommitment(random: random, keyPair: keyPair)
        return (own, try told(of: own))
    }

    /// What the peer is to be told of data that this device keeps.
    public func told(of own: OutOfBand.OwnCommitment) throws(ToolboxError) -> OutOfBand.Commitment {
        let x = own.keyPair.publicKey.x
        let octets = try f4(u: x, v: x, x: own.random.mostSignificantFirst, z: 0)
        guard let confirm = SecretKey(octets.reversed()) else {
            throw .failed("a confirm value of \(octets.count) octets")
        }
        return OutOfBand.Commitment(confirm: confirm, random: own.random)
    }
}
