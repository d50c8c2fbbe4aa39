import ATT
import HCI
import HeartRate
import Host
import SMP
import Simulator
import Wire

extension TrialPlan {
    /// Some straps demand protection. Drawn from the seed apart, so that all else of it stays what it was.
    mutating func drawSecurity() {
        var chance = SeededGenerator(seed: seed ^ 0x5EC0_12E5)
        for index in scenario.straps.indices where chance.oneIn(3) {
            scenario.straps[index].security = .random(of: UInt8(truncatingIfNeeded: index), using: &chance)
        }
        ownAddress = [.private, .private, .public, .static].randomElement(using: &chance) ?? .private
        if chance.oneIn(3) { scenario.controller = scenario.controller.withoutPrivacy }
    }

    /// Whether a link can end, or a frame go astray, just when the keys are handed out.
    var mayCutPairings: Bool { !faults.chances.isEmpty || scenario.straps.contains { $0.departure != nil } }
}

extension StrapPlan {
    /// Whether it is the one that somebody calls so.
    func isMeant(by wanted: HeartRateMonitor.Wanted) -> Bool {
        switch wanted {
        case .address(let address): address == self.address.address
        case .target(let target): target == address
        case .name(let name): name == self.name
        default: false
        }
    }
}

extension SecurityPlan {
    /// - Parameter number: tells the strap's key from others'
    fileprivate static func random(of number: UInt8, using chance: inout SeededGenerator) -> SecurityPlan {
        var plan = SecurityPlan.encrypted
        plan.measurement?.refusal =
            [.insufficientEncryption, .insufficientAuthentication, .insufficientAuthorization]
            .randomElement(using: &chance) ?? .insufficientEncryption
        plan.policy.generation =
            [.any, .any, .legacyOnly, .secureConnectionsOnly].randomElement(using: &chance) ?? .any
        if chance.oneIn(4) { plan.rest = plan.measurement }
        if chance.oneIn(4) { plan.requests = .encrypted }
        if chance.oneIn(4), let key = SecretKey([UInt8](repeating: 0x1D + number, count: SecretKey.length)) {
            plan.hiding = Hiding(key: key, period: .seconds(30))
        }
        plan.keepsSubscriptions = chance.oneIn(2)
        if chance.oneIn(5) { plan.policy.isBonding = false }
        return plan
    }
}
