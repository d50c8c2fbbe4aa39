/// Phase 2 of legacy pairing (Core Vol 3, Part H, 2.3.5.2 to 2.3.5.5): each side commits to a random value with the temporary key,
/// then shows it.
struct LegacyPairing: Hashable {
    private var state: State

    private enum State: Hashable {
        /// The user is asked for the passkey; a responder may have the peer's commitment already. Can transition to `committing`, `opening`.
        case asking(peersConfirm: [UInt8]?)
        /// The peer's confirm value is awaited. Can transition to `opening`.
        case committing(Own)
        /// The peer's random value is awaited. Can transition to `ended`.
        case opening(Own, peersConfirm: [UInt8])
        /// There is a key. Can transition to nothing.
        case ended
    }

    /// This side's values, the most significant octet first.
    private struct Own: Hashable {
        var temporaryKey: [UInt8]
        var random: [UInt8]
        var confirm: [UInt8]
    }

    /// The first step after the features.
    init(_ context: PairingContext, into effects: inout [SecurityManager.Effect]) throws(PairingBreak) {
        state = .asking(peersConfirm: nil)
        switch context.terms.model {
        case .passkeyEntered:
            effects.append(.ask(.passkey))
        case .passkeyShown:
            let passkey = try context.passkeyToShow()
            effects.append(.show(passkey))
            try commit(passkey.mostSignificantFirst, context, into: &effects)
        case .outOfBand:
            guard let key = context.policy.outOfBand?.temporaryKey else { throw .refused(.outOfBandNotAvailable) }
            try commit(key.mostSignificantFirst, context, into: &effects)
        case .justWorks, .numericComparison:
            try commit([UInt8](repeating: 0, count: SecretKey.length), context, into: &effects)
        }
    }

    /// The user has entered the passkey.
    mutating func entered(
        _ passkey: Passkey, _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        guard case .asking = state else { return }
        try commit(passkey.mostSignificantFirst, context, into: &effects)
    }

    /// Takes a PDU of phase 2.
    ///
    /// - Returns: the short term key, once there is one
    mutating func receive(
        _ pdu: PairingPDU, _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) -> SecretKey? {
        switch (state, pdu) {
        case (.asking(peersConfirm: nil), .pairingConfirm(let value)) where !context.terms.isInitiator:
            state = .asking(peersConfirm: value.mostSignificantFirst)
        case (.committing(let own), .pairingConfirm(let value)):
            try open(own, value.mostSignificantFirst, context, into: &effects)
        case (.opening(let own, let confirm), .pairingRandom(let value)):
            return try finish(own, confirm, value.mostSignificantFirst, context, into: &effects)
        default:
            throw .outOfPlace(pdu.code)
        }
        return nil
    }

    private mutating func commit(
        _ temporaryKey: [UInt8], _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        let random = try context.random()
        let confirm = try context.confirm(random, temporaryKey: temporaryKey)
        let own = Own(temporaryKey: temporaryKey, random: random, confirm: confirm)
        let before = state
        state = .committing(own)
        if context.terms.isInitiator {
            effects.append(.transmit(.pairingConfirm(PairingValue(mostSignificantFirst: confirm))))
        } else if case .asking(let peersConfirm?) = before {
            try open(own, peersConfirm, context, into: &effects)
        }
    }

    /// Both sides have committed themselves: the initiator shows its random value, the responder lets it.
    private mutating func open(
        _ own: Own, _ peersConfirm: [UInt8], _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        // What we committed to would prove itself.
        guard peersConfirm != own.confirm else { throw .refused(.confirmValueFailed, .reflectedConfirm) }
        state = .opening(own, peersConfirm: peersConfirm)
        let pdu: PairingPDU =
            context.terms.isInitiator
            ? .pairingRandom(PairingValue(mostSignificantFirst: own.random))
            : .pairingConfirm(PairingValue(mostSignificantFirst: own.confirm))
        effects.append(.transmit(pdu))
    }

    private mutating func finish(
        _ own: Own, _ peersConfirm: [UInt8], _ random: [UInt8], _ context: PairingContext,
        into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) -> SecretKey {
        guard try context.confirm(random, temporaryKey: own.temporaryKey) == peersConfirm else {
            throw .refused(.confirmValueFailed, .confirmMismatch)
        }
        state = .ended
        let isInitiator = context.terms.isInitiator
        let key = try context.work { tools throws(ToolboxError) in
            try tools.s1(
                k: own.temporaryKey, r1: isInitiator ? random : own.random, r2: isInitiator ? own.random : random)
        }
        if !isInitiator {
            effects.append(.transmit(.pairingRandom(PairingValue(mostSignificantFirst: own.random))))
        }
        return try context.key(mostSignificantFirst: key)
    }
}

extension PairingContext {
    /// What commits a side of legacy pairing to its random value.
    fileprivate func confirm(_ random: [UInt8], temporaryKey: [UInt8]) throws(PairingBreak) -> [UInt8] {
        try work { tools throws(ToolboxError) in
            try tools.c1(
                k: temporaryKey, r: random, request: PairingPDU.pairingRequest(terms.request).encoded,
                response: PairingPDU.pairingResponse(terms.response).encoded, initiator: terms.initiator,
                responder: terms.responder)
        }
    }
}
