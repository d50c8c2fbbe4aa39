public import ATT
import Wire

/// Who may use an attribute (Core Vol 3, Part F, 3.2.5).
public enum Access: Hashable, Sendable {
    case open
    case never
    /// On an encrypted link only.
    case encrypted
    /// On an encrypted link with an authenticated key only.
    case authenticated
    /// On a link that is protected at least so well, by a key of at least so many octets; others are refused for this reason, or for
    /// their key's size.
    case needs(LinkSecurity, keySize: Int = 0, else: ErrorCode)
    /// Nobody, for this reason.
    case refused(ErrorCode)

    /// Why a client may not do that; `nil` where it may.
    func refusal(on link: ProtectedLink, never: ErrorCode) -> ErrorCode? {
        switch self {
        case .open: nil
        case .never: never
        case .encrypted: link.security >= .encrypted ? nil : .insufficientEncryption
        case .authenticated: link.security >= .authenticated ? nil : .insufficientAuthentication
        case .needs(let security, _, let code) where link.security < security: code
        case .needs(_, let keySize, _): link.keySize >= keySize ? nil : .encryptionKeySizeTooShort
        case .refused(let code): code
        }
    }
}

/// How well a link is protected.
public enum LinkSecurity: Int, Hashable, Sendable, Comparable {
    case none, encrypted, authenticated, authenticatedSecureConnections

    public static func < (left: LinkSecurity, right: LinkSecurity) -> Bool { left.rawValue < right.rawValue }
}

/// What decides about accesses: how well the link is protected, and by how long a key.
struct ProtectedLink {
    var security: LinkSecurity
    /// Octets.
    var keySize: Int
}
