public import HCI
public import Wire

/// The security of one link, in either role: pairing, encryption with a bond's key, what the peer asks for and what it is refused
/// (Core Vol 3, Part H, 2 and 3).
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

    /// What the link is, and what this device wants of it.
    public var configuration: Configuration
    /// What is kept of the peer.
    public private(set) var bond: Bond?
    /// What protects the link now.
    public private(set) var security = LinkProtection()
    private let toolbox: (any SecurityToolbox)?

    /// - Parameter toolbox: without one every pairing is refused
    public init(_ configuration: Configuration, bond: Bond?, toolbox: (any SecurityToolbox)?) {
        self.configuration = configuration
        self.bond = bond
        self.toolbox = toolbox
    }

    /// Whether it can pair at all.
    public var canPair: Bool { toolbox != nil }

    /// Whether something is under way that decides about the link's protection: what needs it should wait.
    public var isBusy: Bool { false }

    /// When `advance(to:into:)` will next have something to do.
    public var nextDeadline: Moment? { nil }

    /// Takes what happened.
    public mutating func handle(_ input: Input, at now: Moment, into effects: inout [Effect]) {}

    /// Takes the payload of one frame of the Security Manager's channel.
    public mutating func receive(_ payload: Span<UInt8>, at now: Moment, into effects: inout [Effect]) {}

    /// Does what is due up to `now`.
    public mutating func advance(to now: Moment, into effects: inout [Effect]) {}
}
