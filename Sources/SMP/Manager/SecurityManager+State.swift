import HCI
import Wire

extension SecurityManager {
    enum State: Hashable {
        /// Nothing is under way. Can transition to `encrypting`, `requesting`, `pairing`.
        case idle
        /// The controllers encrypt the link with the bond's key. Can transition to `idle`, `pairing`.
        case encrypting(Encrypting)
        /// Peripheral: the central has been asked for a secure link. Can transition to `idle`, `encrypting`, `pairing`.
        case requesting(Requesting)
        /// Can transition to `idle`, `requesting`, `closed`.
        case pairing(Pairing)
        /// The peer was silent while pairing; nothing more is said on this link. Can transition to nothing.
        case closed
    }

    struct Encrypting: Hashable {
        var key: LongTermKey
        var deadline: Moment
    }

    struct Requesting: Hashable {
        var goal: PairingGoal
        var deadline: Moment
    }

    /// A pairing that is under way.
    struct Pairing: Hashable {
        let goal: PairingGoal
        /// As they were when it began.
        let policy: PairingPolicy
        let identity: OwnIdentity?
        var stage: Stage
        /// What the user sees.
        var concern: Concern?
        var deadline: Moment
    }

    enum Stage: Hashable {
        /// Initiator: the response to this request is awaited. Can transition to `legacy`, `secureConnections`.
        case features(PairingFeatures)
        /// Phase 2 of legacy pairing. Can transition to `encryption`.
        case legacy(PairingTerms, LegacyPairing)
        /// Phase 2 of LE Secure Connections. Can transition to `encryption`.
        case secureConnections(PairingTerms, SecureConnectionsPairing)
        /// The controllers encrypt the link with the new key, which a peripheral's may have asked for. Can transition to `distribution`.
        case encryption(PairingTerms, SecretKey, isProvided: Bool)
        /// Phase 3. The key is that of Secure Connections.
        case distribution(PairingTerms, longTermKey: SecretKey?, KeyExchange)
    }

    /// What the user is asked or shown while pairing.
    enum Concern: Hashable {
        case question(PairingQuestion)
        case shown
    }
}

extension SecurityManager.Pairing {
    /// What the two sides have agreed on, once they have.
    var terms: PairingTerms? {
        switch stage {
        case .features: nil
        case .legacy(let terms, _), .secureConnections(let terms, _), .encryption(let terms, _, _),
            .distribution(let terms, _, _):
            terms
        }
    }

    /// Whether there is no key yet, so that the user can still give it up.
    var isUndecided: Bool {
        switch stage {
        case .features, .legacy, .secureConnections: true
        case .encryption, .distribution: false
        }
    }

    /// Takes note of what of `effects` concerns the user.
    mutating func remember(_ effects: ArraySlice<SecurityManager.Effect>) {
        for effect in effects {
            switch effect {
            case .ask(let question): concern = .question(question)
            case .show: concern = .shown
            default: continue
            }
        }
    }
}

extension SecurityManager: CustomStringConvertible, CustomReflectable {
    public var description: String { "security of a link (\(security.level))" }

    /// What is known of the link, and nothing of what a pairing is at: `dump` and the like see no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["security": security, "isBusy": isBusy]) }
}
