import HCI
import Host
import SMP
import Wire

extension Failure {
    /// Why a link could not be protected, in words.
    ///
    /// - Parameter peer: whom it is with, as the user called it
    init(_ failure: SecurityFailure, peer: String) {
        switch failure {
        case .notSupported:
            self.init(.protocolError, "\(peer) wants to be paired, which is not possible here")
        case .peerRefused(let reason):
            self.init(.protocolError, "\(peer) gave the pairing up: \(reason)", remedy: Self.advice(for: reason))
        case .refused(let reason, let breach):
            let cause = breach.map { "\($0.text)" } ?? reason.description
            self.init(
                .protocolError, "pairing with \(peer) was given up: \(cause) (told it: \(reason))",
                remedy: breach?.remedy ?? Self.advice(for: reason))
        case .timedOut:
            self.init(
                .unavailable, "\(peer) did not answer for 30 s while pairing", remedy: "Try again, nearer to it.")
        case .keyMissing:
            self.init(
                .protocolError, "\(peer) does not know the key of its bond any more (0x06)",
                remedy: "It was reset or paired with another device, or something else goes by its name. "
                    + "If it is yours: hr-raw pair \(peer)")
        case .keyUnusable:
            self.init(
                .protocolError,
                "the key of the bond with \(peer) cannot be used: it is shorter than allowed, or for the other role",
                remedy: "hr-raw pair \(peer) makes a new one; --min-key-size N allows a shorter one.")
        case .encryptionFailed(let status):
            self.init(.protocolError, "the link to \(peer) could not be encrypted: \(status)")
        case .levelOutOfReach(let level):
            self.init(
                .protocolError, "\(peer) cannot be paired as it has to be: \(level.text)",
                remedy: "Run it on a terminal, or with --passkey N or --oob FILE.")
        case .nobodyToAsk(let model):
            self.init(
                .protocolError, "pairing with \(peer) needs somebody to \(model.need), and nobody is there",
                remedy: model == .passkeyEntered
                    ? "Run it on a terminal, or with --passkey N." : "Run it on a terminal.")
        case .tooSoon:
            self.init(
                .protocolError, "pairing with \(peer) failed a moment ago, and has to wait",
                remedy: "Try again in a minute.")
        case .toolbox(let error): self.init(.failure, "the cryptography failed: \(error)")
        case .cancelled: self.init(.failure, "pairing with \(peer) was given up")
        }
    }

    /// The bonds cannot be read or kept.
    init(_ error: BondStoreError) {
        switch error.kind {
        case .damaged, .newerVersion: self.init(.badInput, error.reason)
        case .inUse: self.init(.busy, error.reason)
        case .notPermitted:
            self.init(
                .noPermission, error.reason, remedy: error.path.map { "sudo chown \"$(id -un)\" '\($0)'" })
        case .full: self.init(.failure, error.reason, remedy: "hr-raw unpair ADDRESS forgets one.")
        case .exposed, .system: self.init(.failure, error.reason)
        }
    }

    private static func advice(for reason: PairingFailure) -> String? {
        switch reason {
        case .passkeyEntryFailed, .confirmValueFailed, .dhKeyCheckFailed:
            "Was it the right passkey? Try again."
        case .authenticationRequirements:
            "It wants a passkey or a comparison: run it on a terminal, or with --passkey N or --io."
        case .pairingNotSupported: "Does it have to be put into its pairing mode first?"
        case .encryptionKeySize: "--min-key-size N allows a shorter key."
        case .repeatedAttempts: "It wants a pause after a pairing that failed. Try again in a minute."
        case .outOfBandNotAvailable: "It has no out-of-band data, or other data."
        default: nil
        }
    }
}

extension AssociationModel {
    /// What somebody has to do for it.
    fileprivate var need: String {
        switch self {
        case .justWorks, .outOfBand: "agree"
        case .numericComparison: "compare two numbers"
        case .passkeyShown: "read a passkey"
        case .passkeyEntered: "enter a passkey"
        }
    }
}

extension SecurityLevel {
    /// What the level stands for.
    var text: String {
        switch self {
        case .none: "not encrypted"
        case .encrypted: "encrypted"
        case .authenticated: "encrypted and authenticated"
        case .authenticatedSecureConnections: "encrypted and authenticated by Secure Connections"
        }
    }

    /// The same as a word for programs.
    var word: String {
        switch self {
        case .none: "none"
        case .encrypted: "encrypted"
        case .authenticated: "authenticated"
        case .authenticatedSecureConnections: "authenticated_secure_connections"
        }
    }
}

extension SecurityBreach {
    fileprivate var text: String {
        switch self {
        case .reflectedPublicKey: "it sent our own public key back"
        case .pointOffCurve: "its public key is no point of the curve"
        case .debugKey: "it uses the debug key, which everybody knows"
        case .reflectedConfirm: "it sent our own confirm value back"
        case .confirmMismatch: "its confirm value is wrong"
        case .checkMismatch: "its check of the keys is wrong"
        case .repeatedRandom: "it used a random value twice"
        case .shortKey(let octets): "a key of \(octets) octets is too short"
        case .outOfPlace(let code): "\(code) came out of place"
        case .malformed(let code): "\(code?.description ?? "a pairing PDU") cannot be read"
        case .legacyPairing: "it does not pair by LE Secure Connections"
        case .weakerThanNeeded: "the pairing is weaker than it has to be"
        }
    }

    fileprivate var remedy: String? {
        switch self {
        case .confirmMismatch: "Was it the right passkey? Try again."
        case .shortKey: "--min-key-size N allows a shorter key."
        case .legacyPairing: "Without --secure-connections, legacy pairing will do, too."
        case .weakerThanNeeded: "If it is yours and was reset: hr-raw unpair ADDRESS, then hr-raw pair ADDRESS."
        default: nil
        }
    }
}

extension SecurityManager.Note {
    /// The note as a part of a line in a log.
    var text: String {
        switch self {
        case .refused(let code, let reason): "\(code) refused: \(reason)"
        case .passedOver(let code): "\(code) passed over"
        case .malformed(let code, let error): "\(code?.description ?? "pairing PDU"): \(error)"
        case .pairing(let model, let isSecureConnections):
            "pairing by \(model.text), \(isSecureConnections ? "LE Secure Connections" : "legacy pairing")"
        case .securityRequested(let requirements): "the peer asks for a secure link (\(requirements))"
        case .gaveUp(let reason): "the peer gave pairing up: \(reason)"
        case .unprotected(let status): "the link is not encrypted any more (\(status))"
        }
    }
}

extension AssociationModel {
    /// The specification's name.
    fileprivate var text: String {
        switch self {
        case .justWorks: "Just Works"
        case .numericComparison: "numeric comparison"
        case .passkeyShown: "passkey entry (shown here)"
        case .passkeyEntered: "passkey entry (entered here)"
        case .outOfBand: "out of band data"
        }
    }
}
