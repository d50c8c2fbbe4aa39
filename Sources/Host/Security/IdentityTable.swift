import HCI
import SMP
import Wire

/// The peers that the host is bonded with, and which of them an address belongs to.
struct IdentityTable: Sendable {
    private let toolbox: (any SecurityToolbox)?
    private var bonds: [DeviceAddress: Bond] = [:]
    /// In the order of their addresses, so that a run repeats itself.
    private var keys: [(key: SecretKey, identity: DeviceAddress)] = []
    /// What private addresses have turned out to be: each is heard many times a second.
    private var known: [Address: DeviceAddress?] = [:]
    private static let mostKnown = 1024

    init(_ bonds: [Bond], toolbox: (any SecurityToolbox)?) {
        self.toolbox = toolbox
        for bond in bonds { self.bonds[bond.identity] = bond }
        refresh()
    }

    var isEmpty: Bool { bonds.isEmpty }

    /// All bonds, in the order of their addresses.
    var all: [Bond] { bonds.values.sorted { $0.identity < $1.identity } }

    /// The bond with a peer, by its identity; kinds that say who resolved the address count as the plain ones.
    subscript(identity: DeviceAddress) -> Bond? { bonds[identity.plain] }

    mutating func set(_ bond: Bond) {
        bonds[bond.identity.plain] = bond
        refresh()
    }

    mutating func remove(_ identity: DeviceAddress) {
        bonds[identity.plain] = nil
        refresh()
    }

    /// Whose address that is; `nil` where no bonded peer's.
    mutating func identity(of address: DeviceAddress) -> DeviceAddress? {
        let address = address.plain
        if bonds[address] != nil { return address }
        guard address.randomness == .resolvable, !keys.isEmpty, let toolbox else { return nil }
        if let known = known[address.address] { return known }
        let owner = keys.first { (try? toolbox.resolves(address.address, with: $0.key)) == true }?.identity
        if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
        known[address.address] = .some(owner)
        return owner
    }

    private mutating func refresh() {
        keys = all.compactMap { bond in bond.identityResolvingKey.map { ($0, bond.identity.plain) } }
        known = [:]
    }
}

extension DeviceAddress {
    /// The address without a word of who resolved it.
    var plain: DeviceAddress { DeviceAddress(kind.withoutIdentity, address) }

    /// The same as that of an identity behind a private address.
    var asIdentity: DeviceAddress { DeviceAddress(kind == .public ? .publicIdentity : .randomIdentity, address) }
}
