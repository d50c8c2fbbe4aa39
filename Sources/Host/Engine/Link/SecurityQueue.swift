import ATT
import SMP

/// What waits for the protection of a link to change.
struct SecurityQueue: Sendable {
    /// An access that the peer refused for want of protection.
    struct Refused: Sendable {
        var key: Bearer.Ticket
        var pdu: ClientPDU
    }

    /// Somebody who wants the link protected, or paired anew.
    struct Wish: Sendable {
        var ticket: Ticket
        var level: SecurityLevel
        var isPairing: Bool
        /// Whether it is what the Security Manager is at; only one is.
        var isBegun = false

        /// Whether the wish is fulfilled by that much protection.
        ///
        /// - Parameter isPaired: whether it came by a pairing, whoever began it
        func isFulfilled(by protection: LinkProtection, isPaired: Bool) -> Bool {
            isBegun || (protection.level >= level && (isPaired || !isPairing))
        }
    }

    var refused: [Refused] = []
    var wishes: [Wish] = []
    /// Requests that have not begun: the link to a bonded peer is encrypted before anything else.
    var held: [(request: HostEngine.GATTRequest, ticket: Ticket)] = []
    /// Why the link to a bonded peer is not encrypted; nothing is asked of it then.
    var failure: SecurityFailure?
    /// The highest level that was asked for on behalf of an access: each is tried once.
    var highestRaise = SecurityLevel.none
    /// Whether the Security Manager is at what a refused access wants.
    var isRaising = false
    /// What the user is asked or shown.
    var concern: Concern?

    enum Concern: Sendable {
        case question(PairingQuestion)
        case shown
    }

    /// The tickets of all that waits, those of refused accesses not among them.
    var tickets: [Ticket] { held.map(\.ticket) + wishes.map(\.ticket) }

    /// Takes out the wishes that something has decided.
    mutating func take(_ isDecided: (Wish) -> Bool) -> [Wish] {
        let decided = wishes.filter(isDecided)
        wishes.removeAll(where: isDecided)
        return decided
    }
}
