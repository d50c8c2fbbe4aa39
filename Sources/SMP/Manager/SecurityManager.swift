public import HCI
public import Wire

/// The security of one link, in either role: pairing, encryption with a bond's key, what the peer asks for and what it is refused
/// (Core Vol 3, Part H, 2 and 3).
///
/// A central is the initiator of every pairing, a peripheral its responder. Without a toolbox the device does not pair: it says so to
/// whoever asks, for a peer that gets no answer waits 30 s and then trusts the link no more (3.4).
public struct SecurityManager: Sendable {
    /// What the link is, and what this device wants of it.
    public struct Configuration: Hashable, Sendable {
        /// Central: the initiator of a pairing. Peripheral: its responder.
        public var role: Role
        /// The address of ours that this connection was made with.
        public var ownAddress: DeviceAddress
        /// The peer's address in this connection, as on air: private perhaps, even where its identity is known.
        public var peerAddress: DeviceAddress
        /// How this device pairs.
        public var policy = PairingPolicy()
        /// Handed out when pairing; `nil` for a device that is known by its address.
        public var ownIdentity: OwnIdentity?
        /// Before this no attempt may begin: one has failed lately.
        public var notBefore: Moment?

        public init(role: Role, ownAddress: DeviceAddress, peerAddress: DeviceAddress) {
            self.role = role
            self.ownAddress = ownAddress
            self.peerAddress = peerAddress
        }
    }

    /// How long a peer may be silent while something is under way (Core Vol 3, Part H, 3.4).
    public static let timeout = Duration.seconds(30)
    /// How long the controllers may take to encrypt: they give a procedure up after 40 s themselves (Core Vol 6, Part B, 5.2).
    static let encryptionTimeout = Duration.seconds(45)

    /// What the link is, and what this device wants of it.
    public var configuration: Configuration
    /// What is kept of the peer.
    public internal(set) var bond: Bond?
    /// What protects the link now.
    public internal(set) var security = LinkProtection()
    let toolbox: (any SecurityToolbox)?
    var state = State.idle
    /// What was asked for while something was under way, and is not there yet.
    var wanted: SecurityLevel?
    /// Failed attempts on this link.
    var failures = FailureCount()
    /// Whether the bond's key has not protected this link: then the peer may be anybody, and only the user can have it paired with.
    var hasBondFailed = false
    /// Whether the link was paired because the peripheral asked for it: once is enough.
    var hasHonouredRequest = false

    /// - Parameter toolbox: without one every pairing is refused
    public init(_ configuration: Configuration, bond: Bond?, toolbox: (any SecurityToolbox)?) {
        self.configuration = configuration
        self.bond = bond
        self.toolbox = toolbox
    }

    /// Whether it can pair at all.
    public var canPair: Bool { toolbox != nil }

    /// Whether something is under way that decides about the link's protection: what needs it should wait.
    public var isBusy: Bool {
        switch state {
        case .idle, .closed: false
        case .encrypting, .requesting, .pairing: true
        }
    }

    /// Whether a pairing is under way.
    public var isPairing: Bool { if case .pairing = state { true } else { false } }

    /// Whether the bond's key is being tried.
    public var isEncryptingByBond: Bool { if case .encrypting = state { true } else { false } }

    /// Whether the peer has had a part of what it may be guessing at, and no proof has come of it: a link that ends here counts as a
    /// failed attempt.
    public var isOpenToGuesses: Bool {
        if case .pairing(let pairing) = state { pairing.terms != nil && pairing.isUndecided } else { false }
    }

    /// The owner does not keep the keys of the pairing that has just ended.
    ///
    /// - Parameter bond: what is kept of the peer instead
    public mutating func notBonded(keeping bond: Bond?) {
        self.bond = bond
        security.isBonded = false
    }

    /// When `advance(to:into:)` will next have something to do.
    public var nextDeadline: Moment? {
        switch state {
        case .idle, .closed: nil
        case .encrypting(let encrypting): encrypting.deadline
        case .requesting(let requesting): requesting.deadline
        case .pairing(let pairing): pairing.deadline
        }
    }

    /// Takes what happened.
    public mutating func handle(_ input: Input, at now: Moment, into effects: inout [Effect]) {
        switch input {
        case .secure(let level): secure(level, at: now, into: &effects)
        case .pair(let level): pair(level, at: now, into: &effects)
        case .encrypt: encryptByBond(at: now, into: &effects)
        case .answered(let answer): answered(answer, at: now, into: &effects)
        case .encryptionChanged(.success, isOn: true): encrypted(at: now, into: &effects)
        case .encryptionChanged(.success, isOn: false): unprotected(.success, at: now, into: &effects)
        case .encryptionChanged(let status, _): notEncrypted(status, at: now, into: &effects)
        case .keyRequested(let random, let diversifier):
            provideKey(random: random, diversifier: diversifier, at: now, into: &effects)
        case .cancelled: cancelled(at: now, into: &effects)
        }
    }

    /// Takes the payload of one frame of the Security Manager's channel.
    public mutating func receive(_ payload: Span<UInt8>, at now: Moment, into effects: inout [Effect]) {
        do {
            receive(try PairingPDU(exactly: payload), at: now, into: &effects)
        } catch {
            let code = payload.isEmpty ? nil : PairingCode(rawValue: payload[0])
            receiveMalformed(code, error, at: now, into: &effects)
        }
    }

    /// Does what is due up to `now`.
    public mutating func advance(to now: Moment, into effects: inout [Effect]) {
        guard let due = nextDeadline, due <= now else { return }
        switch state {
        case .idle, .closed: break
        case .encrypting: notEncrypted(.linkResponseTimeout, at: now, into: &effects)
        // A central may leave the request unanswered: nothing of a pairing has begun.
        case .requesting: fail(.timedOut, at: now, into: &effects)
        case .pairing:
            fail(.timedOut, at: now, into: &effects)
            // Nothing more may be said on this link about security.
            state = .closed
            effects.append(.disconnect(.authenticationFailure))
        }
    }
}
