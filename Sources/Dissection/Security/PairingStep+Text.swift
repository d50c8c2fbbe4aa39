import HCI
import SMP
import Wire

extension PairingStep: CustomStringConvertible {
    /// What the PDU is, in one sentence for people, without the value of a key.
    public var description: String {
        let place = phase.flatMap { $0 > 0 ? "phase \($0), " : nil } ?? ""
        let who = sender.map { "\($0.text) " } ?? ""
        return place + who + text + (isLast ? "; that completes the pairing" : "")
            + oddities.map { "; \($0.text)" }.joined()
    }

    private var text: String {
        switch meaning {
        case .securityRequested(let requirements): "asks the central to protect the link: \(requirements.wishes)"
        case .requested(let features):
            "begins a pairing: \(features.ioCapability), \(features.authentication.wishes)"
        case .responded(let features): "answers a request that was not captured: \(features.ioCapability)"
        case .agreed(let agreement): "answers, so they pair by \(agreement.text)"
        case .publicKey: "sends its public key"
        case .confirm: "commits itself to \(value)" + symbol("C")
        case .random: "shows \(value)" + symbol("N") + afterRandom
        case .check: "proves that it has made the same keys" + symbol("E")
        case .keypress(let notification): "tells what its user does: \(notification)"
        case .longTermKey: "hands out its long term key"
        case .longTermKeyName: "tells which long term key that is (EDIV and Rand)"
        case .identityResolvingKey: "hands out its identity resolving key"
        case .identity(let address): "tells its identity: \(address)"
        case .signingKey: "hands out its signing key"
        case .failed(let reason):
            "gives the pairing up: \(reason)\(reason.explanation(in: agreement).map { ": \($0)" } ?? "")"
        case .unknown(let code): "sends \(code), which means nothing here"
        }
    }

    private var value: String { bit.map { "bit \($0) of the passkey" } ?? "its random value" }

    /// What the specification calls it: Ca, Nb7; Mconfirm and Srand with legacy pairing.
    private func symbol(_ letter: String) -> String {
        guard let agreement, let sender else { return "" }
        let isInitiator = sender == .initiator
        guard agreement.isSecureConnections else {
            return " (\(isInitiator ? "M" : "S")\(meaning == .confirm ? "confirm" : "rand"))"
        }
        return " (\(letter)\(isInitiator ? "a" : "b")\(bit.map { "\($0)" } ?? ""))"
    }

    private var afterRandom: String {
        guard let agreement, sender == .responder, bit == nil else { return "" }
        if !agreement.isSecureConnections { return ": both can make the short term key" }
        return agreement.models.initiator == .numericComparison ? ": both users compare a number now" : ""
    }
}

extension SecurityStep {
    /// The little that is worth a place on the packet's own line; `nil` for most.
    public var brief: String? {
        switch self {
        case .encryption(let step):
            guard let key = step.key, step.meaning == .begun || step.meaning == .keyWanted else { return nil }
            return "with \(key.text)"
        case .pairing(let step):
            let meaning: String? =
                switch step.meaning {
                case .agreed(let agreement): agreement.brief
                case .failed(let reason): reason.description
                default: nil
                }
            let parts = [meaning].compactMap { $0 } + step.oddities.map(\.text)
            return parts.isEmpty ? nil : parts.joined(separator: "; ")
        }
    }
}

extension PairingStep.Side {
    fileprivate var text: String {
        switch self {
        case .initiator: "the initiator"
        case .responder: "the responder"
        }
    }
}

extension PairingStep.Oddity {
    /// In words.
    var text: String {
        switch self {
        case .outOfPlace: "it has no place here"
        case .beganAnew: "in the midst of another one"
        case .debugKey: "the debug key, which everybody knows"
        case .reflectedKey: "it is the initiator's own, sent back"
        case .notAnnounced: "which was not agreed on"
        case .inTheClear: "and that on a link that is not encrypted"
        }
    }
}

extension PairingAgreement {
    /// How the two pair, and why.
    fileprivate var text: String {
        let keys = [("initiator", initiatorKeys), ("responder", responderKeys)].compactMap { side, keys in
            keys.isEmpty ? nil : "the \(side) hands out \(keys.names)"
        }
        let parts = [
            brief + reason, "a key of \(keySize) octets", isBonding ? "bonding" : "no bonding",
            keys.isEmpty ? "no keys to hand out" : keys.joined(separator: " and "),
        ]
        return parts.joined(separator: ", ")
    }

    /// `Just Works, LE Secure Connections`.
    var brief: String {
        "\(models.initiator.name(responder: models.responder)), \(isSecureConnections ? "LE Secure Connections" : "legacy pairing")"
    }

    private var reason: String {
        switch models.initiator {
        case .outOfBand: ""
        case .justWorks where !isProtected: " (neither asks for protection against a third party)"
        case .justWorks: " (\(request.ioCapability) and \(response.ioCapability) allow nothing better)"
        default: " (\(request.ioCapability) and \(response.ioCapability))"
        }
    }
}

extension AssociationModel {
    fileprivate func name(responder: AssociationModel) -> String {
        switch (self, responder) {
        case (.passkeyShown, _): "passkey entry, shown by the initiator"
        case (_, .passkeyShown): "passkey entry, shown by the responder"
        case (.passkeyEntered, _): "passkey entry on both sides"
        case (.numericComparison, _): "numeric comparison"
        case (.outOfBand, _): "out-of-band data"
        case (.justWorks, _): "Just Works"
        }
    }
}

extension AuthenticationRequirements {
    /// What whoever sent it would like.
    fileprivate var wishes: String {
        let wishes = [
            contains(.bonding) ? "bonding" : "no bonding",
            contains(.manInTheMiddle) ? "protection against a third party" : nil,
            contains(.secureConnections) ? "LE Secure Connections" : nil,
        ]
        return wishes.compactMap { $0 }.joined(separator: ", ")
    }
}

extension KeyDistribution {
    fileprivate var names: String {
        let names: KeyValuePairs<KeyDistribution, String> = [
            .encryption: "a long term key", .identity: "its identity", .signing: "a signing key",
        ]
        return names.filter { contains($0.key) }.map(\.value).joined(separator: ", ")
    }
}
