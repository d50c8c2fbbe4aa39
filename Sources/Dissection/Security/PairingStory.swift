import Capture
import HCI
import SMP
import Wire

/// What has been captured of the pairings and the encryption of one link.
struct PairingStory: Hashable, Sendable {
    /// Who sends what the initiator sends; `nil` before it is known.
    var initiator: Record.Direction?

    /// 0 where no pairing is under way.
    private var phase = 0
    private var request: PairingFeatures?
    private var agreement: PairingAgreement?
    /// How many entries of the script have passed.
    private var passed = 0
    private var initiatorsKey: PublicKey?
    private var lastPDU: Timestamp?
    /// PDUs of keys that each side has handed out.
    private var handedOut: [PairingStep.Side: KeyDistribution] = [:]
    private var keyInUse: EncryptionStep.Key?

    /// Whether a pairing has begun and has not ended.
    private var isPairing: Bool { phase > 0 }

    // MARK: PDUs

    /// Takes the next PDU.
    mutating func receive(
        _ payload: ArraySlice<UInt8>, from direction: Record.Direction?, at time: Timestamp?, isEncrypted: Bool
    ) -> PairingStep {
        lastPDU = time
        guard let pdu = try? PairingPDU(decoding: payload.span) else {
            let code = PairingCode(rawValue: payload.first ?? 0)
            return PairingStep(.unknown(code), from: side(of: direction), phase: isPairing ? phase : nil)
        }
        learnSides(pdu.code, direction)
        let sender = side(of: direction)
        switch pdu {
        case .securityRequest(let request):
            return PairingStep(.securityRequested(request.authentication), from: sender, phase: phase)
        case .pairingRequest(let features): return begin(features, sender)
        case .pairingResponse(let features): return agree(features, sender)
        case .pairingPublicKey(let key): return follow(PublicKey(key), sender)
        case .pairingConfirm: return follow(.confirm, pdu.code, sender)
        case .pairingRandom: return follow(.random, pdu.code, sender)
        case .pairingDHKeyCheck: return follow(.check, pdu.code, sender)
        case .pairingKeypressNotification(let content): return step(.keypress(content.notification), sender)
        case .pairingFailed(let content): return end(content.reason, sender)
        case .other(let code, _): return step(.unknown(code), sender)
        case .encryptionInformation: return hand(out: .encryption, .longTermKey, sender, isEncrypted)
        case .centralIdentification:
            return hand(out: .encryption, .longTermKeyName, isWhole: true, sender, isEncrypted)
        case .identityInformation: return hand(out: .identity, .identityResolvingKey, sender, isEncrypted)
        case .identityAddressInformation(let identity):
            let address = DeviceAddress(identity.kind == 0 ? .public : .random, identity.address)
            return hand(out: .identity, .identity(address), isWhole: true, sender, isEncrypted)
        case .signingInformation: return hand(out: .signing, .signingKey, isWhole: true, sender, isEncrypted)
        }
    }

    /// Some PDUs only one side sends.
    private mutating func learnSides(_ code: PairingCode, _ direction: Record.Direction?) {
        guard initiator == nil, let direction else { return }
        switch code {
        case .pairingRequest: initiator = direction
        case .pairingResponse, .securityRequest: initiator = direction == .sent ? .received : .sent
        default: break
        }
    }

    private func side(of direction: Record.Direction?) -> PairingStep.Side? {
        guard let direction, let initiator else { return nil }
        return direction == initiator ? .initiator : .responder
    }

    private func step(_ meaning: PairingStep.Meaning, _ sender: PairingStep.Side?) -> PairingStep {
        var step = PairingStep(meaning, from: sender, phase: isPairing ? phase : nil)
        step.agreement = agreement
        return step
    }

    // MARK: Phase 1

    private mutating func begin(_ features: PairingFeatures, _ sender: PairingStep.Side?) -> PairingStep {
        let wasPairing = isPairing
        forget()
        phase = 1
        request = features
        var step = step(.requested(features), sender)
        if wasPairing { step.oddities.append(.beganAnew) }
        if sender == .responder { step.oddities.append(.outOfPlace) }
        return step
    }

    private mutating func agree(_ features: PairingFeatures, _ sender: PairingStep.Side?) -> PairingStep {
        guard let request, phase == 1 else {
            var step = PairingStep(.responded(features), from: sender, phase: 1)
            if isPairing { step.oddities.append(.outOfPlace) } else { phase = 2 }
            return step
        }
        let agreement = PairingAgreement(request: request, response: features)
        self.agreement = agreement
        var step = step(.agreed(agreement), sender)
        if sender == .initiator { step.oddities.append(.outOfPlace) }
        phase = 2
        return step
    }

    // MARK: Phase 2

    private mutating func follow(_ key: PublicKey, _ sender: PairingStep.Side?) -> PairingStep {
        var step = follow(.publicKey, .pairingPublicKey, sender)
        if key.isDebugKey { step.oddities.append(.debugKey) }
        if sender == .responder, let initiatorsKey, initiatorsKey.x == key.x, !key.isDebugKey {
            step.oddities.append(.reflectedKey)
        }
        if sender == .initiator { initiatorsKey = key }
        return step
    }

    /// Looks the PDU up in the script. One that is not next may be after others that were lost, and is out of place all the same.
    private mutating func follow(
        _ meaning: PairingStep.Meaning, _ code: PairingCode, _ sender: PairingStep.Side?
    ) -> PairingStep {
        guard let agreement else {
            var step = step(meaning, sender)
            step.phase = 2
            if phase == 1 { step.oddities.append(.outOfPlace) }
            return step
        }
        let rest = PairingScript(agreement).entries.dropFirst(passed)
        let place = rest.firstIndex { $0.code == code && (sender == nil || $0.side == sender) }
        var step = step(meaning, sender ?? place.map { rest[$0].side })
        step.bit = place.flatMap { rest[$0].bit }
        if place != passed { step.oddities.append(.outOfPlace) }
        if let place { passed = place + 1 }
        return step
    }

    /// Whether both sides have made the keys.
    private var isKeyMade: Bool {
        agreement.map { passed == PairingScript($0).entries.count } ?? false
    }

    // MARK: Phase 3

    private mutating func hand(
        out keys: KeyDistribution, _ meaning: PairingStep.Meaning, isWhole: Bool = false, _ sender: PairingStep.Side?,
        _ isEncrypted: Bool
    ) -> PairingStep {
        var step = step(meaning, sender)
        step.phase = 3
        guard let agreement, let sender else { return step }
        if !announced(sender, agreement).contains(keys) { step.oddities.append(.notAnnounced) }
        // Data may overtake the event that says how the start of encryption went.
        if !isEncrypted, keyInUse == nil { step.oddities.append(.inTheClear) }
        if isWhole { handedOut[sender, default: []].insert(keys) }
        step.isLast = isPairing && isKeyMade && isComplete
        if step.isLast { phase = 0 }
        return step
    }

    private func announced(_ side: PairingStep.Side, _ agreement: PairingAgreement) -> KeyDistribution {
        side == .initiator ? agreement.initiatorKeys : agreement.responderKeys
    }

    /// Whether all keys that were announced are handed out.
    private var isComplete: Bool {
        guard let agreement else { return false }
        return [PairingStep.Side.initiator, .responder].allSatisfy { side in
            (handedOut[side] ?? []).isSuperset(of: announced(side, agreement))
        }
    }

    private mutating func end(_ reason: PairingFailure, _ sender: PairingStep.Side?) -> PairingStep {
        let step = step(.failed(reason), sender)
        forget()
        return step
    }

    private mutating func forget() {
        (phase, request, agreement, passed, initiatorsKey, handedOut) = (0, nil, nil, 0, nil, [:])
    }
}

// MARK: - Encryption

extension PairingStory {
    /// The central begins to encrypt, or the peripheral's controller asks for the key.
    mutating func begin(
        _ meaning: EncryptionStep.Meaning, random: UInt64, encryptedDiversifier: UInt16
    ) -> EncryptionStep {
        let isNamed = random != 0 || encryptedDiversifier != 0
        let key: EncryptionStep.Key =
            if isNamed {
                .keptLegacy(encryptedDiversifier: encryptedDiversifier)
            } else if phase == 2, isKeyMade, let agreement {
                agreement.isSecureConnections ? .justMade : .shortTerm
            } else {
                .kept
            }
        keyInUse = key
        return EncryptionStep(meaning, key: key)
    }

    /// The controller tells how it went.
    mutating func change(_ meaning: EncryptionStep.Meaning) -> EncryptionStep {
        var step = EncryptionStep(meaning, key: keyInUse)
        keyInUse = nil
        guard meaning == .on || meaning == .refreshed, phase == 2, isKeyMade else { return step }
        phase = 3
        step.completesPairing = isComplete
        if isComplete { phase = 0 }
        return step
    }

    /// The link has ended.
    func end(_ reason: Status, at time: Timestamp?) -> EncryptionStep? {
        if Self.isAboutKeys(reason) { return EncryptionStep(.linkEnded(reason)) }
        guard isPairing else { return nil }
        let silence = lastPDU.flatMap { last in
            time.map {
                Duration.microseconds($0.microseconds.subtractingReportingOverflow(last.microseconds).partialValue)
            }
        }
        return EncryptionStep(.pairingCutOff(phase: phase, silence: silence))
    }

    private static func isAboutKeys(_ reason: Status) -> Bool {
        [.authenticationFailure, .pinOrKeyMissing, .micFailure].contains(reason)
    }
}
