import HCI
import Wire

extension EncryptionStep: CustomStringConvertible {
    /// What the packet means, in one sentence for people.
    public var description: String {
        text + (completesPairing ? "; that completes the pairing, as no keys are handed out" : "")
    }

    private var text: String {
        let key = key.map { " with \($0.text)" } ?? ""
        switch meaning {
        case .begun: return "the central begins to encrypt\(key)"
        case .keyWanted: return "the central begins to encrypt\(key); this host is asked for it"
        case .keyGiven: return "this host has the key"
        case .keyMissingHere: return "this host has no such key, which the central is told as Key Missing (0x06)"
        case .on: return "encrypted\(key)"
        case .refreshed: return "encrypted anew\(key)"
        case .off: return "no longer encrypted"
        case .failed(let status): return "not encrypted: \(Self.explanation(status) ?? "\(status)")"
        case .linkEnded(let reason): return "the link ended: \(Self.explanation(reason) ?? "\(reason)")"
        case .pairingCutOff(let phase, let silence):
            return "the link ended in phase \(phase) of a pairing\(Self.text(silence))"
        }
    }

    private static func explanation(_ status: Status) -> String? {
        switch status {
        case .pinOrKeyMissing:
            "the peripheral does not know the key any more, as after a reset or a pairing with somebody else; pairing anew makes a new one"
        case .authenticationFailure: "one side gave it up, as the keys do not satisfy it"
        case .micFailure: "what came could not be decrypted: the two sides do not have the same key"
        case .unsupportedRemoteFeature: "the peripheral cannot encrypt"
        default: nil
        }
    }

    /// A pairing times out after 30 s (Core Vol 3, Part H, 3.4).
    private static func text(_ silence: Duration?) -> String {
        guard let silence, silence >= .seconds(1) else { return "" }
        let seconds = silence.components.seconds
        return ", \(seconds) s after its last PDU" + (seconds >= 30 ? ": it had timed out" : "")
    }
}

extension EncryptionStep.Key {
    /// In words.
    var text: String {
        switch self {
        case .shortTerm: "the short term key that the pairing has made"
        case .justMade: "the long term key that the pairing has made"
        case .kept: "a long term key from an earlier link (LE Secure Connections)"
        case .keptLegacy(let diversifier):
            "a long term key that a legacy pairing had handed out (EDIV 0x\(diversifier.paddedHexadecimal))"
        }
    }
}
