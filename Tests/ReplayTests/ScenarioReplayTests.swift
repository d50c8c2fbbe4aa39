import HeartRate
import Host
import Replay
import Simulator
import Testing

/// Every scenario of the simulator, recorded, and replayed to the same events.
@Suite struct ScenarioReplayTests {
    @Test(arguments: Scenario.all.map(\.name).filter { $0 != "silent" })
    func tellsTheSame(_ name: String) async throws {
        let scenario = try #require(Scenario.named(name))
        let strap = try #require(scenario.straps.first)
        let isAnnounced = strap.advertisesService && scenario.straps.count == 1
        let wanted = isAnnounced ? HeartRateMonitor.Wanted.any : .name(strap.name)
        let (events, recording) = try await record(scenario) { central in
            await session(with: wanted, on: central, for: .seconds(90))
        }
        let replayed = try await recording.play { central in
            await session(with: wanted, on: central, for: .seconds(90))
        }
        #expect(events.count > 1)
        for (event, again) in zip(events, replayed) where event != again {
            Issue.record("recorded \(event)\nreplayed \(again)")
            break
        }
        #expect(replayed.count == events.count)
    }
}
