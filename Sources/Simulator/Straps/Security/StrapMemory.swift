import ATT
import GATT
import HCI
import SMP
import Wire

/// What a strap keeps between connections: its bonds, and what those who have one have subscribed to.
struct StrapMemory: Hashable, Sendable {
    /// The latest last.
    private(set) var bonds: [Kept] = []
    private let plan: SecurityPlan?

    struct Kept: Hashable, Sendable {
        var bond: Bond
        /// By the handles of the values.
        var subscriptions: [Handle: ClientConfiguration] = [:]
        /// Under which address it was here last.
        var address: DeviceAddress?
        /// How many connections have ended since the one in which it was made.
        var connections = 0
    }

    /// A strap has little memory: the oldest bond goes first.
    private static let most = 8

    init(_ plan: SecurityPlan?) { self.plan = plan }

    /// What is kept of the central with that address on air.
    func kept(of central: DeviceAddress, _ toolbox: (any SecurityToolbox)?) -> Kept? {
        bonds.last { kept in
            if kept.bond.identity == central { return true }
            guard let key = kept.bond.identityResolvingKey, let toolbox else { return false }
            return central.kind == .random && (try? toolbox.resolves(central.address, with: key)) ?? false
        }
    }

    mutating func keep(_ bond: Bond) {
        let index = bonds.firstIndex { $0.bond.identity == bond.identity }
        var kept = index.map { bonds.remove(at: $0) } ?? Kept(bond: bond)
        kept.bond = bond
        kept.connections = 0
        bonds.append(kept)
        if bonds.count > Self.most { bonds.removeFirst() }
    }

    /// A connection with that bond's owner has ended.
    mutating func connectionEnded(
        _ identity: DeviceAddress, at address: DeviceAddress, _ subscriptions: [Handle: ClientConfiguration]
    ) {
        guard let plan, let index = bonds.firstIndex(where: { $0.bond.identity == identity }) else { return }
        bonds[index].address = address
        if plan.keepsSubscriptions { bonds[index].subscriptions = subscriptions }
        bonds[index].connections += 1
        if case .forConnections(let count) = plan.memory, bonds[index].connections > count { bonds.remove(at: index) }
    }

    /// The strap's power is gone.
    mutating func switchedOff() {
        if plan?.memory == .untilSwitchedOff { bonds.removeAll() }
    }
}
