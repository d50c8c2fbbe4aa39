/// Phase 2 of LE Secure Connections (Core Vol 3, Part H, 2.3.5.6): public keys, then a proof that nobody stands between them, then
/// a check of all that was said.
struct SecureConnectionsPairing: Hashable {
    private var state: State

    private enum State: Hashable {
        /// The peer's public key is awaited. Can transition to `committing`, `opening`, `asking`, `entering`.
        case exchanging(KeyPair)
        /// Initiator, Just Works and numeric comparison: the responder's commitment is awaited. Can transition to `opening`.
        case committing(ExchangedKeys)
        /// The peer's random value is awaited. There is a commitment to it where the initiator compares. Can transition to `comparing`,
        /// `checking`.
        case opening(ExchangedKeys, random: [UInt8], peersConfirm: [UInt8]?)
        /// The user is asked for the passkey; a responder may have the peer's commitment already. Can transition to `entering`.
        case asking(ExchangedKeys, peersConfirm: [UInt8]?)
        /// Twenty rounds prove that both know the passkey. Can transition to `checking`.
        case entering(PasskeyRounds)
        /// The user compares two numbers; a responder may have the peer's check already. Can transition to `checking`, `ended`.
        case comparing(PairingProof, peersCheck: [UInt8]?)
        /// The peer's check is awaited. Can transition to `ended`.
        case checking(PairingProof)
        /// There is a key. Can transition to nothing.
        case ended
    }

    /// The first step after the features.
    init(_ context: PairingContext, into effects: inout [SecurityManager.Effect]) throws(PairingBreak) {
        let own = try context.ownKeyPair()
        state = .exchanging(own)
        // The responder shows its key only to who has shown one.
        if context.terms.isInitiator { effects.append(.transmit(.pairingPublicKey(PairingPublicKey(own.publicKey)))) }
    }

    /// The user has entered the passkey.
    mutating func entered(
        _ passkey: Passkey, _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        guard case .asking(let keys, let peersConfirm) = state else { return }
        try enter(passkey, keys, peersConfirm: peersConfirm, context, into: &effects)
    }

    /// The user has compared the numbers: they are the same.
    ///
    /// - Returns: the long term key, where the peer was waiting for the user
    mutating func compared(
        _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) -> SecretKey? {
        guard case .comparing(let proof, let peersCheck) = state else { return nil }
        check(proof, context, into: &effects)
        guard let peersCheck else { return nil }
        return try finish(proof, peersCheck, context, into: &effects)
    }

    /// Takes a PDU of phase 2.
    ///
    /// - Returns: the long term key, once there is one
    mutating func receive(
        _ pdu: PairingPDU, _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) -> SecretKey? {
        let isInitiator = context.terms.isInitiator
        switch (state, pdu) {
        case (.exchanging(let own), .pairingPublicKey(let key)):
            try exchanged(ExchangedKeys(own: own, peer: PublicKey(key), context), context, into: &effects)
        case (.committing(let keys), .pairingConfirm(let value)):
            try show(keys, peersConfirm: value.mostSignificantFirst, context, into: &effects)
        case (.opening(let keys, let random, let confirm), .pairingRandom(let value)):
            try opened(keys, random, value.mostSignificantFirst, confirm, context, into: &effects)
        case (.asking(let keys, peersConfirm: nil), .pairingConfirm(let value)) where !isInitiator:
            state = .asking(keys, peersConfirm: value.mostSignificantFirst)
        case (.entering(var rounds), _):
            let randoms = try rounds.receive(pdu, context, into: &effects)
            state = .entering(rounds)
            guard let randoms else { return nil }
            let proof = try PairingProof(
                rounds.keys, randoms, proves: rounds.passkey.mostSignificantFirst, context)
            check(proof, context, into: &effects)
        case (.comparing(let proof, peersCheck: nil), .pairingDHKeyCheck(let value)) where !isInitiator:
            state = .comparing(proof, peersCheck: value.mostSignificantFirst)
        case (.checking(let proof), .pairingDHKeyCheck(let value)):
            return try finish(proof, value.mostSignificantFirst, context, into: &effects)
        default:
            throw .outOfPlace(pdu.code)
        }
        return nil
    }
}

// MARK: - Stage 1: nobody stands between

extension SecureConnectionsPairing {
    /// Both have the other's public key.
    private mutating func exchanged(
        _ keys: ExchangedKeys, _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        let isInitiator = context.terms.isInitiator
        if !isInitiator {
            effects.append(.transmit(.pairingPublicKey(PairingPublicKey(keys.own.publicKey))))
        }
        switch context.terms.model {
        case .passkeyEntered:
            state = .asking(keys, peersConfirm: nil)
            effects.append(.ask(.passkey))
        case .passkeyShown:
            let passkey = try context.passkeyToShow()
            effects.append(.show(passkey))
            try enter(passkey, keys, peersConfirm: nil, context, into: &effects)
        case .outOfBand:
            try context.checkOutOfBand(keys)
            try show(keys, peersConfirm: nil, context, into: &effects)
        case .justWorks, .numericComparison:
            if isInitiator {
                state = .committing(keys)
            } else {
                try commit(keys, context, into: &effects)
            }
        }
    }

    private mutating func enter(
        _ passkey: Passkey, _ keys: ExchangedKeys, peersConfirm: [UInt8]?, _ context: PairingContext,
        into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        var rounds = try PasskeyRounds(passkey, keys, context, into: &effects)
        if let peersConfirm {
            let confirm = PairingPDU.pairingConfirm(PairingValue(mostSignificantFirst: peersConfirm))
            _ = try rounds.receive(confirm, context, into: &effects)
        }
        state = .entering(rounds)
    }

    /// The responder commits itself before it sees the initiator's random value: it could choose one otherwise.
    private mutating func commit(
        _ keys: ExchangedKeys, _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        let random = try context.random()
        let confirm = try context.confirm(by: keys.own.publicKey, to: keys.peer, random, 0)
        effects.append(.transmit(.pairingConfirm(PairingValue(mostSignificantFirst: confirm))))
        state = .opening(keys, random: random, peersConfirm: nil)
    }

    /// A new random value: the initiator shows it, the responder does so when it has seen the initiator's.
    private mutating func show(
        _ keys: ExchangedKeys, peersConfirm: [UInt8]?, _ context: PairingContext,
        into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        let random = try context.random()
        if context.terms.isInitiator {
            effects.append(.transmit(.pairingRandom(PairingValue(mostSignificantFirst: random))))
        }
        state = .opening(keys, random: random, peersConfirm: peersConfirm)
    }

    /// Both have shown their random values.
    private mutating func opened(
        _ keys: ExchangedKeys, _ own: [UInt8], _ peers: [UInt8], _ peersConfirm: [UInt8]?, _ context: PairingContext,
        into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        guard own != peers else { throw .refused(.confirmValueFailed, .repeatedRandom) }
        if let peersConfirm {
            guard try context.confirm(by: keys.peer, to: keys.own.publicKey, peers, 0) == peersConfirm else {
                throw .refused(.confirmValueFailed, .confirmMismatch)
            }
        }
        let isInitiator = context.terms.isInitiator
        if !isInitiator { effects.append(.transmit(.pairingRandom(PairingValue(mostSignificantFirst: own)))) }
        let randoms = PairingRandoms(own: own, peer: peers)
        let proof = try PairingProof(keys, randoms, proves: nil, context)
        guard context.terms.model == .numericComparison else { return check(proof, context, into: &effects) }
        let number = try context.work { tools throws(ToolboxError) in
            let (mine, others) = (keys.own.publicKey.x, keys.peer.x)
            return isInitiator
                ? try tools.g2(u: mine, v: others, x: own, y: peers)
                : try tools.g2(u: others, v: mine, x: peers, y: own)
        }
        state = .comparing(proof, peersCheck: nil)
        effects.append(.ask(.comparison(number)))
    }
}

// MARK: - Stage 2: all that was said

extension SecureConnectionsPairing {
    /// The initiator shows its check; the responder waits for it.
    private mutating func check(
        _ proof: PairingProof, _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) {
        state = .checking(proof)
        if context.terms.isInitiator { effects.append(.transmit(proof.pdu)) }
    }

    private mutating func finish(
        _ proof: PairingProof, _ peersCheck: [UInt8], _ context: PairingContext,
        into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) -> SecretKey {
        guard peersCheck == proof.peersCheck else { throw .refused(.dhKeyCheckFailed, .checkMismatch) }
        state = .ended
        if !context.terms.isInitiator { effects.append(.transmit(proof.pdu)) }
        return try context.key(mostSignificantFirst: proof.longTermKey)
    }
}
