public import Wire

/// Whose rules a device address follows, and who resolved it (Core Vol 4, Part E, 7.7.65.2 and 7.7.65.13).
public struct AddressKind: AssignedNumber {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Registered with the IEEE.
    public static let `public` = AddressKind(rawValue: 0x00)
    /// Chosen by the device; the two top bits tell how (Core Vol 6, Part B, 1.3.2).
    public static let random = AddressKind(rawValue: 0x01)
    /// A public address that the controller found behind a resolvable private one.
    public static let publicIdentity = AddressKind(rawValue: 0x02)
    /// A random static address that the controller found behind a resolvable private one.
    public static let randomIdentity = AddressKind(rawValue: 0x03)
    /// A directed advertisement to a resolvable private address that the controller could not resolve.
    public static let unresolved = AddressKind(rawValue: 0xFE)
    /// An advertisement without an address.
    public static let anonymous = AddressKind(rawValue: 0xFF)

    public var name: String? {
        switch self {
        case .public: "Public"
        case .random: "Random"
        case .publicIdentity: "Public Identity"
        case .randomIdentity: "Random Identity"
        case .unresolved: "Unresolved"
        case .anonymous: "Anonymous"
        default: nil
        }
    }

    /// What a command that names a peer takes: public or random. The controller gives the identity kinds to what it resolved itself.
    public var withoutIdentity: AddressKind {
        switch self {
        case .publicIdentity: .public
        case .randomIdentity: .random
        default: self
        }
    }
}

/// Which of its own addresses the controller uses on air (Core Vol 4, Part E, 7.8.10).
public struct OwnAddressKind: AssignedNumber {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let `public` = OwnAddressKind(rawValue: 0x00)
    /// The one of LE Set Random Address.
    public static let random = OwnAddressKind(rawValue: 0x01)
    /// A resolvable private one where the resolving list has the peer, else the public one.
    public static let resolvableOrPublic = OwnAddressKind(rawValue: 0x02)
    /// A resolvable private one where the resolving list has the peer, else the random one.
    public static let resolvableOrRandom = OwnAddressKind(rawValue: 0x03)

    public var name: String? {
        switch self {
        case .public: "Public"
        case .random: "Random"
        case .resolvableOrPublic: "Resolvable or Public"
        case .resolvableOrRandom: "Resolvable or Random"
        default: nil
        }
    }
}
