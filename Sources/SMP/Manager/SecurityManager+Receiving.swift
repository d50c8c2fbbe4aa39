import HCI
import Wire

extension SecurityManager {
    mutating func receive(_ pdu: PairingPDU, at now: Moment, into effects: inout [Effect]) {
        switch state {
        case .closed: effects.append(.note(.passedOver(pdu.code)))
        case .pairing(let pairing): receive(pdu, pairing, at: now, into: &effects)
        case .idle, .encrypting, .requesting: receiveBetweenPairings(pdu, at: now, into: &effects)
        }
    }

    /// A PDU that cannot be read: a pairing does not go on without what it was to say.
    mutating func receiveMalformed(
        _ code: PairingCode?, _ error: WireError, at now: Moment, into effects: inout [Effect]
    ) {
        effects.append(.note(.malformed(code, error)))
        switch state {
        case .closed: return
        case .pairing:
            guard let code else {
                return end(.refused(.invalidParameters, .malformed(nil)), at: now, into: &effects)
            }
            if code == .pairingFailed {
                fail(.peerRefused(.unspecifiedReason), at: now, into: &effects)
            } else if !code.isNoPartOfPairing {
                end(.refused(.invalidParameters, .malformed(code)), at: now, into: &effects)
            }
        case .idle, .encrypting, .requesting:
            if code?.wantsAnswer == true {
                effects.append(.transmit(.pairingFailed(PairingFailed(.invalidParameters))))
            }
        }
    }

    /// While a pairing is under way.
    private mutating func receive(
        _ pdu: PairingPDU, _ pairing: Pairing, at now: Moment, into effects: inout [Effect]
    ) {
        if case .pairingFailed(let failed) = pdu {
            return end(PairingBreak(told: nil, failure: .peerRefused(failed.reason)), at: now, into: &effects)
        }
        guard !pdu.code.isNoPartOfPairing else { return effects.append(.note(.passedOver(pdu.code))) }
        let stage = pairing.stage
        proceed(pairing, at: now, into: &effects) { [configuration] pairing, toolbox, effects throws(PairingBreak) in
            if case .features(let request) = pairing.stage, case .pairingResponse(let response) = pdu {
                try response.check(.pairingResponse)
                let terms = try PairingTerms(configuration, request: request, response: response, for: pairing.goal)
                try pairing.beginPhase2(terms, toolbox, into: &effects)
            } else {
                try pairing.receive(pdu, toolbox, into: &effects)
            }
            // What changes nothing gives no more time: a peer could keep a pairing going for ever.
            if pairing.stage != stage { pairing.deadline = now + Self.timeout }
        }
        finishIfComplete(at: now, into: &effects)
    }

    /// While no pairing is under way.
    private mutating func receiveBetweenPairings(_ pdu: PairingPDU, at now: Moment, into effects: inout [Effect]) {
        let isCentral = configuration.role == .central
        switch pdu {
        case .pairingFailed(let failed):
            guard case .requesting = state else { return effects.append(.note(.gaveUp(failed.reason))) }
            fail(.peerRefused(failed.reason), at: now, into: &effects)
        case .other,
            .pairingRequest where isCentral, .securityRequest where !isCentral:
            refuse(pdu.code, canPair || pdu.isReserved ? .commandNotSupported : .pairingNotSupported, into: &effects)
        case _ where !canPair && pdu.code.wantsAnswer:
            refuse(pdu.code, .pairingNotSupported, into: &effects)
        case .pairingRequest(let request):
            respond(to: request, at: now, into: &effects)
        case .securityRequest(let request):
            receive(request, at: now, into: &effects)
        default:
            // Left over of a pairing that this side has given up: the peer knows.
            effects.append(.note(.passedOver(pdu.code)))
        }
    }

    private func refuse(_ code: PairingCode, _ reason: PairingFailure, into effects: inout [Effect]) {
        effects.append(.transmit(.pairingFailed(PairingFailed(reason))))
        effects.append(.note(.refused(code, reason)))
    }

    /// Peripheral: the central wants to pair.
    private mutating func respond(to request: PairingFeatures, at now: Moment, into effects: inout [Effect]) {
        if case .encrypting = state { return refuse(.pairingRequest, .unspecifiedReason, into: &effects) }
        if let until = notBefore, now < until { return refuse(.pairingRequest, .repeatedAttempts, into: &effects) }
        var goal = PairingGoal(.encrypted, replacing: bond)
        if case .requesting(let requesting) = state { goal = requesting.goal }
        let (policy, identity) = (configuration.policy, configuration.ownIdentity)
        let response = policy.response(to: request, goal, gives: identity)
        let pairing = Pairing(
            goal: goal, policy: policy, identity: identity, stage: .features(request), deadline: now + Self.timeout)
        proceed(pairing, at: now, into: &effects) { [configuration] pairing, toolbox, effects throws(PairingBreak) in
            try request.check(.pairingRequest)
            let terms = try PairingTerms(configuration, request: request, response: response, for: goal)
            effects.append(.transmit(.pairingResponse(response)))
            try pairing.beginPhase2(terms, toolbox, into: &effects)
        }
    }

    /// Central: the peripheral wants the link protected: by the bond's key where there is one, and by a pairing once a link at most.
    private mutating func receive(_ request: SecurityRequest, at now: Moment, into effects: inout [Effect]) {
        effects.append(.note(.securityRequested(request.authentication)))
        let wantsProtection = request.authentication.contains(.manInTheMiddle)
        let level: SecurityLevel =
            wantsProtection && configuration.policy.reaches(.authenticated) ? .authenticated : .encrypted
        // It has what it wants, or will have; and what it does not know any more only the user can replace.
        guard case .idle = state, security.level < level, !hasBondFailed, !hasHonouredRequest else {
            return effects.append(.note(.passedOver(.securityRequest)))
        }
        if bond != nil, security.level == .none { return encryptByBond(at: now, into: &effects) }
        if let until = notBefore, now < until { return refuse(.securityRequest, .repeatedAttempts, into: &effects) }
        hasHonouredRequest = true
        // Whether that is protection enough is the peripheral's to say: this side needs less.
        beginPairing(
            PairingGoal(.encrypted, wantsProtection: wantsProtection, replacing: bond), at: now, into: &effects)
    }
}

extension PairingCode {
    /// Whether the sender waits for something to come back. Never so for Pairing Failed: two ends could refuse each
    /// other's refusals for ever.
    var wantsAnswer: Bool {
        switch self {
        case .pairingRequest, .pairingResponse, .pairingConfirm, .pairingRandom, .securityRequest, .pairingPublicKey,
            .pairingDHKeyCheck:
            true
        default: false
        }
    }

    /// Whether a pairing goes on as if it had not come: reserved codes, a request that is being fulfilled, and what a typist does, which
    /// was not asked for.
    fileprivate var isNoPartOfPairing: Bool {
        self == .securityRequest || self == .pairingKeypressNotification || name == nil
    }
}

extension PairingPDU {
    /// Reads the payload of a frame that holds the PDU and nothing else: each has one length (Core Vol 3, Part H, 3.5.5).
    init(exactly payload: Span<UInt8>) throws(WireError) {
        let pdu = try Self(decoding: payload)
        let count = pdu.encoded.count
        guard payload.count == count else {
            throw .invalid(field: "PDU", at: count, reason: "octets behind the last field")
        }
        self = pdu
    }

    fileprivate var isReserved: Bool { if case .other = self { true } else { false } }
}
