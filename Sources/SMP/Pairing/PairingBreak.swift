/// The end of a pairing without keys.
struct PairingBreak: Error, Hashable {
    /// What the peer is told; `nil` where it was the peer who gave it up, or nobody is to be told.
    var told: PairingFailure?
    /// What the host is told.
    var failure: SecurityFailure

    /// This side does not go on.
    static func refused(_ reason: PairingFailure, _ breach: SecurityBreach? = nil) -> PairingBreak {
        PairingBreak(told: reason, failure: .refused(reason, breach))
    }

    /// A PDU that is not the next one.
    static func outOfPlace(_ code: PairingCode) -> PairingBreak { .refused(.unspecifiedReason, .outOfPlace(code)) }

    static func toolbox(_ error: ToolboxError) -> PairingBreak {
        PairingBreak(told: .unspecifiedReason, failure: .toolbox(error))
    }

    /// More is needed than the two sides can do together.
    static func outOfReach(_ level: SecurityLevel) -> PairingBreak {
        PairingBreak(told: .authenticationRequirements, failure: .levelOutOfReach(level))
    }
}
