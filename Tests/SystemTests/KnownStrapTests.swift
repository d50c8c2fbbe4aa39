import ATT
import GATT
import HCI
import HeartRate
import Host
import Simulator
import Synchronization
import Testing
import Wire

/// Keeps known handles as long as a test lasts, over several centrals.
final class Memory: HandleStore {
    private let cache = Mutex(HandleCache())

    func load() -> HandleCache { cache.withLock { $0 } }

    func save(_ handles: KnownHandles?, of peer: DeviceAddress) async { cache.withLock { $0[peer] = handles } }
}

/// Straps met before, on virtual time: how many requests they take, what is kept of them, and what becomes of it when they change.
@Suite struct KnownStrapTests {
    /// Two sessions of a strap: the second begins when the first has learnt what there is to learn.
    private func meetTwice(
        _ name: String, for duration: Duration = .seconds(30)
    ) async throws -> (first: Watched, second: Watched, kept: HandleCache) {
        let scenario = try #require(Scenario.named(name))
        let memory = Memory()
        let (first, second) = try await withVirtualCentral(scenario, handles: memory) { central in
            (await watch(central, .any, for: duration), await watch(central, .any, for: duration))
        }
        return (first, second, memory.load())
    }

    @Test(arguments: [
        "strap", "constant", "hashed", "updated", "updated-hashed", "updated-constant", "bare", "straps", "wide",
    ])
    func streamsAgain(_ name: String) async throws {
        let (first, second, kept) = try await meetTwice(name)
        for watched in [first, second] {
            #expect(watched.error == nil)
            #expect(watched.measurements.count >= 15)
        }
        #expect(first.gaps.isEmpty)
        // A change that should never have been is found out by the silence.
        #expect(second.gaps.count == (name == "updated-constant" ? 1 : 0))
        // Any strap was asked for: with several, it may be two.
        #expect((name == "straps" ? 1...2 : 1...1).contains(kept.count))
    }

    /// It says that its handles hold for ever, and moves them: that is found out once, and not written down again.
    @Test func aStrapThatBrokeItsWordCostsOneSilence() async throws {
        let scenario = try #require(Scenario.named("updated-constant"))
        let sessions = try await withVirtualCentral(scenario, handles: Memory()) { central in
            var sessions: [Watched] = []
            for _ in 1...4 { sessions.append(await watch(central, .any, for: .seconds(30))) }
            return sessions
        }
        #expect(sessions.map(\.gaps.count) == [0, 1, 0, 0])
    }

    @Test(arguments: [
        ("strap", true, nil), ("constant", false, nil), ("hashed", true, 0x5A), ("updated-hashed", true, 0xA5),
    ])
    func keepsWhatTheStrapSaysOfItsHandles(_ name: String, _ hasServiceChanged: Bool, _ hash: UInt8?) async throws {
        let kept = try await meetTwice(name).kept
        let strap = try #require(Scenario.named(name)?.straps.first)
        let known = try #require(kept[strap.address])
        #expect(known.service == 0x180D)
        #expect(known.characteristic.uuid == 0x2A37)
        #expect(known.hasServiceChanged == hasServiceChanged)
        #expect(known.databaseHash == hash.map { Array(repeating: $0, count: 16) })
        #expect(try HandleCache(text: kept.text) == kept)
    }

    /// The strap moves its handles in mid-stream and says so: the subscription is made anew, and nothing is missed for long.
    @Test func streamsOnWhenTheHandlesMove() async throws {
        let scenario = try #require(Scenario.named("updating"))
        let watched = try await watch(scenario, for: .seconds(200))
        #expect(watched.error == nil)
        #expect(watched.states == ["searching", "connecting", "connected", "subscribed"])
        #expect(watched.measurements.count > 190)
        #expect(watched.gaps == [])
    }

    /// The clock of a central that is told nothing stands still; the memory of one is good for the next.
    @Test func remembersFromRunToRun() async throws {
        let scenario = try #require(Scenario.named("constant"))
        let memory = Memory()
        for _ in 0..<2 {
            let watched = try await withVirtualCentral(scenario, handles: memory) { central in
                await watch(central, .any, for: .seconds(20))
            }
            #expect(watched.measurements.count > 10)
        }
        #expect(memory.load().count == 1)
    }

    /// A strap with a resolvable private address is another strap the next time.
    @Test func nothingIsKeptOfAPrivateAddress() async throws {
        let address = DeviceAddress(.random, Address(rawValue: 0x40_00_5E_00_53_01))
        let scenario = Scenario(name: "", summary: "", straps: [.simulated(1) { $0.address = address }])
        let memory = Memory()
        let watched = try await withVirtualCentral(scenario, handles: memory) { central in
            await watch(central, .any, for: .seconds(20))
        }
        #expect(watched.measurements.count > 10)
        #expect(memory.load().count == 0)
    }
}

/// The same between engine and world, where the requests can be counted.
@Suite struct KnownHandleRequestTests {
    private let service: BluetoothUUID = 0x180D
    private let measurement: BluetoothUUID = 0x2A37

    /// Connects and subscribes with what is known. Gives the requests that it took, up to and including the descriptor's write.
    private func subscribe(
        _ stage: inout Stage, _ known: KnownHandles?
    ) throws -> (requests: [[UInt8]], characteristic: NotifyingCharacteristic, id: ConnectionID) {
        let target = try #require(Scenario.strap.straps.first).address
        let before = stage.requests.count
        guard
            case .success(.connected(let connection)) = stage.answer(
                to: .connect(target, .heartRate, within: .seconds(30))),
            case .success(.subscribed(let found, _)) = stage.answer(
                to: .gatt(connection.id, .subscribe(service: service, characteristic: measurement, known: known)))
        else {
            throw Missing()
        }
        return (Array(stage.requests[before...]), found, connection.id)
    }

    private struct Missing: Error {}

    @Test(arguments: [
        // First and second connection, in requests; whether the second finds other handles.
        ("strap", 2, false), ("constant", 1, false), ("hashed", 2, false), ("updated", 5, true),
        ("updated-hashed", 5, true),
    ])
    func countsItsRequests(_ name: String, _ again: Int, _ moves: Bool) throws {
        var stage = Stage(try #require(Scenario.named(name)))
        #expect(stage.start() == nil)
        let first = try subscribe(&stage, nil)
        #expect(first.requests.count == 4)
        guard
            case .success(.caching(let caching)) = stage.answer(
                to: .gatt(first.id, .learnCaching(first.characteristic)))
        else {
            Issue.record("nothing learnt")
            return
        }
        stage.pass(.seconds(3))
        #expect(stage.answer(to: .disconnect(first.id)) == .success(.done))
        let known = KnownHandles(
            service: service, characteristic: first.characteristic, hasServiceChanged: caching.hasServiceChanged,
            databaseHash: caching.databaseHash, learnt: Timestamp(microseconds: 0))
        let second = try subscribe(&stage, known)
        #expect(second.requests.count == again)
        #expect((second.characteristic != first.characteristic) == moves)
        // The one write is the last, and goes to the descriptor that was found or proven.
        let writes = second.requests.filter { $0[0] == 0x12 }
        let descriptor = second.characteristic.configurationHandle.rawValue
        #expect(writes == [[0x12, UInt8(descriptor & 0xFF), UInt8(descriptor >> 8), 0x01, 0x00]])
        #expect(second.requests.last == writes.first)
        let before = stage.valueCount
        stage.pass(.seconds(20))
        #expect(stage.valueCount - before >= 15)
    }
}
