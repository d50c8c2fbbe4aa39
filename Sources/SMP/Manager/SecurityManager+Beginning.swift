import HCI
import Wire

extension SecurityManager {
    /// Has the link protected that well, by the least that suffices.
    mutating func secure(_ level: SecurityLevel, at now: Moment, into effects: inout [Effect]) {
        guard toolbox != nil else { return effects.append(.failed(.notSupported)) }
        switch state {
        case .closed: effects.append(.failed(.timedOut))
        case .encrypting, .requesting, .pairing: wanted = max(wanted ?? .none, level)
        case .idle:
            guard security.level < level else { return effects.append(.secured(security)) }
            begin(level, at: now, into: &effects)
        }
    }

    /// Pairs anew. While something else is under way, its end is what counts.
    mutating func pair(_ level: SecurityLevel, at now: Moment, into effects: inout [Effect]) {
        guard case .idle = state, toolbox != nil else { return secure(level, at: now, into: &effects) }
        beginPairing(PairingGoal(level, replacing: bond), at: now, into: &effects)
    }

    /// Begins what raises the link's protection.
    private mutating func begin(_ level: SecurityLevel, at now: Moment, into effects: inout [Effect]) {
        if configuration.role == .central, let key = key(for: level) {
            encrypt(with: key, at: now, into: &effects)
        } else if hasBondFailed {
            fail(.keyMissing, at: now, into: &effects)
        } else {
            beginPairing(PairingGoal(level, replacing: bond), at: now, into: &effects)
        }
    }

    /// Has the link encrypted with the bond's key; without a key that can be used, that has failed.
    mutating func encryptByBond(at now: Moment, into effects: inout [Effect]) {
        guard case .idle = state else { return }
        guard configuration.role == .central, let key = key(for: .none) else {
            hasBondFailed = true
            return fail(.keyUnusable, at: now, into: &effects)
        }
        encrypt(with: key, at: now, into: &effects)
    }

    /// Something has succeeded that was under way: more may have been wanted meanwhile.
    mutating func settle(at now: Moment, into effects: inout [Effect]) {
        let level = wanted ?? .none
        state = .idle
        wanted = nil
        guard security.level < level else { return effects.append(.secured(security)) }
        begin(level, at: now, into: &effects)
    }

    /// The bond's key, where it protects that well.
    func key(for level: SecurityLevel) -> LongTermKey? {
        guard let bond, let key = bond.centralKey, bond.level >= level,
            key.size >= configuration.policy.keySizes.lowerBound
        else { return nil }
        return key
    }

    /// Central: sends the Pairing Request. Peripheral: asks the central to.
    mutating func beginPairing(_ goal: PairingGoal, at now: Moment, into effects: inout [Effect]) {
        let policy = configuration.policy
        guard policy.reaches(goal.leastLevel) else {
            return fail(.levelOutOfReach(goal.leastLevel), at: now, into: &effects)
        }
        if let until = notBefore, now < until { return fail(.tooSoon(until: until), at: now, into: &effects) }
        let deadline = now + Self.timeout
        if configuration.role == .central {
            let request = policy.request(goal, gives: configuration.ownIdentity)
            effects.append(.transmit(.pairingRequest(request)))
            state = .pairing(
                Pairing(
                    goal: goal, policy: policy, identity: configuration.ownIdentity, stage: .features(request),
                    deadline: deadline))
        } else {
            let request = SecurityRequest { $0.authentication = policy.securityRequest(goal) }
            effects.append(.transmit(.securityRequest(request)))
            state = .requesting(Requesting(goal: goal, deadline: deadline))
        }
    }

    /// Before this no attempt may begin.
    var notBefore: Moment? { [configuration.notBefore, failures.notBefore].compactMap { $0 }.max() }

    /// The user gives it up.
    mutating func cancelled(at now: Moment, into effects: inout [Effect]) {
        switch state {
        case .idle, .encrypting, .closed: return
        case .requesting: fail(.cancelled, at: now, into: &effects)
        case .pairing(let pairing):
            guard pairing.isUndecided else { return }
            let reason: PairingFailure =
                pairing.concern == .question(.passkey) ? .passkeyEntryFailed : .unspecifiedReason
            end(PairingBreak(told: reason, failure: .cancelled), at: now, into: &effects)
        }
    }
}

extension PairingPolicy {
    /// Whether there is any peer with which a pairing would protect the link that well.
    func reaches(_ level: SecurityLevel) -> Bool {
        switch level {
        case .none, .encrypted: true
        case .authenticated: ioCapability != .noInputNoOutput || hasOutOfBandData
        case .authenticatedSecureConnections:
            reaches(.authenticated) && offersSecureConnections && keySizes.upperBound == SecretKey.length
        }
    }
}
