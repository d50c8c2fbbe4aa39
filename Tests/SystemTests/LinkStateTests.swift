import HCI
import HeartRate
import Host
import Simulator
import Testing
import Wire

/// What the heart-rate monitor tells of its link, and how it finds a strap again.
@Suite struct LinkStateTests {
    private func scenario(_ adjust: (inout StrapPlan) -> Void) -> Scenario {
        Scenario(name: "", summary: "", straps: [.simulated(1, adjust)])
    }

    /// The MTU is agreed on after the subscription; the strap asks for other parameters after half a minute.
    @Test func theLinkIsToldAgainWhenItsNumbersChange() async throws {
        let watched = try await watch(.strap, for: .seconds(70))
        #expect(watched.subscribed.first?.mtu == 23)
        #expect(watched.subscribed.last?.mtu == 247)
        let intervals = watched.subscribed.map(\.interval)
        #expect(intervals.first != intervals.last)
        for (before, after) in zip(watched.subscribed, watched.subscribed.dropFirst()) { #expect(before != after) }
    }

    /// The subscription takes four requests.
    @Test(arguments: 1...4)
    func anEndBeforeTheSubscriptionIsTold(_ request: Int) async throws {
        let scenario = scenario {
            $0.departure = .init(.atRequest(request), .vanishing, returnsAfter: .seconds(1), times: 1)
        }
        let watched = try await watch(scenario, for: .seconds(60))
        #expect(watched.error == nil)
        #expect(
            watched.states == [
                "searching", "connecting", "connected", "disconnected 8", "connecting", "connected", "subscribed",
            ])
    }

    /// The strap goes away and comes back under another resolvable private address.
    @Test func aStrapWithAPrivateAddressIsFoundAgainUnderAnother() async throws {
        let addresses: [UInt64] = [0x4011_2233_4455, 0x4A66_7788_99AA]
        let name = "Private"
        let straps = addresses.enumerated().map { index, address in
            var plan = StrapPlan.simulated(1) { _ in }
            plan.address = DeviceAddress(.random, Address(rawValue: address))
            plan.name = name
            if index == 0 { plan.departure = .init(.afterMeasurements(5), .vanishing, returnsAfter: nil, times: 1) }
            if index == 1 { plan.appearsAfter = .seconds(30) }
            return plan
        }
        for wanted in [HeartRateMonitor.Wanted.name(name), .any] {
            let watched = try await watch(
                Scenario(name: "", summary: "", straps: straps), wanted, for: .seconds(120))
            #expect(watched.error == nil)
            #expect(Set(watched.subscribed.map(\.peer)) == Set(straps.map(\.address)))
            #expect(watched.measurements.count > 40)
        }
    }
}
