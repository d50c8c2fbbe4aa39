import HCI
import Simulator
import TestSupport
import Testing
import Wire

@Suite("Directed advertisements")
struct DirectedTests {
    private static let own = DeviceAddress(.public, Address(rawValue: 0x00_00_5E_00_53_00))
    private static let somebodyElse = DeviceAddress(.public, Address(rawValue: 0x00_00_5E_00_53_77))
    /// A private address of the key in the specification's example.
    private static let hidden = DeviceAddress(.random, Address(rawValue: 0x70_81_94_0D_FB_AA))
    private static let add = "01 2720 27" + PrivacyTests.identity + PrivacyTests.none + PrivacyTests.key

    private func bench(to target: DeviceAddress) -> Bench {
        let advertiser = DeviceAddress(.random, Address(rawValue: 0xC0_00_5E_00_53_01))
        var bench = Bench(
            Scenario(
                name: "directed", summary: "directed", straps: [],
                others: [
                    AdvertiserPlan(
                        identity: .fixed(advertiser), form: .directed(to: target), interval: .milliseconds(100),
                        data: [])
                ]))
        bench.start()
        return bench
    }

    private func scan(_ bench: inout Bench, policy: String = "00", isExtended: Bool = false) -> [[UInt8]] {
        if isExtended {
            bench.send("01 4120 08 00 \(policy) 01 01 1000 1000")
            bench.send("01 4220 06 01 00 0000 0000")
        } else {
            bench.send("01 0B20 07 01 1000 1000 00 \(policy)")
            bench.send("01 0C20 02 01 00")
        }
        return bench.run(for: .seconds(1))
    }

    @Test("one for us is reported without data, and connected to")
    func forUs() {
        var bench = bench(to: Self.own)
        let packets = scan(&bench)
        #expect(packets.count > 5)
        #expect(packets.allSatisfy { $0.dropLast() == octets("04 3E 0C 02 01 01 01 0153005E00C0 00")[...] })
        bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000")
        #expect(bench.wait(for: "04 3E 1F 0A 00 4000 00 01 0153005E00C0") != nil)
    }

    @Test("in the extended form it names us")
    func extended() throws {
        var bench = bench(to: Self.own)
        let packets = scan(&bench, isExtended: true)
        let report = try #require(packets.first)
        #expect(report.starts(with: octets("04 3E 1A 0D 01 1500 01 0153005E00C0 01 00 FF 7F")))
        #expect(Array(report[19...]) == octets("0000 00 0053005E0000 00"))
    }

    @Test("one for somebody else is neither reported nor connected to", arguments: ["00", "02"])
    func forSomebodyElse(policy: String) {
        var bench = bench(to: Self.somebodyElse)
        #expect(scan(&bench, policy: policy).isEmpty)
        bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000")
        #expect(bench.wait(for: "04 3E", within: .seconds(5)) == nil)
    }

    @Test("one to a private address that nobody knows is reported to who asks for such")
    func unresolved() throws {
        var basic = bench(to: Self.hidden)
        #expect(scan(&basic).isEmpty)
        var legacy = bench(to: Self.hidden)
        let packets = scan(&legacy, policy: "02")
        #expect(packets.count > 5)
        let expected = octets("04 3E 12 0B 01 01 01 0153005E00C0 01" + PrivacyTests.example)
        #expect(packets.allSatisfy { $0.dropLast() == expected[...] })
        var extended = bench(to: Self.hidden)
        let report = try #require(scan(&extended, policy: "02", isExtended: true).first)
        #expect(Array(report[19...]) == octets("0000 FE" + PrivacyTests.example + "00"))
        // Whoever cannot be sure that it is meant does not answer.
        extended.send("01 4220 06 00 00 0000 0000")
        extended.send("01 4320 1A 00 00 01 0153005E00C0 01 6000 3000 2800 2800 0000 F401 0000 0000")
        #expect(extended.wait(for: "04 3E 1F", within: .seconds(5)) == nil)
    }

    @Test("one to a private address of ours is known by our key, reported as ours and connected to")
    func resolved() throws {
        var bench = bench(to: Self.hidden)
        bench.send(Self.add)
        bench.send("01 2D20 01 01")
        let report = try #require(scan(&bench, isExtended: true).first)
        #expect(Array(report[19...]) == octets("0000 02 0053005E0000 00"))
        bench.send("01 4220 06 00 00 0000 0000")
        bench.send("01 4320 1A 00 02 01 0153005E00C0 01 6000 3000 2800 2800 0000 F401 0000 0000")
        let completion = bench.wait(for: "04 3E 1F 0A 00 4000 00 01 0153005E00C0") ?? []
        #expect(completion.dropFirst(20).first.map { $0 >> 6 } == 0b01)
    }

    @Test("one to the random address that the host has set is for us while it is used")
    func toRandomAddress() {
        var bench = bench(to: Self.hidden)
        bench.send("01 0520 06" + PrivacyTests.example)
        #expect(scan(&bench).isEmpty)
        bench.send("01 0C20 02 00 00")
        bench.send("01 0B20 07 00 1000 1000 01 00")
        bench.send("01 0C20 02 01 00")
        #expect(!bench.run(for: .seconds(1)).isEmpty)
    }
}
