import HCI
import Wire

/// The encryption of a link begins, or begins anew with another key (Core Vol 6, Part B, 5.1.3).
///
/// The central asks, the peripheral is asked for its key, and three packets later both find out whether they have the same one.
struct EncryptionStart: Hashable, Sendable {
    /// The central's key, 16 octets.
    var key: [UInt8]
    /// By which the peripheral finds its own.
    var random: UInt64
    var diversifier: UInt16
    /// Whether the link was encrypted before; it is not until this has ended.
    var isRefresh: Bool
    /// Whether the peripheral has been asked for its key and has still to give it.
    var awaitsKey = false

    /// What comes of it.
    enum Outcome: Hashable, Sendable {
        /// Both have the same key.
        case encrypted
        /// The peripheral has none.
        case refused
        /// The peripheral has another one: it understands nothing of what it receives, and is gone.
        case notUnderstood
        /// Nothing came of it for too long.
        case timedOut
    }

    /// How long a procedure of the link layer may take (Core Vol 6, Part B, 5.2).
    static let patience = Duration.seconds(40)
}
