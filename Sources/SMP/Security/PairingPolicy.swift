/// How this device pairs.
public struct PairingPolicy: Hashable, Sendable {
    /// Which generations of pairing may be used.
    public enum Generation: Hashable, Sendable {
        /// LE Secure Connections where the peer can, else legacy pairing.
        case any
        case secureConnectionsOnly
        case legacyOnly
    }

    /// What the user can be shown and asked.
    public var ioCapability = IOCapability.noInputNoOutput
    /// What came from the peer by another way, and what went to it.
    public var outOfBand: OutOfBand?
    /// Which generations of pairing may be used.
    public var generation = Generation.any
    /// Whether the keys are kept.
    public var isBonding = true
    /// Shown where this side shows a passkey, instead of a new one each time: that of a device whose label bears it. Whoever has seen it
    /// once can be in the middle of every later pairing.
    public var fixedPasskey: Passkey?
    /// Octets that a key must have at least: 7 to 16.
    public var minimumKeySize = 16
    /// Octets that a key may have at most: 7 to 16.
    public var maximumKeySize = 16
    /// Whether the pair of keys that everybody knows may be used, by us and by the peer (Core Vol 3, Part H, 2.3.5.6.1).
    public var usesDebugKeys = false

    public init() {}
}

/// Data for pairing that goes another way than the air (Core Vol 3, Part H, 2.3.5.6.4; Supplement, Part A, 1.16 to 1.18).
public struct OutOfBand: Hashable, Sendable {
    /// The temporary key of legacy pairing.
    public var temporaryKey: SecretKey?
    /// The peer's confirm value and random value, for Secure Connections.
    public var peer: Commitment?
    /// Our own, where they went to the peer, with the pair of keys that they commit to.
    public var own: OwnCommitment?

    public init() {}

    /// A confirm value and the random value in it, 16 octets each, the least significant first.
    public struct Commitment: Hashable, Sendable {
        /// Commits to the public key and the random value.
        public var confirm: SecretKey
        /// Proves to the peer that its data has arrived.
        public var random: SecretKey

        public init(confirm: SecretKey, random: SecretKey) {
            self.confirm = confirm
            self.random = random
        }
    }

    /// What of ours the peer knows by the other way.
    public struct OwnCommitment: Hashable, Sendable {
        /// By which the peer proves that it has our data.
        public var random: SecretKey
        /// The keys that the next pairing is to use.
        public var keyPair: KeyPair

        public init(random: SecretKey, keyPair: KeyPair) {
            self.random = random
            self.keyPair = keyPair
        }
    }
}
