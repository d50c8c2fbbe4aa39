import SMP

extension PairingFailure {
    /// What the reason means, seen from the side that gives it; `nil` for one that the specification does not have.
    func explanation(in agreement: PairingAgreement?) -> String? {
        switch self {
        case .passkeyEntryFailed: "its user did not enter the passkey"
        case .outOfBandNotAvailable: "it has no out-of-band data"
        case .authenticationRequirements: "what both can show and enter is not enough for what it needs"
        case .confirmValueFailed: confirmation(agreement)
        case .pairingNotSupported: "it does not pair, or not now"
        case .encryptionKeySize: "the key would be too short"
        case .commandNotSupported: "it does not know the PDU"
        case .unspecifiedReason: "it does not say why, as where its user has declined"
        case .repeatedAttempts: "it wants a pause after a pairing that failed"
        case .invalidParameters: "it was sent a value that is not allowed"
        case .dhKeyCheckFailed: "the keys of both are not the same, or a public key was none"
        case .numericComparisonFailed: "its user says that the numbers differ"
        case PairingFailure(rawValue: 0x0D): "it pairs over BR/EDR just now"
        case PairingFailure(rawValue: 0x0E): "it makes no keys for one transport out of the other's"
        case PairingFailure(rawValue: 0x0F): "it does not take a key that it was handed"
        case PairingFailure(rawValue: 0x10): "it is busy"
        default: nil
        }
    }

    private func confirmation(_ agreement: PairingAgreement?) -> String {
        switch agreement?.models.initiator {
        case .passkeyShown, .passkeyEntered: "the other side had another passkey, or somebody stands between them"
        case .outOfBand: "the out-of-band data does not belong to the other side"
        default: "what the other side showed is not what it had committed itself to"
        }
    }
}
