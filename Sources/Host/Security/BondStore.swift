public import HCI
public import SMP

/// Keeps bonds beyond the life of one central.
public protocol BondStore: Sendable {
    /// All that is kept.
    ///
    /// Called away from the link's executor: it may block.
    ///
    /// - Throws: `.damaged` where the kept bonds cannot be trusted and have been put aside where that could be done: there are none then,
    ///   and the next call says so by returning nothing instead of throwing. After any other error they are where they were.
    func load() async throws(BondStoreError) -> KnownBonds

    /// Keeps a bond in place of what there was of that identity. It is safe against a loss of power when this returns.
    ///
    /// - Parameters:
    ///   - bond: one without a date gets the present one
    ///   - ownKey: the identity resolving key that the peer was told, where it was told one. It becomes this host's where there is none
    ///     yet; where there is another meanwhile, the bond is kept without our identity, as the peer will not know us by it.
    /// - Throws: and the bond is then not kept. Damage that could be put aside is no reason not to keep it.
    func save(_ bond: Bond, ownKey: SecretKey) async throws(BondStoreError)

    /// Forgets a peer. Answers whether there was something to forget.
    func remove(_ identity: DeviceAddress) async throws(BondStoreError) -> Bool
}

/// All that a store keeps.
public struct KnownBonds: Hashable, Sendable {
    /// Makes this host's private addresses, and is what peers that were told it know them by; `nil` before the first such pairing.
    public var ownKey: SecretKey?
    /// One a peer.
    public var bonds: [Bond]

    public init(ownKey: SecretKey? = nil, bonds: [Bond] = []) {
        self.ownKey = ownKey
        self.bonds = bonds
    }

    /// The bond with a peer under exactly this identity, public or random; setting replaces, adds or takes away.
    public subscript(identity: DeviceAddress) -> Bond? {
        get { bonds.first { $0.identity.plain == identity.plain } }
        set {
            guard let index = bonds.firstIndex(where: { $0.identity.plain == identity.plain }) else {
                if let newValue { bonds.append(newValue) }
                return
            }
            if let newValue { bonds[index] = newValue } else { bonds.remove(at: index) }
        }
    }
}

/// Why a store does not do what it was asked. It holds no key.
public struct BondStoreError: Error, Hashable, Sendable {
    /// What kind of trouble it is, for those who act on it.
    public enum Kind: Hashable, Sendable {
        /// What was kept means nothing, or not what it meant, and has been put aside.
        case damaged
        /// Others than its owner could read what is kept. Told where the rest went well.
        case exposed
        /// A newer version of the program has written it; it was left alone.
        case newerVersion
        /// As many bonds are kept as there is room for.
        case full
        /// Another process has been writing for longer than is waited.
        case inUse
        /// Permission is missing.
        case notPermitted
        /// Any other refusal of the system: a full disk, say.
        case system
    }

    /// What it is.
    public var kind: Kind
    /// What happened, and where, in words for people.
    public var reason: String
    /// The file or folder that it is about, where it is about one.
    public var path: String?

    public init(_ kind: Kind, _ reason: String, path: String? = nil) {
        self.kind = kind
        self.reason = reason
        self.path = path
    }
}
