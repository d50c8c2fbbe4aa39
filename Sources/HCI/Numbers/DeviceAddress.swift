public import Wire

/// A device address with its kind. The same 48 bits as public and as random address are two devices.
public struct DeviceAddress: Hashable, Sendable {
    /// Public or random, its own or that of an identity.
    public var kind: AddressKind
    /// The 48 bits.
    public var address: Address

    public init(_ kind: AddressKind, _ address: Address) {
        self.kind = kind
        self.address = address
    }

    /// 00:00:00:00:00:00, public.
    public static let zero = DeviceAddress(.public, .zero)

    /// How a random address was made, from its two top bits (Core Vol 6, Part B, 1.3.2); `nil` for one that is not random.
    public var randomness: Randomness? {
        guard kind == .random || kind == .randomIdentity else { return nil }
        return switch address.rawValue >> 46 {
        case 0b11: .static
        case 0b01: .resolvable
        case 0b00: .nonResolvable
        default: .reserved
        }
    }

    /// The sub-kinds of a random address.
    public enum Randomness: Hashable, Sendable {
        /// Kept at least until the device is switched on again.
        case `static`
        /// Changes; who holds the device's identity resolving key recognises it.
        case resolvable
        /// Changes; nobody recognises it.
        case nonResolvable
        case reserved
    }
}

extension DeviceAddress: CustomStringConvertible {
    /// `F0:F1:F2:F3:F4:01 (random)`.
    public var description: String { "\(address) (\(kind.description.lowercased()))" }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
    /// The kind, then the address, as most packets have them.
    @_lifetime(self: copy self)
    mutating func deviceAddress(
        _ kindName: StaticString, _ addressName: StaticString, _ value: inout DeviceAddress
    ) throws(WireError) {
        try number(kindName, &value.kind)
        try address(addressName, &value.address)
    }

    /// An octet of 0 or 1. Any other value than 0 counts as 1.
    @_lifetime(self: copy self)
    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(WireError) {
        var octet: UInt8 = value ? 1 : 0
        try uint8(name, &octet)
        value = octet != 0
    }
}
