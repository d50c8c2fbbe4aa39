public import HCI
public import SMP

/// What a packet does for the protection of a link.
public indirect enum SecurityStep: Hashable, Sendable {
    case pairing(PairingStep)
    case encryption(EncryptionStep)
}

extension SecurityStep: CustomStringConvertible {
    /// What the packet means, in one sentence for people, without the value of a key.
    public var description: String {
        switch self {
        case .pairing(let step): "\(step)"
        case .encryption(let step): "\(step)"
        }
    }
}

extension SecurityStep {
    /// Whether it is worth telling without the steps in between.
    var isMilestone: Bool {
        switch self {
        case .pairing(let step):
            switch step.meaning {
            case .securityRequested, .agreed, .failed: true
            default: step.isLast || !step.oddities.isEmpty
            }
        case .encryption(let step):
            switch step.meaning {
            case .on, .refreshed, .off, .failed, .keyMissingHere, .linkEnded, .pairingCutOff: true
            case .begun, .keyWanted, .keyGiven: false
            }
        }
    }
}

/// A PDU in its place in a pairing (Core Vol 3, Part H, 2.1).
public struct PairingStep: Hashable, Sendable {
    /// Who sends a PDU.
    public enum Side: Hashable, Sendable {
        /// The central.
        case initiator
        /// The peripheral.
        case responder
    }

    /// What a PDU says. Values of keys are no part of it.
    public enum Meaning: Hashable, Sendable {
        /// The peripheral would like the central to protect the link.
        case securityRequested(AuthenticationRequirements)
        /// What the initiator can do and wants.
        case requested(PairingFeatures)
        /// What the responder can do and wants; the request was not captured.
        case responded(PairingFeatures)
        /// The response, and with it how the two will pair.
        case agreed(PairingAgreement)
        case publicKey
        /// Commits its sender to a random value, with a passkey to one bit of it.
        case confirm
        /// What its sender had committed itself to.
        case random
        /// Proves that its sender has made the same keys, out of the same exchange.
        case check
        case keypress(KeypressNotification)
        case longTermKey
        /// Which one that is.
        case longTermKeyName
        case identityResolvingKey
        /// The address behind the private ones.
        case identity(DeviceAddress)
        case signingKey
        /// The end of the pairing, and why.
        case failed(PairingFailure)
        /// A PDU that the specification does not have, or that cannot be read.
        case unknown(PairingCode)
    }

    /// What does not belong.
    public enum Oddity: Hashable, Sendable {
        /// The PDU has no place here, after those before.
        case outOfPlace
        /// A pairing begins in the midst of another.
        case beganAnew
        /// Everybody knows the private key.
        case debugKey
        /// The responder's public key is the initiator's.
        case reflectedKey
        /// The key was not announced in phase 1.
        case notAnnounced
        /// A key is handed out on a link that is not encrypted.
        case inTheClear
    }

    /// `nil` where the capture does not tell.
    public var sender: Side?
    /// 1 features, 2 keys are made, 3 keys are handed out; 0 before a pairing, and `nil` where the capture does not tell.
    public var phase: Int?
    /// What it says.
    public var meaning: Meaning
    /// Which bit of the passkey it is about, from 1 to 20; `nil` where it is about none.
    public var bit: Int?
    /// How the two pair, where that is known.
    public var agreement: PairingAgreement?
    /// Whether the pairing is complete with it.
    public var isLast = false
    /// What does not belong.
    public var oddities: [Oddity] = []

    init(_ meaning: Meaning, from sender: Side?, phase: Int?) {
        self.meaning = meaning
        self.sender = sender
        self.phase = phase
    }
}

/// A packet of the controller's that concerns encryption (Core Vol 3, Part H, 2.4.4).
public struct EncryptionStep: Hashable, Sendable {
    /// Which key.
    public enum Key: Hashable, Sendable {
        /// The one that a legacy pairing has just made, for this link alone.
        case shortTerm
        /// The long term key that Secure Connections has just made.
        case justMade
        /// A long term key of LE Secure Connections from an earlier link.
        case kept
        /// One that a legacy pairing has handed out.
        case keptLegacy(encryptedDiversifier: UInt16)
    }

    /// What happens.
    public enum Meaning: Hashable, Sendable {
        /// The central begins to encrypt.
        case begun
        /// The peripheral's controller asks its host for the key.
        case keyWanted
        case keyGiven
        /// The peripheral's host has no such key.
        case keyMissingHere
        case on
        /// The same with a new key.
        case refreshed
        case off
        case failed(Status)
        /// The link ended for a reason that has to do with its keys.
        case linkEnded(Status)
        /// The link ended in the midst of a pairing, so long after the last PDU.
        case pairingCutOff(phase: Int, silence: Duration?)
    }

    /// What happens.
    public var meaning: Meaning
    /// `nil` where it is not known, or there is none.
    public var key: Key?
    /// Whether a pairing is complete with it: there are no keys to be handed out.
    public var completesPairing = false

    init(_ meaning: Meaning, key: Key? = nil) {
        self.meaning = meaning
        self.key = key
    }
}
