public import HCI
public import Wire

/// The key that encrypts the links with one peer (Core Vol 3, Part H, 2.4.1).
public struct LongTermKey: Hashable, Sendable {
    /// The key itself; one of fewer octets than 16 has zeros behind the last that counts.
    public var key: SecretKey
    /// Octets of it that count: 7 to 16.
    public var size: Int
    /// EDIV, which tells a legacy peer which of its keys is meant; 0 with Secure Connections.
    public var encryptedDiversifier: UInt16
    /// Rand, the same; 0 with Secure Connections.
    public var random: UInt64

    public init(key: SecretKey, size: Int, encryptedDiversifier: UInt16 = 0, random: UInt64 = 0) {
        self.key = key
        self.size = size
        self.encryptedDiversifier = encryptedDiversifier
        self.random = random
    }
}

/// What is kept of a peer after a pairing.
public struct Bond: Hashable, Sendable {
    /// Under which address the peer is known: that of its identity where it has told one, else the one it was paired under.
    /// Public or random static, or a private one where nothing else is known of it.
    public var identity: DeviceAddress
    /// Tells the peer's private addresses from others.
    public var identityResolvingKey: SecretKey?
    /// Encrypts when the host is central. With Secure Connections, in either role.
    public var centralKey: LongTermKey?
    /// Encrypts when the host is peripheral, after legacy pairing: the key that this host gave out.
    public var peripheralKey: LongTermKey?
    /// Proves what the peer has signed. Kept, and not used.
    public var signingKey: SecretKey?
    /// How well the keys protect.
    public var level: SecurityLevel
    /// The identity of ours that the peer was told, by which it recognises our private addresses; `nil` where it was told none, so that
    /// it must be met with the address it was paired with.
    public var ownIdentity: DeviceAddress?
    /// The address of ours that the peer was paired with.
    public var ownAddress: DeviceAddress
    /// What the peer calls itself, where that is known.
    public var name: String?
    /// When the keys were made; `nil` for a bond that no store has kept yet.
    public var since: Timestamp?

    public init(identity: DeviceAddress, level: SecurityLevel, ownAddress: DeviceAddress) {
        self.identity = identity
        self.level = level
        self.ownAddress = ownAddress
    }

    /// Whether the key was made by LE Secure Connections.
    public var isSecureConnections: Bool {
        centralKey.map { $0.encryptedDiversifier == 0 && $0.random == 0 } ?? false
    }
}

/// By which peers know this host under its private addresses: handed out when pairing.
public struct OwnIdentity: Hashable, Sendable {
    /// Makes the private addresses.
    public var resolvingKey: SecretKey
    /// Public, or random static.
    public var address: DeviceAddress

    public init(resolvingKey: SecretKey, address: DeviceAddress) {
        self.resolvingKey = resolvingKey
        self.address = address
    }
}
