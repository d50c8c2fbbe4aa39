import HCI
import Wire

extension SecurityManager {
    /// Does one step of the pairing that is under way. A break ends it.
    mutating func proceed(
        _ before: Pairing, at now: Moment, into effects: inout [Effect],
        _ step: (inout Pairing, any SecurityToolbox, inout [Effect]) throws(PairingBreak) -> Void
    ) {
        guard let toolbox else { return }
        let first = effects.endIndex
        var pairing = before
        do throws(PairingBreak) {
            try step(&pairing, toolbox, &effects)
            pairing.remember(effects[first...])
            if effects[first...].contains(where: \.isTransmission) { pairing.deadline = now + Self.timeout }
            state = .pairing(pairing)
        } catch {
            pairing.remember(effects[first...])
            state = .pairing(pairing)
            end(error, at: now, into: &effects)
        }
    }

    /// The user has said something.
    mutating func answered(_ answer: PairingAnswer, at now: Moment, into effects: inout [Effect]) {
        guard case .pairing(var pairing) = state, case .question(let question) = pairing.concern else { return }
        switch (question, answer) {
        case (.passkey, .passkey), (.comparison, .comparison), (_, .none): break
        // An answer to something else.
        default: return
        }
        pairing.concern = nil
        proceed(pairing, at: now, into: &effects) { pairing, toolbox, effects throws(PairingBreak) in
            try pairing.answered(answer, toolbox, into: &effects)
        }
    }

    /// The link is encrypted with the new key: phase 3 begins, and may be over at once.
    mutating func distribute(
        _ pairing: Pairing, _ terms: PairingTerms, _ key: SecretKey, at now: Moment, into effects: inout [Effect]
    ) {
        proceed(pairing, at: now, into: &effects) { pairing, toolbox, effects throws(PairingBreak) in
            let context = PairingContext(terms: terms, policy: pairing.policy, toolbox: toolbox)
            let exchange = try KeyExchange(context, gives: pairing.identity, into: &effects)
            pairing.stage = .distribution(terms, longTermKey: terms.isSecureConnections ? key : nil, exchange)
            pairing.deadline = now + Self.timeout
        }
        finishIfComplete(at: now, into: &effects)
    }

    /// All keys are there: what is to be kept is handed on, and the pairing is over.
    mutating func finishIfComplete(at now: Moment, into effects: inout [Effect]) {
        guard case .pairing(let pairing) = state,
            case .distribution(let terms, let longTermKey, let exchange) = pairing.stage, exchange.isComplete
        else { return }
        failures = FailureCount()
        hasBondFailed = false
        if let new = exchange.bond(terms, longTermKey: longTermKey, configuration, known: bond) {
            bond = new
            security.isBonded = true
            effects.append(.bonded(new))
        }
        settle(at: now, into: &effects)
    }

    /// The pairing has come to nothing.
    mutating func end(_ reason: PairingBreak, at now: Moment, into effects: inout [Effect]) {
        if let told = reason.told { effects.append(.transmit(.pairingFailed(PairingFailed(told)))) }
        fail(reason.failure, at: now, into: &effects)
    }

    /// What was under way has come to nothing.
    mutating func fail(_ failure: SecurityFailure, at now: Moment, into effects: inout [Effect]) {
        if case .pairing(let pairing) = state, pairing.concern != nil { effects.append(.withdraw) }
        if failure.countsAsAttempt { failures.add(at: now) }
        state = .idle
        wanted = nil
        effects.append(.failed(failure))
    }
}

extension SecurityManager.Effect {
    fileprivate var isTransmission: Bool { if case .transmit = self { true } else { false } }
}
