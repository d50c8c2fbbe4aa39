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

    /// How a random address was made (Core Vol 6, Part B, 1.3.2); `nil` for one that is not random.
    public var randomness: Address.Randomness? {
        kind.withoutIdentity == .random ? address.randomness : nil
    }
}

extension DeviceAddress: Comparable {
    /// Public addresses first, then by number.
    public static func < (left: DeviceAddress, right: DeviceAddress) -> Bool {
        (left.kind.rawValue, left.address) < (right.kind.rawValue, right.address)
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
        if value.kind.withoutIdentity == .random {
            try randomAddress(addressName, &value.address)
        } else {
            try address(addressName, &value.address)
        }
    }

    /// An octet of 0 or 1. Any other value than 0 counts as 1.
    @_lifetime(self: copy self)
    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(WireError) {
        var flag = Flag(rawValue: value ? 1 : 0)
        try number(name, &flag)
        value = flag.rawValue != 0
    }

    /// A length of time, kept as the number of its units.
    @_lifetime(self: copy self)
    mutating func time<Time: TimeUnits>(
        _ name: StaticString, _ value: inout UInt16, in units: Time.Type
    ) throws(WireError) {
        var time = Time(rawValue: value)
        try number(name, &time)
        value = time.rawValue
    }
}

/// Whether something is on.
struct Flag: AssignedNumber {
    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    var name: String? {
        switch rawValue {
        case 0: "Disabled"
        case 1: "Enabled"
        default: nil
        }
    }
}
