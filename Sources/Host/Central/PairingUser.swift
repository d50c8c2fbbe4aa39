public import HCI
public import SMP

/// The person, or the program, that vouches for a pairing.
public protocol PairingUser: Sendable {
    /// Answers a question about a peer. The task is cancelled where the answer is no longer wanted.
    func answer(_ question: PairingQuestion, about peer: DeviceAddress) async -> PairingAnswer

    /// Shows what is to be entered on a peer.
    ///
    /// Called on the link's executor: it must not block.
    func show(_ passkey: Passkey, for peer: DeviceAddress)

    /// What was shown for a peer, or asked about it, is over. Called on the link's executor.
    func withdraw(for peer: DeviceAddress)

    /// The keys of a pairing are kept, or could not be: then the next connection has to pair again.
    func kept(_ bond: Bond, _ outcome: Result<Void, BondStoreError>) async

    /// The keys of a pairing hold for its connection alone.
    func notBonded(with peer: DeviceAddress, _ obstacle: HostEngine.BondObstacle) async
}

/// What a central pairs with.
public struct CentralSecurity: Sendable {
    /// The cryptography.
    public var toolbox: any SecurityToolbox
    /// How it pairs. Where `ioCapability` promises a person, `user` is that.
    public var policy = PairingPolicy()
    /// How the host shows itself.
    public var ownAddress = OwnAddressPolicy.private
    /// Whether the controller may be asked to recognise bonded peers, where it can.
    public var usesControllerPrivacy = true
    /// Keeps bonds beyond the life of the central; without one they last until its end.
    public var store: (any BondStore)?
    /// Whom questions are put to; without one they have no answer.
    public var user: (any PairingUser)?

    public init(toolbox: any SecurityToolbox) { self.toolbox = toolbox }

    /// The same with the bonds that are kept.
    ///
    /// - Throws: `HostError.bondStore`
    func loaded() async throws(HostError) -> SecuritySetup {
        var setup = SecuritySetup(toolbox: toolbox)
        setup.policy = policy
        setup.ownAddress = ownAddress
        setup.usesControllerPrivacy = usesControllerPrivacy
        do throws(BondStoreError) {
            setup.bonds = try await store?.load() ?? KnownBonds()
        } catch {
            throw .bondStore(error)
        }
        return setup
    }
}
