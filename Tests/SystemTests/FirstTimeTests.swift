import ATT
import GATT
import HCI
import HeartRate
import Host
import Simulator
import Testing
import Wire

/// How long a strap is tried that never tells a heart rate, and what is told of it in the end.
@Suite struct FirstTimeTests {
    private func scenario(_ adjust: (inout StrapPlan) -> Void) -> Scenario {
        let plan = StrapPlan.simulated(1) {
            $0.parameterWish = nil
            adjust(&$0)
        }
        return Scenario(name: "", summary: "", straps: [plan])
    }

    private func options(_ timeout: Duration) -> HeartRateMonitor.Options {
        var options = HeartRateMonitor.Options()
        options.timeout = timeout
        return options
    }

    /// It agrees, measures nothing and leaves after some seconds: whenever the limit falls, that is what is told.
    @Test(arguments: 20...45)
    func aStrapThatLeavesWithoutAHeartRateIsGivenUp(_ limit: Int) async throws {
        let scenario = scenario {
            $0.misconduct = .on(.measurement)
            $0.departure = .init(.after(.seconds(8)), .leaving(.remoteUserTerminated), returnsAfter: .zero)
        }
        let watched = try await watch(
            scenario, for: .seconds(600), options: options(.seconds(limit)), seed: UInt64(limit))
        #expect(watched.hostError == .disconnected(.remoteUserTerminated))
        #expect(watched.measurements.isEmpty)
    }

    /// A link that outlasts the limit is one to a strap that is off the skin.
    @Test func aStrapThatIsMerelyNotWornIsKept() async throws {
        let scenario = scenario {
            $0.misconduct = .on(.measurement)
            $0.departure = .init(.after(.seconds(90)), .leaving(.remoteUserTerminated), returnsAfter: .seconds(1))
        }
        let watched = try await watch(scenario, for: .seconds(900), options: options(.seconds(30)))
        #expect(watched.error == nil)
        #expect(watched.gaps.count >= 5)
    }

    /// What answered each time is not said to be out of reach, whichever wait the limit cuts off.
    @Test(arguments: ["leaves-answering", "occupied"], 1...40 as ClosedRange<UInt64>)
    func theEndOfTheLastLinkIsTold(_ name: String, _ seed: UInt64) async throws {
        let scenario = try #require(Scenario.named(name))
        let strap = scenario.straps[0]
        let timeout = Duration.milliseconds(9_700 + 53 * Int64(seed))
        for wanted in [HeartRateMonitor.Wanted.any, .name(strap.name), .target(strap.address)] {
            let watched = try await watch(scenario, wanted, for: .seconds(90), options: options(timeout), seed: seed)
            #expect(gist(of: watched.error) == (name == "occupied" ? "link ended: 0x14" : "link ended: 0x13"))
        }
    }

    /// A value that cannot be read is no heart rate: such a strap is neither tried for ever nor without a pause.
    @Test(arguments: [3, 4])
    func aStrapThatSendsAnIllegibleValueAndLeavesIsGivenUp(_ length: Int) async throws {
        let scenario = scenario {
            $0.misconduct = .on(.measurement, .answer(.cut(to: length)), .leave(.remoteUserTerminated))
        }
        let watched = try await watch(scenario, for: .seconds(300), options: options(.seconds(30)))
        #expect(watched.hostError == .disconnected(.remoteUserTerminated))
        #expect(watched.states.filter { $0 == "connected" }.count < 20)
        #expect(watched.measurements.allSatisfy { $0.measurement.malformed != nil })
    }

    /// A value that has something wrong behind its heart rate is one.
    @Test func aHeartRateBeforeAFaultCounts() async throws {
        let scenario = scenario {
            $0.misconduct = .on(.measurement, .answer(.followed(by: [0x01])))
            $0.departure = .init(.afterMeasurements(5), .leaving(.remoteUserTerminated), returnsAfter: .seconds(1))
        }
        let watched = try await watch(scenario, for: .seconds(300), options: options(.seconds(30)))
        #expect(watched.error == nil)
        #expect(watched.measurements.count > 100)
    }
}
