public import SMP

/// The data of a strap's that goes another way than the air: printed on a leaflet, say, or read from a tag.
public struct Leaflet: Hashable, Sendable {
    /// For legacy pairing.
    public var temporaryKey: SecretKey?
    /// For LE Secure Connections: the strap's random value, 16 octets.
    public var random: SecretKey?
    /// For the same: the strap's private key, 32 octets, the most significant first.
    public var privateKey: [UInt8]

    public init(temporaryKey: SecretKey) {
        self.temporaryKey = temporaryKey
        privateKey = []
    }

    public init(random: SecretKey, privateKey: [UInt8]) {
        self.random = random
        self.privateKey = privateKey
    }

    /// What the strap has of it.
    func kept(_ toolbox: any SecurityToolbox) throws(ToolboxError) -> OutOfBand {
        var data = OutOfBand()
        data.temporaryKey = temporaryKey
        data.own = try own(toolbox)
        return data
    }

    private func own(_ toolbox: any SecurityToolbox) throws(ToolboxError) -> OutOfBand.OwnCommitment? {
        guard let random else { return nil }
        return OutOfBand.OwnCommitment(random: random, keyPair: try toolbox.keyPair(privateKey: privateKey))
    }

    /// What the host reads on it.
    ///
    /// - Throws: `ToolboxError` for a private key that is none
    public func read(_ toolbox: any SecurityToolbox) throws(ToolboxError) -> OutOfBand {
        var data = OutOfBand()
        data.temporaryKey = temporaryKey
        if let own = try own(toolbox) { data.peer = try toolbox.told(of: own) }
        return data
    }
}
