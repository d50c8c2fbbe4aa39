import Dissection
import HCI
import SMP
import Wire

/// What a packet does for the protection of a link.
extension JSONWriter {
    mutating func security(_ step: SecurityStep) {
        key("security")
        object { $0.members(of: step) }
    }

    mutating func members(of step: SecurityStep) {
        switch step {
        case .pairing(let step): members(of: step)
        case .encryption(let step): members(of: step)
        }
        member("text", step.description)
    }

    private mutating func members(of step: PairingStep) {
        key("step")
        string(step.meaning.word)
        if let sender = step.sender {
            key("sender")
            string(sender == .initiator ? "initiator" : "responder")
        }
        if let phase = step.phase { member("phase", phase) }
        if let bit = step.bit { member("bit", bit) }
        if let agreement = step.agreement {
            key("model")
            string(agreement.models.initiator.word)
            key("secure_connections")
            bool(agreement.isSecureConnections)
            member("key_size", agreement.keySize)
            key("bonding")
            bool(agreement.isBonding)
        }
        if case .failed(let reason) = step.meaning {
            key("reason")
            object { json in
                json.member("code", reason.rawValue)
                json.member("name", reason.description)
            }
        }
        if step.isLast {
            key("complete")
            bool(true)
        }
        guard !step.oddities.isEmpty else { return }
        key("oddities")
        array { json in for oddity in step.oddities { json.string(oddity.word) } }
    }

    private mutating func members(of step: EncryptionStep) {
        key("step")
        string(step.meaning.word)
        if let encryptionKey = step.key {
            key("key")
            string(encryptionKey.word)
        }
        if step.completesPairing {
            key("complete")
            bool(true)
        }
    }
}

extension PairingStep.Meaning {
    fileprivate var word: StaticString {
        switch self {
        case .securityRequested: "security_request"
        case .requested: "request"
        case .responded, .agreed: "response"
        case .publicKey: "public_key"
        case .confirm: "confirm"
        case .random: "random"
        case .check: "dhkey_check"
        case .keypress: "keypress"
        case .longTermKey: "long_term_key"
        case .longTermKeyName: "central_identification"
        case .identityResolvingKey: "identity_resolving_key"
        case .identity: "identity_address"
        case .signingKey: "signing_key"
        case .failed: "failed"
        case .unknown: "unknown"
        }
    }
}

extension PairingStep.Oddity {
    fileprivate var word: StaticString {
        switch self {
        case .outOfPlace: "out_of_place"
        case .beganAnew: "began_anew"
        case .debugKey: "debug_key"
        case .reflectedKey: "reflected_key"
        case .notAnnounced: "not_announced"
        case .inTheClear: "in_the_clear"
        }
    }
}

extension EncryptionStep.Meaning {
    fileprivate var word: StaticString {
        switch self {
        case .begun: "begun"
        case .keyWanted: "key_wanted"
        case .keyGiven: "key_given"
        case .keyMissingHere: "key_missing"
        case .on: "on"
        case .refreshed: "refreshed"
        case .off: "off"
        case .failed: "failed"
        case .linkEnded: "link_ended"
        case .pairingCutOff: "pairing_cut_off"
        }
    }
}

extension EncryptionStep.Key {
    fileprivate var word: StaticString {
        switch self {
        case .shortTerm: "short_term"
        case .justMade: "just_made"
        case .kept: "kept"
        case .keptLegacy: "kept_legacy"
        }
    }
}

extension AssociationModel {
    fileprivate var word: StaticString {
        switch self {
        case .justWorks: "just_works"
        case .numericComparison: "numeric_comparison"
        case .passkeyShown: "passkey_shown"
        case .passkeyEntered: "passkey_entered"
        case .outOfBand: "out_of_band"
        }
    }
}
