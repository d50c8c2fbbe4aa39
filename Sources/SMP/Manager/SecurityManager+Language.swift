public import HCI
public import Wire

/// What goes into the Security Manager of a link and what comes out. Plain values all.
extension SecurityManager {
    /// What happens, besides the PDUs that come.
    public enum Input: Hashable, Sendable {
        /// Central: have at least this level, by the bond's key where that is enough, else by pairing. Peripheral: ask for it.
        case secure(SecurityLevel)
        /// Pair anew, whatever keys there are, for at least this level. The new keys take the place of the bond's only where they protect
        /// as well: whoever wants less must forget the bond first.
        case pair(SecurityLevel)
        /// Central: have the link encrypted with the bond's key, whatever it protects. No pairing takes its place.
        case encrypt
        /// The user has answered what `Effect.ask` asked.
        case answered(PairingAnswer)
        /// The controller says whether the link is encrypted now, or why it is not (Core Vol 4, Part E, 7.7.8 and 7.7.39).
        case encryptionChanged(Status, isOn: Bool)
        /// Peripheral: the central wants to encrypt with this key (Core Vol 4, Part E, 7.7.65.5).
        case keyRequested(random: UInt64, encryptedDiversifier: UInt16)
        /// The user gives it up. Without effect once the keys are made: they are then handed out at once.
        case cancelled
    }

    /// What is to be done, in order.
    public enum Effect: Hashable, Sendable {
        /// Send the PDU on the Security Manager's channel.
        case transmit(PairingPDU)
        /// Ask the user. A question ends with its answer, or with `withdraw`.
        case ask(PairingQuestion)
        /// Show the user something that needs no answer, until `withdraw` or the end of the pairing.
        case show(Passkey)
        /// What was asked or shown concerns nobody any more.
        case withdraw
        /// Central: have the controller encrypt the link with this key (Core Vol 4, Part E, 7.8.24).
        case encrypt(LongTermKey)
        /// Peripheral: give the controller the key it asked for, or say that there is none.
        case provide(SecretKey?)
        /// Keys to keep, in place of what there was for the peer. It comes before `secured`.
        case bonded(Bond)
        /// The link is as well protected as was asked for, or better.
        case secured(LinkProtection)
        /// What was asked for, by this side or by the peer, did not come about; the link may be what it was.
        case failed(SecurityFailure)
        /// The link is of no use any more: end it.
        case disconnect(Status)
        case note(Note)
    }

    /// Something that deserves a line in a log and changes nothing. It holds no key.
    public enum Note: Hashable, Sendable {
        /// A PDU that asks for what this device does not do; refused.
        case refused(PairingCode, PairingFailure)
        /// A PDU that needs no answer, or that means nothing now.
        case passedOver(PairingCode)
        case malformed(PairingCode?, WireError)
        /// How the two sides will pair.
        case pairing(AssociationModel, isSecureConnections: Bool)
        /// The peripheral has asked for a secure link.
        case securityRequested(AuthenticationRequirements)
        /// The peer gave a pairing up that is not under way.
        case gaveUp(PairingFailure)
        /// The link is not encrypted any more.
        case unprotected(Status)
    }
}

/// How the two sides convince each other (Core Vol 3, Part H, 2.3.5.1).
public enum AssociationModel: Hashable, Sendable {
    case justWorks
    case numericComparison
    /// This side shows the passkey, the other side enters it.
    case passkeyShown
    /// This side enters it; the other side shows it, or has its user enter it, too.
    case passkeyEntered
    case outOfBand
}

/// A number of six decimal digits.
public struct Passkey: Hashable, Sendable, CustomStringConvertible {
    /// 0 to 999,999.
    public let value: UInt32

    /// `nil` for more than six digits.
    public init?(_ value: UInt32) {
        guard value <= 999_999 else { return nil }
        self.value = value
    }

    /// The last six decimal digits of a number.
    init(remainder number: UInt32) { value = number % 1_000_000 }

    /// Six digits.
    public var description: String {
        let digits = String(value)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// What the user is asked while pairing.
public enum PairingQuestion: Hashable, Sendable {
    /// Enter the passkey that the peer shows, or that its label bears.
    case passkey
    /// Does the peer show the same number?
    case comparison(Passkey)
}

/// What the user says to it.
public enum PairingAnswer: Hashable, Sendable {
    case passkey(Passkey)
    /// The numbers are the same, or not.
    case comparison(Bool)
    /// There is nobody to ask.
    case none
}

/// Why a link could not be secured.
public enum SecurityFailure: Error, Hashable, Sendable {
    /// This device does not pair: it has no toolbox.
    case notSupported
    /// The peer gave the pairing up, and says why.
    case peerRefused(PairingFailure)
    /// This side gave it up, and told the peer why.
    case refused(PairingFailure, SecurityBreach?)
    /// The peer was silent for 30 s (Core Vol 3, Part H, 3.4).
    case timedOut
    /// The peer does not know the bond's key any more (0x06), or says so.
    case keyMissing
    /// The bond has no key for this role, or a shorter one than is allowed.
    case keyUnusable
    /// The link could not be encrypted for another reason.
    case encryptionFailed(Status)
    /// What both sides can do, or know, is not enough for this level.
    case levelOutOfReach(SecurityLevel)
    /// A passkey or a comparison was needed, and nobody was there to ask.
    case nobodyToAsk(AssociationModel)
    /// An attempt failed a moment ago: the next may begin then (Core Vol 3, Part H, 2.3.6).
    case tooSoon(until: Moment)
    /// The toolbox failed.
    case toolbox(ToolboxError)
    /// The user gave it up.
    case cancelled
}

/// What the peer did that an honest one does not.
public enum SecurityBreach: Hashable, Sendable {
    /// It sent our own public key back (CVE-2020-26558).
    case reflectedPublicKey
    /// Its public key is not on the curve (CVE-2018-5383).
    case pointOffCurve
    /// It uses the keys that everybody knows.
    case debugKey
    /// Its confirm value is our own, sent back.
    case reflectedConfirm
    /// Its confirm value does not belong to what it committed to.
    case confirmMismatch
    /// Its check of the whole pairing is wrong.
    case checkMismatch
    /// It sent the same random value again.
    case repeatedRandom
    /// A key shorter than the policy allows.
    case shortKey(Int)
    /// A PDU that has no place here.
    case outOfPlace(PairingCode)
    /// A PDU that cannot be read.
    case malformed(PairingCode?)
    /// Legacy pairing, where only Secure Connections will do.
    case legacyPairing
    /// Less protection than the bond has.
    case weakerThanNeeded
}
