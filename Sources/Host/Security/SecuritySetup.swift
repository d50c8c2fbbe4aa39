public import SMP

/// What the host pairs with, and what is known from earlier pairings.
public struct SecuritySetup: Sendable {
    /// The cryptography.
    public var toolbox: any SecurityToolbox
    /// How it pairs.
    public var policy = PairingPolicy()
    /// The peers that it is bonded with, and its own key.
    public var bonds = KnownBonds()
    /// How it shows itself.
    public var ownAddress = OwnAddressPolicy.private
    /// Whether the controller may be asked to resolve private addresses, where it can. The host does it else.
    public var usesControllerPrivacy = true

    public init(toolbox: any SecurityToolbox) { self.toolbox = toolbox }
}
