import HCI
import Wire

extension KeyDistribution {
    /// The PDUs that the keys come in, in their order (Core Vol 3, Part H, 3.6.1).
    var codes: [PairingCode] {
        (contains(.encryption) ? [.encryptionInformation, .centralIdentification] : [])
            + (contains(.identity) ? [.identityInformation, .identityAddressInformation] : [])
            + (contains(.signing) ? [.signingInformation] : [])
    }
}

extension IdentityAddress {
    init(_ address: DeviceAddress) {
        self.init()
        kind = address.kind.withoutIdentity == .public ? 0 : 1
        self.address = address.address
    }

    /// The address, where it is one that a device can have for good (Core Vol 3, Part H, 3.6.5).
    func checked() throws(PairingBreak) -> DeviceAddress {
        let isSound =
            switch kind {
            case 0: address != .zero
            case 1: address.isSoundStatic
            default: false
            }
        guard isSound else { throw .refused(.invalidParameters, .malformed(.identityAddressInformation)) }
        return DeviceAddress(kind == 0 ? .public : .random, address)
    }
}

extension Address {
    /// Two ones on top, and below them neither ones alone nor zeros alone (Core Vol 6, Part B, 1.3.2.1).
    fileprivate var isSoundStatic: Bool {
        let mask: UInt64 = 0x3FFF_FFFF_FFFF
        return randomness == .static && rawValue & mask != 0 && rawValue & mask != mask
    }
}

extension DeviceAddress {
    /// Whether the device changes the address while it is in use.
    var isPrivate: Bool { randomness == .resolvable || randomness == .nonResolvable }
}

extension SecretKey {
    /// The resolving key of a device that has none (Core Vol 3, Part H, 2.4.2.1).
    var isZero: Bool { octets.allSatisfy { $0 == 0 } }
}
