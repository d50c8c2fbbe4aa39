import ATT
import HCI

// What a peer says where it wants to be paired. One list, for all that is said and advised about it.

extension Status {
    /// Whether a device ends a link like that because it wants to be paired, or has lost the key.
    var isAboutKeys: Bool {
        self == .authenticationFailure || self == .pinOrKeyMissing || self == .micFailure
    }
}

extension ErrorCode {
    /// Whether the peer would allow it on a link that is better protected.
    var isAboutSecurity: Bool {
        switch self {
        case .insufficientAuthentication, .insufficientAuthorization, .insufficientEncryption,
            .encryptionKeySizeTooShort:
            true
        default: false
        }
    }
}
