import ATT
import GATT
import HCI
import L2CAP
import SMP
import Wire

extension Link {
    // MARK: Beginning

    /// Encrypts the link to a bonded peer. Without its key nothing is asked of it until it has been paired with anew.
    ///
    /// - Parameter usesBond: whether the bond's key is tried, or a new one is to be made
    mutating func secureByBond(_ usesBond: Bool, at now: Moment, into effects: inout [Effect]) {
        guard securityManager.bond != nil else { return }
        if usesBond {
            tell(.encrypt, at: now, into: &effects)
        } else {
            shelter.failure = .keyMissing
        }
    }

    /// Whether requests wait: the link to a bonded peer is being encrypted.
    var isHoldingRequests: Bool {
        securityManager.bond != nil && securityManager.isBusy && connection.security.level == .none
    }

    /// Holds a request back, or answers it, where the link to a bonded peer is not encrypted.
    ///
    /// - Returns: whether that was so
    mutating func hold(_ request: HostEngine.GATTRequest, _ ticket: Ticket, into effects: inout [Effect]) -> Bool {
        if isHoldingRequests {
            shelter.held.append((request, ticket))
            return true
        }
        guard let failure = shelter.failure else { return false }
        effects.append(.host(.answer(ticket, .failure(.security(failure)))))
        return true
    }

    /// Somebody wants the link protected, or paired anew.
    mutating func wish(_ wish: SecurityQueue.Wish, at now: Moment, into effects: inout [Effect]) {
        if !wish.isPairing, connection.security.level >= wish.level {
            return effects.append(.host(.answer(wish.ticket, .success(.secured(connection.security)))))
        }
        shelter.wishes.append(wish)
        beginNextWish(at: now, into: &effects)
    }

    /// Begins with the first wish once nothing else is under way.
    private mutating func beginNextWish(at now: Moment, into effects: inout [Effect]) {
        guard !securityManager.isBusy, let wish = shelter.wishes.first, !wish.isBegun else { return }
        shelter.wishes[0].isBegun = true
        tell(wish.isPairing ? .pair(wish.level) : .secure(wish.level), at: now, into: &effects)
    }

    // MARK: Refused accesses

    /// Keeps an access that was refused for want of protection, and has more of it made where there is more to be had.
    ///
    /// - Returns: whether the access will be repeated, or answered later
    mutating func raise(
        for key: Bearer.Ticket, _ outcome: Result<ServerPDU, BearerError>, at now: Moment, into effects: inout [Effect]
    ) -> Bool {
        guard case .failure(.refused(_, _, let code)) = outcome, let running = running[key], running.raisesSecurity,
            let pdu = running.request, securityManager.canPair
        else { return false }
        // It was refused on a link that has become better since: the peer may be content with that.
        if running.level < connection.security.level, code.levelToTry(above: running.level) != nil {
            ask(pdu, key, at: now, into: &effects)
            return true
        }
        guard let level = code.levelToTry(above: connection.security.level) else { return false }
        guard securityManager.isBusy || level > shelter.highestRaise else { return false }
        shelter.refused.append(.init(key: key, pdu: pdu))
        // What is under way may suffice; if not, the peer refuses again.
        guard !securityManager.isBusy else { return true }
        shelter.highestRaise = level
        shelter.isRaising = true
        tell(.secure(level), at: now, into: &effects)
        return true
    }

    // MARK: The Security Manager

    mutating func tell(_ input: SecurityManager.Input, at now: Moment, into effects: inout [Effect]) {
        actOnSecurity(at: now, into: &effects) { manager, actions in manager.handle(input, at: now, into: &actions) }
    }

    mutating func receive(security payload: [UInt8], at now: Moment, into effects: inout [Effect]) {
        actOnSecurity(at: now, into: &effects) { manager, actions in
            manager.receive(payload.span, at: now, into: &actions)
        }
    }

    mutating func advanceSecurity(to now: Moment, into effects: inout [Effect]) {
        guard let due = securityManager.nextDeadline, due <= now else { return }
        actOnSecurity(at: now, into: &effects) { manager, actions in manager.advance(to: now, into: &actions) }
    }

    private mutating func actOnSecurity(
        at now: Moment, into effects: inout [Effect],
        _ change: (inout SecurityManager, inout [SecurityManager.Effect]) -> Void
    ) {
        let wasPairing = securityManager.isPairing
        var actions: [SecurityManager.Effect] = []
        change(&securityManager, &actions)
        if securityManager.security != connection.security {
            update(into: &effects) { [security = securityManager.security] in $0.security = security }
        }
        for action in actions { carryOut(action, isOfPairing: wasPairing, into: &effects) }
    }

    /// - Parameter isOfPairing: whether a pairing was under way when it came
    private mutating func carryOut(
        _ action: SecurityManager.Effect, isOfPairing: Bool, into effects: inout [Effect]
    ) {
        switch action {
        case .transmit(let pdu):
            effects.append(.frame(BasicFrame(channel: .securityManager, payload: pdu.encoded)))
        case .ask(let question):
            shelter.concern = .question(question)
            effects.append(.host(.ask(id, connection.peer, question)))
        case .show(let passkey):
            shelter.concern = .shown
            effects.append(.host(.show(id, connection.peer, passkey)))
        case .withdraw: withdraw(into: &effects)
        case .encrypt(let key): effects.append(.encrypt(key))
        // Only a peripheral is asked for its key.
        case .provide: return
        case .bonded(let bond): effects.append(.bonded(bond))
        case .secured: effects.append(.secured(isPaired: isOfPairing))
        case .failed(let failure): effects.append(.notSecured(failure, isOfPairing: isOfPairing))
        case .disconnect(let status): effects.append(.disconnect(status))
        case .note(let note): effects.append(.host(.note(.security(id, note))))
        }
    }

    /// The user has answered. An answer to a question that is over counts for nothing.
    mutating func answered(
        _ question: PairingQuestion, _ answer: PairingAnswer, at now: Moment, into effects: inout [Effect]
    ) {
        guard case .question(question) = shelter.concern else { return }
        shelter.concern = nil
        tell(.answered(answer), at: now, into: &effects)
    }

    /// What the user was asked or shown concerns nobody any more.
    mutating func withdraw(into effects: inout [Effect]) {
        guard shelter.concern != nil else { return }
        shelter.concern = nil
        effects.append(.host(.withdraw(id, connection.peer)))
    }

    /// The link is better protected than before: what was refused is asked for again.
    mutating func secured(isPaired: Bool, at now: Moment, into effects: inout [Effect]) {
        withdraw(into: &effects)
        shelter.failure = nil
        shelter.isRaising = false
        let protection = connection.security
        for wish in shelter.take({ $0.isFulfilled(by: protection, isPaired: isPaired) }) {
            effects.append(.host(.answer(wish.ticket, .success(.secured(protection)))))
        }
        let refused = shelter.refused
        shelter.refused = []
        for access in refused where running[access.key] != nil {
            ask(access.pdu, access.key, at: now, into: &effects)
        }
        if !isHoldingRequests { releaseHeld(at: now, into: &effects) }
        beginNextWish(at: now, into: &effects)
    }

    /// The link is no better protected than before: what waits for that waits in vain.
    mutating func notSecured(
        _ failure: SecurityFailure, isOfPairing: Bool, at now: Moment, into effects: inout [Effect]
    ) {
        withdraw(into: &effects)
        shelter.isRaising = false
        if securityManager.bond != nil, connection.security.level == .none { shelter.failure = failure }
        for wish in shelter.take({ $0.isBegun || isOfPairing || !$0.isPairing }) {
            effects.append(.host(.answer(wish.ticket, .failure(.security(failure)))))
        }
        let refused = shelter.refused
        shelter.refused = []
        for access in refused { finish(access.key, .failure(.security(failure)), at: now, into: &effects) }
        if !isHoldingRequests { releaseHeld(at: now, into: &effects) }
        beginNextWish(at: now, into: &effects)
    }

    /// The keys of the pairing that has just ended are not kept: they hold for this connection alone.
    mutating func notBonded(_ bond: Bond?, into effects: inout [Effect]) {
        securityManager.notBonded(keeping: bond)
        update(into: &effects) { [security = securityManager.security] in $0.security = security }
    }

    /// Why a link that ended has ended in the midst of what it was to be protected by; `nil` where it says nothing of that.
    func securityFailure(of status: Status) -> SecurityFailure? {
        guard securityManager.isEncryptingByBond else { return nil }
        switch status {
        // It knows no key, or another one.
        case .pinOrKeyMissing, .authenticationFailure, .micFailure: return .keyMissing
        default: return nil
        }
    }

    private mutating func releaseHeld(at now: Moment, into effects: inout [Effect]) {
        let held = shelter.held
        shelter.held = []
        for (request, ticket) in held { self.request(request, ticket: ticket, at: now, into: &effects) }
    }

    // MARK: Taking back

    /// Takes a request back that waits for protection.
    ///
    /// - Returns: whether there was one
    mutating func cancelWaitingForSecurity(_ ticket: Ticket, at now: Moment, into effects: inout [Effect]) -> Bool {
        if let index = shelter.held.firstIndex(where: { $0.ticket == ticket }) {
            shelter.held.remove(at: index)
            effects.append(.host(.answer(ticket, .failure(.cancelled))))
            return true
        }
        if let index = shelter.wishes.firstIndex(where: { $0.ticket == ticket }) {
            let isBegun = shelter.wishes.remove(at: index).isBegun
            effects.append(.host(.answer(ticket, .failure(.cancelled))))
            if isBegun { giveUpSecuring(at: now, into: &effects) }
            return true
        }
        guard let index = shelter.refused.firstIndex(where: { running[$0.key]?.ticket == ticket }) else { return false }
        finish(shelter.refused.remove(at: index).key, .failure(.cancelled), at: now, into: &effects)
        if shelter.isRaising { giveUpSecuring(at: now, into: &effects) }
        return true
    }

    /// Gives up what the Security Manager is at, where nobody else waits for it.
    private mutating func giveUpSecuring(at now: Moment, into effects: inout [Effect]) {
        guard shelter.refused.isEmpty, shelter.wishes.isEmpty else { return }
        tell(.cancelled, at: now, into: &effects)
    }
}

extension HostEngine.GATTRequest {
    /// Whether a link is protected better for it. Who reads whatever there is wants what is open: pairing may ask the user for
    /// something, and make a peer leave.
    var raisesSecurity: Bool {
        switch self {
        case .readValues(_, let raisesSecurity), .readEvery(_, let raisesSecurity): raisesSecurity
        case .discover, .discoverService, .readTogether, .learnCaching, .exchangeMTU: false
        case .read, .write, .writeReliably, .writeWithoutResponse, .subscribe, .enable: true
        }
    }
}

extension ErrorCode {
    /// The least protection that an access may want that was refused with this on a link of that level; `nil` where more would not
    /// help (Core Vol 3, Part C, 10.3.1).
    fileprivate func levelToTry(above level: SecurityLevel) -> SecurityLevel? {
        switch (self, level) {
        case (.insufficientAuthentication, _), (.insufficientAuthorization, _):
            SecurityLevel(rawValue: level.rawValue + 1)
        case (.insufficientEncryption, .none), (.encryptionKeySizeTooShort, .none): .encrypted
        default: nil
        }
    }
}
