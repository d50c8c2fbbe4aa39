import HCI
import Wire

extension SecurityManager {
    /// Central: has the link encrypted with the bond's key.
    mutating func encrypt(with key: LongTermKey, at now: Moment, into effects: inout [Effect]) {
        state = .encrypting(Encrypting(key: key, deadline: now + Self.encryptionTimeout))
        effects.append(.encrypt(key))
    }

    /// Peripheral: the central wants to encrypt. The key of a pairing is given out once the pairing has proven it, never before; another
    /// than the bond's never.
    mutating func provideKey(random: UInt64, diversifier: UInt16, at now: Moment, into effects: inout [Effect]) {
        switch state {
        case .pairing(var pairing):
            guard case .encryption(let terms, let key, isProvided: false) = pairing.stage, !terms.isInitiator,
                random == 0, diversifier == 0
            else { return effects.append(.provide(nil)) }
            pairing.stage = .encryption(terms, key, isProvided: true)
            state = .pairing(pairing)
            effects.append(.provide(key))
        case .idle, .requesting:
            guard let key = keyAsked(random, diversifier) else { return effects.append(.provide(nil)) }
            if case .requesting(let requesting) = state { wanted = max(wanted ?? .none, requesting.goal.level) }
            state = .encrypting(Encrypting(key: key, deadline: now + Self.encryptionTimeout))
            effects.append(.provide(key.key))
        case .encrypting, .closed:
            effects.append(.provide(nil))
        }
    }

    /// The bond's key that a central names so.
    private func keyAsked(_ random: UInt64, _ diversifier: UInt16) -> LongTermKey? {
        guard toolbox != nil, configuration.role != .central, let bond else { return nil }
        let key = bond.isSecureConnections ? bond.centralKey : bond.peripheralKey
        guard let key, key.random == random, key.encryptedDiversifier == diversifier,
            key.size >= configuration.policy.keySizes.lowerBound
        else { return nil }
        return key
    }

    /// The link is encrypted, or has got another key.
    mutating func encrypted(at now: Moment, into effects: inout [Effect]) {
        switch state {
        case .encrypting(let encrypting):
            security = LinkProtection(
                level: bond?.level ?? .none, keySize: encrypting.key.size, isBonded: true,
                isSecureConnections: bond?.isSecureConnections ?? false)
            hasBondFailed = false
            if configuration.role != .central, let level = wanted, security.level < level {
                // The central is content with this key; to ask it again would go on for ever.
                return fail(.levelOutOfReach(level), at: now, into: &effects)
            }
            settle(at: now, into: &effects)
        case .pairing(let pairing):
            guard case .encryption(let terms, let key, isProvided: true) = pairing.stage else { return }
            security = LinkProtection(
                level: terms.level, keySize: terms.keySize, isBonded: false,
                isSecureConnections: terms.isSecureConnections)
            distribute(pairing, terms, key, at: now, into: &effects)
        // Nobody knows with which key.
        case .idle, .requesting, .closed: return
        }
    }

    /// The link could not be encrypted; it is what it was.
    mutating func notEncrypted(_ status: Status, at now: Moment, into effects: inout [Effect]) {
        switch state {
        case .encrypting:
            // Whatever the reason it gives: it has not shown that it is the peer.
            hasBondFailed = true
            fail(status == .pinOrKeyMissing ? .keyMissing : .encryptionFailed(status), at: now, into: &effects)
        case .pairing(let pairing):
            guard case .encryption = pairing.stage else { return }
            fail(.encryptionFailed(status), at: now, into: &effects)
        case .idle, .requesting, .closed: return
        }
    }

    /// The link is not encrypted any more, which LE does not provide for.
    mutating func unprotected(_ status: Status, at now: Moment, into effects: inout [Effect]) {
        security = LinkProtection()
        effects.append(.note(.unprotected(status)))
        guard case .pairing(let pairing) = state, !pairing.isUndecided else { return }
        // What is still to be handed out would go in the clear.
        end(PairingBreak(told: .unspecifiedReason, failure: .encryptionFailed(status)), at: now, into: &effects)
    }
}
