import HCI
import Simulator
import TestSupport
import Testing
import Wire

@Suite("Private addresses")
struct PrivacyTests {
    /// The key of the specification's example (Core Vol 3, Part H, Appendix D.7), the least significant octet first, as commands have it.
    static let key = "9B7D390AA610103405ADC857A33402EC"
    /// The address of the example, as on the wire: 70:81:94:0D:FB:AA.
    static let example = "AAFB0D948170"
    static let none = String(repeating: "00", count: 16)
    /// The identity that stands for it here: random static.
    static let identity = "01 0153005E00C0"

    /// Somebody who advertises under the example's address.
    static func scenario(
        _ form: AdvertiserPlan.Form = .connectable, _ adjust: (inout ControllerPlan) -> Void = { _ in }
    )
        -> Scenario
    {
        var plan = ControllerPlan()
        adjust(&plan)
        let address = DeviceAddress(.random, Address(rawValue: 0x70_81_94_0D_FB_AA))
        return Scenario(
            name: "example", summary: "an example", controller: plan, straps: [],
            others: [
                AdvertiserPlan(
                    identity: .fixed(address), form: form, interval: .milliseconds(100), data: [0x02, 0x01, 0x06])
            ])
    }

    static func bench(
        _ form: AdvertiserPlan.Form = .connectable, _ adjust: (inout ControllerPlan) -> Void = { _ in }
    ) -> Bench {
        var bench = Bench(scenario(form, adjust))
        bench.start()
        return bench
    }

    /// The command that adds the identity to the resolving list.
    static func add(_ identity: String = identity, peerKey: String = key, localKey: String = none) -> String {
        "01 2720 27" + identity + peerKey + localKey
    }

    static let enable = "01 2D20 01 01"
    static let legacyScan = ["01 0B20 07 00 1000 1000 00 00", "01 0C20 02 01 00"]

    // MARK: The list

    @Test("the list has room for so many, and no identity or key twice")
    func adding() {
        var bench = Self.bench { $0.resolvingListSize = 2 }
        #expect(bench.send("01 2A20 00") == [octets("04 0E 05 01 2A20 00 02")])
        #expect(bench.send(Self.add()) == [octets("04 0E 04 01 2720 00")])
        #expect(bench.send(Self.add(peerKey: Self.none)) == [octets("04 0E 04 01 2720 12")])
        #expect(bench.send(Self.add("00 0153005E0000")) == [octets("04 0E 04 01 2720 12")])
        #expect(bench.send(Self.add("02 0153005E0000", peerKey: Self.none)) == [octets("04 0E 04 01 2720 12")])
        #expect(bench.send(Self.add("00 0153005E0000", peerKey: Self.none)) == [octets("04 0E 04 01 2720 00")])
        #expect(bench.send(Self.add("00 0253005E0000", peerKey: Self.none)) == [octets("04 0E 04 01 2720 07")])
        #expect(bench.send("01 2820 07 00 0953005E0000") == [octets("04 0E 04 01 2820 02")])
        #expect(bench.send("01 2820 07 00 0153005E0000") == [octets("04 0E 04 01 2820 00")])
        #expect(bench.send("01 2920 00") == [octets("04 0E 04 01 2920 00")])
        #expect(bench.send("01 2820 07" + Self.identity) == [octets("04 0E 04 01 2820 02")])
    }

    @Test("privacy modes and times are checked")
    func values() {
        var bench = Self.bench()
        #expect(bench.send("01 4E20 08" + Self.identity + "01") == [octets("04 0E 04 01 4E20 02")])
        bench.send(Self.add())
        #expect(bench.send("01 4E20 08" + Self.identity + "02") == [octets("04 0E 04 01 4E20 12")])
        #expect(bench.send("01 4E20 08" + Self.identity + "01") == [octets("04 0E 04 01 4E20 00")])
        #expect(bench.send("01 2E20 02 0000") == [octets("04 0E 04 01 2E20 12")])
        #expect(bench.send("01 2E20 02 110E") == [octets("04 0E 04 01 2E20 12")])
        #expect(bench.send("01 2E20 02 100E") == [octets("04 0E 04 01 2E20 00")])
    }

    @Test("while it is in use it stays as it is", arguments: ["scanning", "initiating"])
    func inUse(_ use: String) {
        var bench = Self.bench()
        bench.send(Self.add())
        for isEnabled in [false, true] {
            if isEnabled { #expect(bench.send(Self.enable) == [octets("04 0E 04 01 2D20 00")]) }
            if use == "scanning" {
                for command in Self.legacyScan { bench.send(command) }
            } else {
                bench.send("01 0D20 19 6000 3000 00 00 0953005E0000 00 2800 2800 0000 F401 0000 0000")
            }
            // Nothing is disallowed of a list that nobody looks into, but to begin or end using it.
            let status = isEnabled ? "0C" : "00"
            let commands = [
                ("2720", Self.add("00 0153005E0000", peerKey: Self.none)), ("2820", "01 2820 07 00 0153005E0000"),
                ("4E20", "01 4E20 08" + Self.identity + "01"), ("2D20", "01 2D20 01 01"), ("2920", "01 2920 00"),
            ]
            for (opcode, command) in commands {
                let expected = opcode == "2D20" ? "0C" : status
                #expect(bench.send(command).contains(octets("04 0E 04 01" + opcode + expected)), "\(opcode)")
            }
            #expect(bench.send("01 2E20 02 100E").contains(octets("04 0E 04 01 2E20 00")))
            bench.send(use == "scanning" ? "01 0C20 02 00 00" : "01 0E20 00")
            bench.send(Self.add())
        }
    }

    @Test("a controller without the feature has none of the commands")
    func missing() {
        var bench = Self.bench { $0 = $0.withoutPrivacy }
        #expect(bench.send("01 0320 00").first?.dropFirst(7).first == 0x27)
        for command in [Self.add(), "01 2A20 00", Self.enable, "01 2920 00", "01 4E20 08" + Self.identity + "01"] {
            let opcode = command.dropFirst(3).prefix(4)
            #expect(bench.send(command) == [octets("04 0F 04 01 01" + opcode)])
        }
        // Nor does it hear advertisements directed to somebody whom it could not tell.
        #expect(bench.send("01 0B20 07 00 1000 1000 00 02") == [octets("04 0E 04 01 0B20 11")])
        for command in Self.legacyScan { bench.send(command) }
        let packets = bench.run(for: .seconds(1))
        #expect(!packets.isEmpty && packets.allSatisfy { $0[6...12] == octets("01" + Self.example)[...] })
    }

    // MARK: Hearing

    @Test("a private address is reported as the identity behind it, once the list is in use")
    func reports() {
        var bench = Self.bench()
        bench.send(Self.add())
        #expect(bench.send("01 2B20 07" + Self.identity) == [octets("04 0E 0A 01 2B20 00 000000000000")])
        for isEnabled in [false, true] {
            if isEnabled { bench.send(Self.enable) }
            for command in Self.legacyScan { bench.send(command) }
            let expected = octets(
                "04 3E 0F 02 01 00" + (isEnabled ? "03 0153005E00C0" : "01" + Self.example) + "03 020106")
            let packets = bench.run(for: .seconds(2))
            #expect(packets.count > 10)
            #expect(packets.allSatisfy { $0.dropLast() == expected[...] })
            bench.send("01 0C20 02 00 00")
        }
        #expect(bench.send("01 2B20 07" + Self.identity) == [octets("04 0E 0A 01 2B20 00" + Self.example)])
    }

    @Test("so it is in an extended report, and a public identity has a kind of its own")
    func extendedReports() {
        var bench = Self.bench()
        bench.send(Self.add("00 0753005E0000"))
        bench.send(Self.enable)
        bench.send("01 4120 08 00 00 01 00 1000 1000")
        bench.send("01 4220 06 01 00 0000 0000")
        let packets = bench.run(for: .seconds(2))
        #expect(packets.count > 10)
        #expect(packets.allSatisfy { $0.starts(with: octets("04 3E 1D 0D 01 1300 02 0753005E0000 01 00 FF 7F")) })
    }

    @Test("a key that does not fit changes nothing")
    func otherKey() {
        var bench = Self.bench()
        bench.send(Self.add(peerKey: String(repeating: "5A", count: 16)))
        bench.send(Self.enable)
        for command in Self.legacyScan { bench.send(command) }
        let packets = bench.run(for: .seconds(1))
        #expect(!packets.isEmpty && packets.allSatisfy { $0[6...12] == octets("01" + Self.example)[...] })
    }

    @Test("the filter accept list knows identities")
    func acceptList() {
        var bench = Self.bench()
        bench.send(Self.add())
        bench.send(Self.enable)
        bench.send("01 1120 07 01" + Self.example)
        bench.send("01 0B20 07 00 1000 1000 00 01")
        bench.send("01 0C20 02 01 00")
        // By its address on air it is not on the list: that is no address of it any more.
        #expect(bench.run(for: .seconds(1)).isEmpty)
        bench.send("01 0C20 02 00 00")
        bench.send("01 1120 07" + Self.identity)
        bench.send("01 0C20 02 01 00")
        #expect(!bench.run(for: .seconds(1)).isEmpty)
    }

    @Test("who shows its identity though it has a key is passed over, unless the host says otherwise")
    func privacyMode() {
        var scenario = Self.scenario()
        let identity = DeviceAddress(.random, Address(rawValue: 0xC0_00_5E_00_53_01))
        scenario.others[0].identity = .fixed(identity)
        var bench = Bench(scenario)
        bench.start()
        bench.send(Self.add())
        bench.send(Self.enable)
        for command in Self.legacyScan { bench.send(command) }
        #expect(bench.run(for: .seconds(1)).isEmpty)
        bench.send("01 0C20 02 00 00")
        bench.send("01 4E20 08" + Self.identity + "01")
        bench.send("01 0C20 02 01 00")
        #expect(bench.run(for: .seconds(1)).allSatisfy { $0[6...12] == octets(Self.identity)[...] })
        bench.send("01 0C20 02 00 00")
        // Without a key it has nothing else to show.
        bench.send("01 2920 00")
        bench.send(Self.add(peerKey: Self.none))
        bench.send("01 0C20 02 01 00")
        #expect(!bench.run(for: .seconds(1)).isEmpty)
    }

    // MARK: Connecting

    @Test(
        "an identity is connected to, by either command, by the accept list, and by its kind as reported",
        arguments: [
            "01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000",
            "01 0D20 19 6000 3000 00 03 0153005E00C0 00 2800 2800 0000 F401 0000 0000",
            "01 0D20 19 6000 3000 01 00 000000000000 00 2800 2800 0000 F401 0000 0000",
            "01 4320 1A 00 00 01 0153005E00C0 01 6000 3000 2800 2800 0000 F401 0000 0000",
            "01 4320 1A 01 00 00 000000000000 01 6000 3000 2800 2800 0000 F401 0000 0000",
            "01 0D20 19 6000 3000 00 01 AAFB0D948170 00 2800 2800 0000 F401 0000 0000",
        ])
    func connecting(command: String) {
        var bench = Self.bench()
        bench.send(Self.add())
        bench.send("01 1120 07" + Self.identity)
        bench.send(Self.enable)
        bench.send(command)
        // Central, random identity; no private address of ours, that of the peer; 50 ms, 0, 5 s
        #expect(
            bench.wait(for: "04 3E")
                == octets("04 3E 1F 0A 00 4000 00 03 0153005E00C0 000000000000" + Self.example + "2800 0000 F401 00"))
        #expect(
            bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000").first
                == octets(command.hasPrefix("01 0D20") ? "04 0F 04 0B 01 0D20" : "04 0F 04 0C 01 0D20"))
    }

    @Test("the old event names the identity as a plain address")
    func oldEvent() {
        var bench = Self.bench()
        bench.send("01 0120 08 1F00000000000000")
        bench.send(Self.add())
        bench.send(Self.enable)
        bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000")
        #expect(bench.wait(for: "04 3E") == octets("04 3E 13 01 00 4000 00 01 0153005E00C0 2800 0000 F401 00"))
    }

    // MARK: Own addresses

    @Test("own private addresses are made for those who have our key, and change with the time")
    func localAddress() throws {
        var bench = Self.bench()
        let localKey = "00112233445566778899AABBCCDDEEFF"
        bench.send(Self.add(localKey: localKey))
        bench.send(Self.enable)
        bench.send("01 2E20 02 0A00")
        let first = try #require(bench.send("01 2C20 07" + Self.identity).first)
        #expect(first.starts(with: octets("04 0E 0A 01 2C20 00")) && first.last.map { $0 >> 6 } == 0b01)
        bench.run(for: .seconds(20))
        let second = try #require(bench.send("01 2C20 07" + Self.identity).first)
        #expect(second.last.map { $0 >> 6 } == 0b01 && second != first)
        // With it the connection is made where the host asks for that.
        bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 02 2800 2800 0000 F401 0000 0000")
        let completion = bench.wait(for: "04 3E 1F 0A 00") ?? []
        let now = try #require(bench.send("01 2C20 07" + Self.identity).first)
        #expect(completion.dropFirst(15).prefix(6) == now.dropFirst(7).prefix(6))
        #expect(completion.dropFirst(21).prefix(6) == octets(Self.example)[...])
    }

    @Test("without our key for it there is none", arguments: ["02", "03"])
    func noLocalKey(kind: String) {
        var bench = Self.bench()
        bench.send("01 0520 06 0102030405C0")
        bench.send(Self.add())
        bench.send(Self.enable)
        bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 \(kind) 2800 2800 0000 F401 0000 0000")
        #expect(
            bench.wait(for: "04 3E 1F 0A 00 4000 00 03 0153005E00C0 000000000000")
                != nil)
        #expect(bench.send("01 2C20 07" + Self.identity) == [octets("04 0E 0A 01 2C20 00 000000000000")])
    }
}
