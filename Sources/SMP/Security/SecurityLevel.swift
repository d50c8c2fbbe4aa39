/// How well a link is protected (Core Vol 3, Part C, 10.2.1: the levels of security mode 1).
public enum SecurityLevel: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Anybody can read along.
    case none = 1
    /// Encrypted with a key that a third party in the middle of the pairing could have made itself.
    case encrypted
    /// Encrypted with a key that both people, or another way, have vouched for.
    case authenticated
    /// The same, by LE Secure Connections, with a key of 128 bits.
    case authenticatedSecureConnections

    public static func < (left: SecurityLevel, right: SecurityLevel) -> Bool { left.rawValue < right.rawValue }
}

/// What protects a link.
public struct LinkProtection: Hashable, Sendable {
    /// How well.
    public var level = SecurityLevel.none
    /// Octets of the key; 0 without encryption.
    public var keySize = 0
    /// Whether the key is kept for later connections.
    public var isBonded = false
    /// Whether the key was made by LE Secure Connections.
    public var isSecureConnections = false

    public init() {}

    public init(level: SecurityLevel, keySize: Int, isBonded: Bool, isSecureConnections: Bool) {
        self.isSecureConnections = isSecureConnections
        self.level = level
        self.keySize = keySize
        self.isBonded = isBonded
    }
}
