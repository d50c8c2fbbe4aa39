public import HCI
public import Wire

/// Which of the host's own addresses something is done under.
public enum OwnAddressUse: Hashable, Sendable {
    /// The one that stays: public, or random static.
    case identity
    /// One that changes and that tells nobody who the host is, but for the peers that hold its key.
    case `private`
}

/// How the host shows itself.
public enum OwnAddressPolicy: Hashable, Sendable {
    /// Scans under a private address; connects under one where bonds exist and the peer can know it by that.
    case `private`
    /// Under its public address, or, where the controller has none, under the random static one.
    case `public`
    /// Under the random static address, whatever the controller has.
    case `static`
}

/// The addresses of this host.
public struct OwnAddresses: Hashable, Sendable {
    /// Public, or random static.
    public var identity = DeviceAddress.zero
    /// `nil` where none is used.
    public var `private`: Address?

    public init() {}

    /// The address for a purpose: the identity where there is no private one.
    public func address(for use: OwnAddressUse) -> DeviceAddress {
        guard use == .private, let address = self.private else { return identity }
        return DeviceAddress(.random, address)
    }

    /// What the commands that scan and connect call it.
    func kind(for use: OwnAddressUse?) -> OwnAddressKind {
        address(for: use ?? .identity).kind == .public ? .public : .random
    }
}
