import GATT
import HCI
import HeartRate
import Host
import Replay
import Simulator
import Synchronization
import Testing

/// Every scenario of the simulator, recorded, and replayed to the same events at the same times.
@Suite struct ScenarioReplayTests {
    @Test(arguments: Scenario.all.map(\.name), [1, 2] as [UInt64]) func tellsTheSame(
        _ name: String, _ seed: UInt64
    ) async throws {
        let scenario = try #require(Scenario.named(name))
        let strap = try #require(scenario.straps.first)
        let isAnnounced = strap.advertisesService && scenario.straps.count == 1
        let wanted = isAnnounced ? HeartRateMonitor.Wanted.any : .name(strap.name)
        let (recorded, recording) = try await record(scenario, seed: seed) { central in
            await session(with: wanted, on: central, for: .seconds(90))
        }
        let replayed = await told {
            try await recording.play { await session(with: wanted, on: $0, for: .seconds(90)) }
        }
        #expect(recorded.count > 1 || name == "silent")
        expectSame(recorded, replayed)
    }

    /// Many tasks ask the host for things; what comes first is the same again.
    @Test(arguments: ["straps", "twenty"]) func tellsTheSameOfSeveralStraps(_ name: String) async throws {
        let scenario = try #require(Scenario.named(name))
        let addresses = scenario.straps.map(\.address)
        @Sendable func all(_ central: Central) async -> [String] {
            await withTaskGroup(of: [String].self) { group in
                for address in addresses {
                    group.addTask { await session(with: .target(address), on: central, for: .seconds(30)) }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
        }
        let (recorded, recording) = try await record(scenario, all)
        expectSame(recorded, await told { try await recording.play(all) })
    }

    /// A host that knew the strap's handles did other things than one that did not; the recording shows what it knew.
    @Test(arguments: ["strap", "constant", "hashed", "updated", "updated-hashed", "updated-constant", "indicated"])
    func tellsTheSameOfAStrapMetBefore(_ name: String) async throws {
        let scenario = try #require(Scenario.named(name))
        let memory = Memory()
        @Sendable func meet(_ central: Central) async -> [String] {
            await session(with: .any, on: central, for: .seconds(30))
        }
        // The first meeting takes place in a world of its own, and moves the strap's handles where they move.
        let (_, _) = try await record(scenario, handles: memory, meet)
        #expect(memory.load().count == 1)
        let (recorded, recording) = try await record(scenario, handles: memory, meet)
        expectSame(recorded, await told { try await recording.play(meet) })
    }
}

/// Keeps known handles as long as a test lasts, over several centrals.
private final class Memory: HandleStore {
    private let cache = Mutex(HandleCache())

    func load() -> HandleCache { cache.withLock { $0 } }

    func save(_ handles: KnownHandles?, of peer: DeviceAddress) async { cache.withLock { $0[peer] = handles } }
}

/// The lists are equal; else names the first place where they are not.
func expectSame(_ recorded: [String], _ replayed: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    for (event, again) in zip(recorded, replayed) where event != again {
        Issue.record("recorded \(event)\nreplayed \(again)", sourceLocation: sourceLocation)
        return
    }
    #expect(recorded.count == replayed.count, sourceLocation: sourceLocation)
}
