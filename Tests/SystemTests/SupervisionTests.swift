import HCI
import HeartRate
import Host
import Simulator
import Testing
import Wire

/// Many straps over one adapter, lost and found again.
@Suite struct SupervisionTests {
    private func straps(_ count: UInt8, _ adjust: (UInt8, inout StrapPlan) -> Void = { _, _ in }) -> [StrapPlan] {
        (1...count).map { number in .simulated(number) { adjust(number, &$0) } }
    }

    private func watchAll(_ scenario: Scenario, for duration: Duration, seed: UInt64 = 1) async throws -> [Watched] {
        try await withVirtualCentral(scenario, seed: seed) { central in
            await withTaskGroup(of: (Int, Watched).self) { group in
                for (index, strap) in scenario.straps.enumerated() {
                    group.addTask {
                        var options = HeartRateMonitor.Options()
                        options.seed = UInt64(index)
                        return (index, await watch(central, .target(strap.address), for: duration, options: options))
                    }
                }
                let watched = await group.reduce(into: [Int: Watched]()) { $0[$1.0] = $1.1 }
                return scenario.straps.indices.compactMap { watched[$0] }
            }
        }
    }

    /// All are lost within half a minute, and each comes back when it likes.
    @Test(arguments: [ControllerPlan(), .withoutList, .withShortList, .alternating])
    func allComeBack(_ controller: ControllerPlan) async throws {
        let plans = straps(8) { number, plan in
            plan.departure = .init(
                .after(.seconds(30)), .vanishing, returnsAfter: .seconds(5 * Int64(number)), times: 1)
            plan.parameterWish = nil
        }
        let watched = try await watchAll(
            Scenario(name: "", summary: "", controller: controller, straps: plans), for: .seconds(240))
        for (index, one) in watched.enumerated() {
            #expect(one.error == nil)
            #expect(one.gaps.map(\.reason) == [.linkLost(.connectionTimeout)], "strap \(index + 1)")
            guard let gap = one.gaps.first else { continue }
            // Gone for 5 s and more; found soon after, also where the others are still away.
            let away = Duration.seconds(5 * (index + 1))
            #expect(gap.to - gap.from < away + .seconds(controller.filterAcceptListSize > 4 ? 12 : 50), "\(index + 1)")
            #expect(one.measurements.count > 120)
        }
    }

    /// Five straps on a controller for four.
    @Test func oneTooManyIsTold() async throws {
        let watched = try await watchAll(
            Scenario(name: "", summary: "", controller: .oldest, straps: straps(5)), for: .seconds(60))
        let refused = watched.filter { $0.error != nil }
        #expect(refused.map(\.hostError) == [.connectionLimit(held: 4)])
        #expect(watched.filter { $0.measurements.count > 40 }.count == 4)
    }

    /// A strap that accepts each connection and drops it at once does not keep the others from theirs, and is not asked without end.
    @Test func aStrapThatNeverStaysDoesNotDisturb() async throws {
        let plans = straps(4) { number, plan in
            plan.departure =
                number == 1
                ? .init(.atRequest(3), .leaving(.remoteUserTerminated), returnsAfter: .zero)
                : .init(.after(.seconds(60)), .vanishing, returnsAfter: .seconds(4))
        }
        let watched = try await watchAll(Scenario(name: "", summary: "", straps: plans), for: .seconds(600))
        #expect(watched[0].measurements.isEmpty)
        for one in watched.dropFirst() {
            #expect(one.error == nil)
            #expect(one.measurements.count > 400)
        }
    }
}

extension ControllerPlan {
    fileprivate static var withoutList: ControllerPlan {
        var plan = ControllerPlan()
        plan.filterAcceptListSize = 0
        return plan
    }

    fileprivate static var withShortList: ControllerPlan {
        var plan = ControllerPlan()
        plan.filterAcceptListSize = 3
        return plan
    }

    fileprivate static var alternating: ControllerPlan {
        var plan = ControllerPlan()
        plan.scansWhileInitiating = false
        return plan
    }
}
