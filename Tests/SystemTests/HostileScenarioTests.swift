import ATT
import Foundation
import GATT
import HCI
import HeartRate
import SMP
import Simulator
import Testing
import Wire

@testable import Host

/// Every hostile or odd strap of the simulator: it ends with the right error in its bound, or works.
@Suite struct HostileScenarioTests {
    @Test func eachHasItsLineInTheTable() {
        #expect(Set(Scenario.hostile.map(\.name)) == Set(hostileOutcomes.keys))
        #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
    }

    /// Docs/Hostility.md says of each what becomes of it.
    @Test func eachHasItsRowInTheDocuments() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = try String(contentsOf: folder.appendingPathComponent("../../Docs/Hostility.md"), encoding: .utf8)
        let others = [
            "strap", "straps", "dropping", "no-contact", "crowd", "flood", "hashed", "constant", "updated",
            "updated-hashed", "updated-constant", "updating",
        ]
        for name in Scenario.hostile.map(\.name) + others { #expect(page.contains("`\(name)`"), "\(name)") }
    }

    /// From the first scan to the end, as the program does it.
    @Test(arguments: Scenario.hostile.map(\.name)) func endsAsItShould(_ name: String) async throws {
        let scenario = try #require(Scenario.named(name))
        let expected = try #require(hostileOutcomes[name])
        let strap = try #require(scenario.straps.first)
        // Who is not announced, or changes its address, is known by name.
        let isAnnounced = strap.advertisesService && scenario.straps.count == 1
        let wanted = isAnnounced ? HeartRateMonitor.Wanted.any : .name(strap.name)
        let (watched, elapsed) = try await withVirtualCentral(scenario, pairing: .attended()) { central in
            var options = HeartRateMonitor.Options()
            options.timeout = .seconds(60)
            let start = await central.now
            let watched = await watch(central, wanted, for: .seconds(90), options: options)
            return await (watched, central.now - start)
        }
        // About one a second: none comes twice, not even after the link was lost.
        #expect(watched.measurements.count <= 130)
        let lost = watched.states.filter { $0.starts(with: "disconnected") }.count
        switch expected {
        case .streams(let count):
            #expect(gist(of: watched.error) == "nothing")
            #expect(watched.measurements.count >= count)
            #expect(lost == 0, "\(watched.states)")
            tellsWhatItIs(watched)
        case .comesBack(let count):
            #expect(count > 0, "a strap whose heart rate never comes is given up")
            #expect(gist(of: watched.error) == "nothing")
            #expect(watched.measurements.count >= count)
            #expect(lost >= 1, "\(watched.states)")
            tellsWhatItIs(watched)
        case .staysAway(let status, let count):
            #expect(gist(of: watched.error) == "nothing")
            #expect(watched.measurements.count >= count)
            let ends = watched.states.filter { $0.starts(with: "disconnected") }
            #expect(
                ends.count >= 2 && Set(ends.dropFirst()) == ["disconnected \(status.rawValue)"], "\(watched.states)")
            #expect(watched.states.filter { $0 == "subscribed" }.count == 1)
        case .worksUntil(let expected, let count):
            #expect(gist(of: watched.error) == expected)
            #expect(watched.measurements.count >= count)
            #expect(watched.states.filter { $0 == "subscribed" }.count == 1)
        case .staysSilent:
            #expect(gist(of: watched.error) == "nothing")
            #expect(watched.states.last == "subscribed")
            #expect(watched.measurements.isEmpty)
        case .fails(let expected, let limit):
            #expect(gist(of: watched.error) == expected)
            #expect(elapsed <= limit)
            #expect(watched.measurements.isEmpty)
        }
    }

    /// Whoever waits for the heart rate and the details, as `--count` does, waits for both in vain of no strap.
    private func tellsWhatItIs(_ watched: Watched) {
        #expect(!watched.details.isEmpty, "what can be known of the strap was never told: \(watched.states)")
    }

    /// Whatever a strap does, both sides count the same, every caller is answered once, and nothing is left when it is over.
    @Test(arguments: Scenario.hostile.map(\.name), [1, 2] as [UInt64])
    func leavesNothingBehind(_ name: String, _ seed: UInt64) throws {
        let scenario = try #require(Scenario.named(name))
        var stage = Stage(scenario, seed: seed) { $0.policy.ioCapability = .keyboardDisplay }
        stage.keepsValues = false
        #expect(stage.start() == nil)
        let strap = try #require(scenario.straps.first)
        if strap.changesAddressEvery == nil, strap.advertises == .connectable {
            for _ in 0..<2 {
                if case .subscribed(let id) = stage.subscribe(to: strap.address) {
                    stage.ask(.gatt(id, .exchangeMTU))
                    stage.ask(.gatt(id, .discover))
                }
                stage.pass(.seconds(20))
                for link in stage.engine.links.values { stage.ask(.disconnect(link.id)) }
                stage.pass(.seconds(1))
            }
        }
        // A link may end while data is on its way to it, which is nobody's fault.
        #expect(stage.world.offences.allSatisfy { if case .dataOnUnknownHandle = $0 { true } else { false } })
        #expect(stage.remains() == [])
    }
}
