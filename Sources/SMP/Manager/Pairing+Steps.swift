extension SecurityManager.Pairing {
    /// Both sides have said what they can: phase 2 begins.
    mutating func beginPhase2(
        _ terms: PairingTerms, _ toolbox: any SecurityToolbox, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        effects.append(.note(.pairing(terms.model, isSecureConnections: terms.isSecureConnections)))
        let context = PairingContext(terms: terms, policy: policy, toolbox: toolbox)
        if terms.isSecureConnections {
            stage = .secureConnections(terms, try SecureConnectionsPairing(context, into: &effects))
        } else {
            stage = .legacy(terms, try LegacyPairing(context, into: &effects))
        }
    }

    /// The user has answered the question that is open.
    mutating func answered(
        _ answer: PairingAnswer, _ toolbox: any SecurityToolbox, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        guard let terms else { return }
        let context = PairingContext(terms: terms, policy: policy, toolbox: toolbox)
        switch (answer, stage) {
        case (.passkey(let passkey), .legacy(_, var machine)):
            try machine.entered(passkey, context, into: &effects)
            stage = .legacy(terms, machine)
        case (.passkey(let passkey), .secureConnections(_, var machine)):
            try machine.entered(passkey, context, into: &effects)
            stage = .secureConnections(terms, machine)
        case (.comparison(true), .secureConnections(_, var machine)):
            let key = try machine.compared(context, into: &effects)
            stage = .secureConnections(terms, machine)
            if let key { agreed(on: key, terms, into: &effects) }
        case (.comparison, _):
            throw .refused(.numericComparisonFailed)
        case (.none, _):
            let reason: PairingFailure =
                terms.model == .numericComparison ? .numericComparisonFailed : .passkeyEntryFailed
            throw PairingBreak(told: reason, failure: .nobodyToAsk(terms.model))
        case (.passkey, _): return
        }
    }

    /// Takes a PDU.
    mutating func receive(
        _ pdu: PairingPDU, _ toolbox: any SecurityToolbox, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        guard let terms else { throw .outOfPlace(pdu.code) }
        let context = PairingContext(terms: terms, policy: policy, toolbox: toolbox)
        switch stage {
        case .legacy(_, var machine):
            let key = try machine.receive(pdu, context, into: &effects)
            stage = .legacy(terms, machine)
            if let key { agreed(on: key, terms, into: &effects) }
        case .secureConnections(_, var machine):
            let key = try machine.receive(pdu, context, into: &effects)
            stage = .secureConnections(terms, machine)
            if let key { agreed(on: key, terms, into: &effects) }
        case .distribution(_, let key, var exchange):
            try exchange.receive(pdu, context, into: &effects)
            stage = .distribution(terms, longTermKey: key, exchange)
        // Keys, above all: whatever comes before the link is encrypted can come from anybody.
        case .features, .encryption: throw .outOfPlace(pdu.code)
        }
    }

    /// There is a key: the central has the link encrypted with it.
    private mutating func agreed(
        on key: SecretKey, _ terms: PairingTerms, into effects: inout [SecurityManager.Effect]
    ) {
        if concern != nil { effects.append(.withdraw) }
        concern = nil
        stage = .encryption(terms, key, isProvided: terms.isInitiator)
        if terms.isInitiator { effects.append(.encrypt(LongTermKey(key: key, size: terms.keySize))) }
    }
}
