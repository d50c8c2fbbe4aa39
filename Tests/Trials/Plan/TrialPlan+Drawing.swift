import ATT
import HCI
import HeartRate
import Simulator
import Wire

extension TrialPlan {
    /// The trial of a seed.
    public init(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let ends = Duration.seconds(Int.random(in: 15...45, using: &chance))
        self.init(
            seed: seed, scenario: .random(using: &chance), faults: .random(using: &chance, ends: ends),
            length: ends + Self.timeToHeal)
        drawSecurity()
        stopsAbruptly = chance.oneIn(5)
        if chance.oneIn(6) {
            for _ in 0...1 {
                clockJumps.append(
                    TrialClock.Jump(
                        at: .milliseconds(Int.random(in: 0...40_000, using: &chance)),
                        by: .milliseconds([0, 300, 4000, 40_000, 900_000].randomElement(using: &chance) ?? 0),
                        setting: .seconds(Int.random(in: -7200...7200, using: &chance))))
            }
        }
        // A leap takes nothing off the time that healing has.
        for jump in clockJumps { length += jump.by }
        callers = .random(straps: scenario.straps, until: ends, using: &chance)
        // Who is stopped in mid-work is not waited for to heal.
        if stopsAbruptly { length = .milliseconds(Int.random(in: 100...60_000, using: &chance)) }
    }
}

extension [CallerPlan] {
    fileprivate static func random(
        straps: [StrapPlan], until end: Duration, using chance: inout SeededGenerator
    ) -> [CallerPlan] {
        let seconds = Int(end.components.seconds)
        var callers: [CallerPlan] = []
        for strap in straps where !chance.oneIn(6) {
            callers.append(
                CallerPlan(
                    task: .monitor(.random(strap, using: &chance)),
                    begins: .milliseconds(Int.random(in: 0...5000, using: &chance))))
            if chance.oneIn(4) {
                callers[callers.count - 1].ends = .milliseconds(Int.random(in: 0...60_000, using: &chance))
            }
        }
        for _ in 0..<Int.random(in: 0...3, using: &chance) {
            var caller = CallerPlan(
                task: .random(straps: straps.map(\.address), using: &chance),
                begins: .milliseconds(Int.random(in: 0...(seconds * 1000), using: &chance)))
            if chance.oneIn(2) {
                caller.ends = caller.begins + .milliseconds(Int.random(in: 0...20_000, using: &chance))
            }
            callers.append(caller)
        }
        return callers
    }
}

extension HeartRateMonitor.Wanted {
    /// One of the ways to call a strap.
    fileprivate static func random(_ strap: StrapPlan, using chance: inout SeededGenerator) -> Self {
        switch strap.security?.hiding == nil ? chance.next() % 4 : 1 {
        case 0: .address(strap.address.address)
        case 1: .name(strap.name)
        default: .target(strap.address)
        }
    }
}

extension CallerPlan.Task {
    fileprivate static func random(straps: [DeviceAddress], using chance: inout SeededGenerator) -> Self {
        switch chance.next() % 6 {
        case 0: return .scan(isActive: !chance.oneIn(3))
        case 1: return .wait(.milliseconds(Int.random(in: 0...60_000, using: &chance)))
        default:
            let nobody = DeviceAddress(.random, Address(rawValue: 0xC0_00_5E_00_53_EE))
            let target = chance.oneIn(8) ? nobody : straps.randomElement(using: &chance) ?? nobody
            let acts = (0..<Int.random(in: 0...5, using: &chance)).map { _ in
                CallerPlan.Act.random(using: &chance)
            }
            return .visit(target, within: .milliseconds(Int.random(in: 0...20_000, using: &chance)), acts)
        }
    }
}

extension CallerPlan.Act {
    fileprivate static func random(using chance: inout SeededGenerator) -> Self {
        let handle = UInt16(chance.next() % 40)
        switch chance.next() % 10 {
        case 0: return .discover
        case 1: return .discoverService([0x180D, 0x180A, 0x180F, 0x1234].randomElement(using: &chance) ?? 0x180D)
        case 2: return .exchangeMTU
        case 3: return .readSignalStrength
        case 4: return .read(handle)
        case 5: return .readMany(Int.random(in: 2...80, using: &chance))
        case 6: return .write(handle)
        case 7: return .writeWithoutResponse(handle, times: Int.random(in: 1...60, using: &chance))
        case 8: return .pause(.milliseconds(Int.random(in: 0...5000, using: &chance)))
        default: return .listen(values: Int.random(in: 1...10, using: &chance))
        }
    }
}

extension Scenario {
    fileprivate static func random(using chance: inout SeededGenerator) -> Scenario {
        let controller = ControllerPlan.random(using: &chance)
        let count = chance.oneIn(3) ? Int.random(in: 2...3, using: &chance) : 1
        let straps = (1...count).map { number in
            var strap = StrapPlan.random(UInt8(number), using: &chance)
            // Where the controller cannot hear such a wish, the strap would leave again and again.
            if !controller.features.contains(.connectionParametersRequest) { strap.parameterWish?.channel = .signaling }
            return strap
        }
        let summary =
            "version \(controller.version), \(controller.lowEnergyBuffers.count) buffers of \(controller.lowEnergyBuffers.length), "
            + "\(controller.commandCredits) commands, \(count) strap(s)"
        return Scenario(name: "trial", summary: summary, controller: controller, straps: straps)
    }
}

extension ControllerPlan {
    fileprivate static func random(using chance: inout SeededGenerator) -> ControllerPlan {
        let scenarios = ["strap", "strap", "strap", "legacy", "legacy", "classic-buffers", "boasting", "stalling"]
        var plan = Scenario.named(scenarios.randomElement(using: &chance) ?? "strap")?.controller ?? ControllerPlan()
        if plan.lowEnergyBuffers.count > 0, chance.oneIn(2) {
            plan.lowEnergyBuffers = Buffers(
                count: Int.random(in: 1...4, using: &chance),
                length: [27, 27, 64, 251].randomElement(using: &chance) ?? 27)
        }
        plan.commandCredits = UInt8([1, 1, 1, 2, 5].randomElement(using: &chance) ?? 1)
        plan.commandTime = .microseconds([100, 300, 300, 5000, 50_000].randomElement(using: &chance) ?? 300)
        if chance.oneIn(2) { plan.firstHandle = ConnectionHandle(rawValue: 0) }
        return plan
    }
}

extension StrapPlan {
    fileprivate static func random(_ number: UInt8, using chance: inout SeededGenerator) -> StrapPlan {
        var plan = StrapPlan.simulated(number)
        plan.advertisingInterval = .milliseconds([100, 150, 400].randomElement(using: &chance) ?? 100)
        plan.contact = chance.oneIn(2) ? .always : .unsupported
        plan.measurement = MeasurementPlan(energyEvery: 1, hasIntervals: !chance.oneIn(4))
        plan.measurement.numbersMeasurements = true
        plan.mtu = [23, 64, 247, 247, 517].randomElement(using: &chance) ?? 247
        if chance.oneIn(4) { plan.offers = .heartRate }
        if chance.oneIn(3) { plan.parameterWish = .random(using: &chance) }
        if chance.oneIn(3) { plan.departure = .random(using: &chance) }
        return plan
    }
}

extension StrapPlan.ParameterWish {
    fileprivate static func random(using chance: inout SeededGenerator) -> Self? {
        guard !chance.oneIn(3) else { return nil }
        return StrapPlan.ParameterWish(
            after: .milliseconds(Int.random(in: 0...20_000, using: &chance)), patience: .seconds(30),
            channel: chance.oneIn(2) ? .signaling : .linkLayer,
            intervals: ConnectionInterval(rawValue: 250)...ConnectionInterval(rawValue: 400),
            supervisionTimeout: SupervisionTimeout(.seconds(6)))
    }
}

extension StrapPlan.Departure {
    /// A strap that goes away a few times and is soon back.
    fileprivate static func random(using chance: inout SeededGenerator) -> Self {
        let reasons: [Status] = [
            .remoteUserTerminated, .remotePowerOff, .remoteLowResources, .unacceptableConnectionParameters,
        ]
        let moment: Moment =
            switch chance.next() % 4 {
            case 0: .atConnection
            case 1: .atRequest(Int.random(in: 1...12, using: &chance))
            case 2: .afterMeasurements(Int.random(in: 1...10, using: &chance))
            default: .after(.milliseconds(Int.random(in: 0...20_000, using: &chance)))
            }
        let manner: Manner =
            chance.oneIn(2) ? .vanishing : .leaving(reasons.randomElement(using: &chance) ?? .remoteUserTerminated)
        return StrapPlan.Departure(
            moment, manner, returnsAfter: .milliseconds(Int.random(in: 10...4000, using: &chance)),
            times: Int.random(in: 1...4, using: &chance))
    }
}

extension SeededGenerator {
    mutating func oneIn(_ count: UInt64) -> Bool { next() % count == 0 }
}
