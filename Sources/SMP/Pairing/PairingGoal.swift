/// What a pairing is for.
struct PairingGoal: Hashable {
    /// What this side needs; with less the pairing is refused.
    var level: SecurityLevel
    /// Whether this side asks for protection against a third party: where it needs it, where a bond had it, or where a peripheral has
    /// asked for it.
    var wantsProtection: Bool
    /// What the keys must not fall short of: those of the bond that they would replace.
    var standing: Standing?

    /// How good keys are.
    struct Standing: Hashable {
        var level: SecurityLevel
        var isSecureConnections: Bool
        var keySize: Int

        /// Whether the one is as good as the other in every respect.
        func reaches(_ other: Standing) -> Bool {
            level >= other.level && keySize >= other.keySize && (isSecureConnections || !other.isSecureConnections)
        }
    }

    /// - Parameter bond: what the keys would replace
    init(_ level: SecurityLevel, wantsProtection: Bool = false, replacing bond: Bond?) {
        self.level = max(level, .encrypted)
        standing = bond.flatMap(Standing.init)
        self.wantsProtection = wantsProtection
        if leastLevel >= .authenticated { self.wantsProtection = true }
    }

    /// The least level that a pairing must reach.
    var leastLevel: SecurityLevel { max(level, standing?.level ?? .none) }
}

extension PairingGoal.Standing {
    /// `nil` for a bond without a key.
    init?(_ bond: Bond) {
        guard let key = bond.centralKey ?? bond.peripheralKey else { return nil }
        self.init(level: bond.level, isSecureConnections: bond.isSecureConnections, keySize: key.size)
    }
}
