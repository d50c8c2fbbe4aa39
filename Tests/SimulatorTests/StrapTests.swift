import Simulator
import TestSupport
import Testing
import Wire

@Suite("Straps")
struct StrapTests {
    @Test("a strap is discovered and read with raw PDUs")
    func discovery() {
        var bench = Bench()
        bench.start()
        bench.connect()
        // Find By Type Value: the heart-rate service stands at 12 to 19
        #expect(bench.ask("06 0100 FFFF 0028 0D18") == octets("07 0C00 1300"))
        // Read By Type: its characteristics
        #expect(bench.ask("08 0C00 1300 0328") == octets("09 07 0D00 10 0E00 372A 1000 02 1100 382A 1200 08 1300 392A"))
        // Find Information: the CCCD
        #expect(bench.ask("04 0F00 0F00") == octets("05 01 0F00 0229"))
        // chest; 2A37 cannot be read
        #expect(bench.ask("0A 1100") == octets("0B 01"))
        #expect(bench.ask("0A 0E00") == octets("01 0A 0E00 02"))
        // Control point: 1 resets, 2 is refused with 0x80, a command on an unknown handle is nothing
        #expect(bench.ask("12 1300 01") == octets("13"))
        #expect(bench.ask("12 1300 02") == octets("01 12 1300 80"))
        // An unknown request is refused
        #expect(bench.ask("3E") == octets("01 3E 0000 06"))
    }

    @Test("its texts say that it is simulated")
    func texts() {
        var bench = Bench()
        bench.start()
        bench.connect()
        bench.ask("02 F700")
        #expect(bench.ask("08 0100 FFFF 002A")?.dropFirst(4) == Array("Simulated H7 0001".utf8)[...])
        #expect(bench.ask("08 0100 FFFF 292A")?.dropFirst(4) == Array("hr-raw simulator".utf8)[...])
        #expect(bench.ask("08 0100 FFFF 242A")?.dropFirst(4) == Array("Simulated H7".utf8)[...])
        #expect(bench.ask("08 0100 FFFF 192A")?.dropFirst(4) == [91])
    }

    @Test("notifications come about once a second, and their intervals add up to the time that passed")
    func streaming() throws {
        var bench = Bench()
        bench.start()
        bench.connect()
        #expect(bench.ask("12 0F00 0100") == octets("13"))
        bench.run(for: .seconds(25))
        var ticks = 0
        var times: [Moment] = []
        var energies = 0
        for (moment, packet) in bench.received where packet.starts(with: octets("02 4020")) && packet[9] == 0x1B {
            #expect(Array(packet[10...11]) == octets("0E00"))
            let flags = packet[12]
            #expect(flags == 0x16 || flags == 0x06 || flags == 0x1E || flags == 0x0E)
            #expect((50...110).contains(packet[13]))
            energies += flags & 0x08 == 0 ? 0 : 1
            let first = flags & 0x08 == 0 ? 14 : 16
            for index in stride(from: first, to: packet.count, by: 2) {
                let interval = Int(packet[index]) | Int(packet[index + 1]) << 8
                #expect((400...1400).contains(interval))
                ticks += interval
            }
            times.append(moment)
        }
        #expect((23...26).contains(times.count))
        #expect(energies == 2)
        let first = try #require(times.first)
        let last = try #require(times.last)
        // The beats of the first second count, too.
        let passed = Double((last - first).wholeNanoseconds) / 1e9 + 1
        #expect(abs(Double(ticks) / 1024 - passed) < 1.5)
    }

    @Test("unsubscribed, it is quiet")
    func quiet() {
        var bench = Bench()
        bench.start()
        bench.connect()
        bench.ask("12 0F00 0100")
        bench.run(for: .seconds(3))
        bench.ask("12 0F00 0000")
        bench.run(for: .milliseconds(200))
        #expect(!bench.run(for: .seconds(5)).contains { $0.starts(with: octets("02 4020")) })
    }

    @Test("frames longer than a packet on air come in fragments, and are taken in fragments")
    func fragments() {
        var bench = Bench()
        bench.start()
        bench.connect()
        #expect(bench.ask("02 F700") == octets("03 F700"))
        // Find Information over all: the answer is long, the first fragment has 27 octets
        bench.send("02 4000 0900 0500 0400 04 0100 FFFF")
        #expect(bench.wait(for: "02 4020 1B00") != nil)
        #expect(bench.wait(for: "02 4010 1B00") != nil)
        // One octet, then the rest: the header itself is split
        bench.run(for: .seconds(1))
        bench.send("02 4000 0100 03")
        bench.send("02 4010 0600 00 0400 0A 1100")
        #expect(bench.wait(for: "02 4020") == octets("02 4020 0600 0200 0400 0B01"))
    }

    @Test("after 30 s it asks for another interval, and leaves when that is refused or not heard")
    func parameterRequest() {
        var bench = Bench()
        bench.start()
        bench.connect()
        let connected = bench.now
        let request = octets("02 4020 1000 0C00 0500 12 01 0800 FA00 9001 0000 5802")
        #expect(bench.wait(for: "02 4020", within: .seconds(40)) == request)
        #expect((30_000...30_100).contains((bench.now - connected).wholeNanoseconds / 1_000_000))
        // Accepted and done: it stays.
        bench.send("02 4000 0A00 0600 0500 13 01 0200 0000")
        bench.send("01 1320 0E 4000 FA00 9001 0000 5802 0000 0000")
        #expect(bench.wait(for: "04 3E 0A 03 00 4000 9001") != nil)
        bench.run(for: .seconds(120))
        #expect(bench.world.connections.count == 1)

        var refusing = Bench()
        refusing.start()
        refusing.connect()
        _ = refusing.wait(for: "02 4020", within: .seconds(40))
        refusing.send("02 4000 0A00 0600 0500 13 01 0200 0100")
        #expect(refusing.wait(for: "04 05", within: .seconds(1)) == octets("04 05 04 00 4000 3B"))

        var deaf = Bench()
        deaf.start()
        deaf.connect()
        #expect(deaf.wait(for: "04 05", within: .seconds(100)) == octets("04 05 04 00 4000 3B"))
    }

    @Test("asked through the link layer, the host's answer decides")
    func linkLayerRequest() throws {
        var bench = Bench(try #require(Scenario.named("slow")))
        bench.start()
        bench.connect()
        #expect(bench.wait(for: "04 3E 0B 06") == octets("04 3E 0B 06 4000 4001 9001 0000 5802"))
        #expect(bench.send("01 2020 0E 4000 4001 9001 0000 5802 0000 0000").first == octets("04 0E 06 01 2020 00 4000"))
        #expect(bench.wait(for: "04 3E 0A 03") == octets("04 3E 0A 03 00 4000 9001 0000 5802"))

        var refusing = Bench(try #require(Scenario.named("slow")))
        refusing.start()
        refusing.connect()
        #expect(refusing.send("01 2120 03 4000 3B") == [octets("04 0E 06 01 2120 0C 4000")])
        #expect(refusing.wait(for: "04 3E 0B 06") != nil)
        #expect(refusing.send("01 2120 03 4000 3B").first == octets("04 0E 06 01 2120 00 4000"))
        #expect(refusing.wait(for: "04 05") == octets("04 05 04 00 4000 3B"))
    }

    @Test("it rejects what it does not know on the signalling channel, and pairing")
    func otherChannels() {
        var bench = Bench()
        bench.start()
        bench.connect()
        bench.send("02 4000 0800 0400 0500 08 05 0000")
        #expect(bench.wait(for: "02 4020") == octets("02 4020 0A00 0600 0500 01 05 0200 0000"))
        bench.send("02 4000 0B00 0700 0600 01 03 00 01 10 00 00")
        #expect(bench.wait(for: "02 4020") == octets("02 4020 0600 0200 0600 05 05"))
    }

    @Test("without contact the rate is 0 and there are no intervals; with it they come back")
    func contact() {
        var bench = Bench(.noContact)
        bench.start()
        bench.connect()
        bench.ask("12 0F00 0100")
        bench.run(for: .seconds(29))
        let values = bench.received.map(\.packet).filter { $0.starts(with: octets("02 4020")) && $0[9] == 0x1B }
            .map { Array($0[12...]) }
        let off = values.filter { $0 == octets("04 00") }
        #expect((9...11).contains(off.count))
        #expect(values.filter { $0[0] & 0x06 == 0x06 }.count > 15)
    }

    @Test("wide measurements have 16 bits, energy and nine intervals")
    func wide() {
        var bench = Bench(.wide)
        bench.start()
        bench.connect()
        // So that a measurement goes in one packet
        bench.send("01 2220 06 4000 FB00 4808")
        bench.ask("02 F700")
        bench.ask("12 0F00 0100")
        bench.run(for: .seconds(20))
        let values = bench.received.map(\.packet).filter { $0.starts(with: octets("02 4020")) && $0[9] == 0x1B }
            .map { Array($0[12...]) }
        #expect(values.count > 10)
        #expect(values.allSatisfy { $0[0] == 0x1F && $0[2] == 0x01 })
        #expect(values.filter { $0.count == 1 + 2 + 2 + 18 }.count > values.count / 2)
    }

    @Test("a refused CCCD answers with the error")
    func refusing() throws {
        var bench = Bench(try #require(Scenario.named("refusing")))
        bench.start()
        bench.connect()
        #expect(bench.ask("12 0F00 0100") == octets("01 12 0F00 05"))
    }

    @Test("a dropping strap goes and comes back")
    func dropping() {
        var bench = Bench(.dropping)
        bench.start()
        for _ in 0..<3 {
            #expect(bench.connect() != nil)
            #expect(bench.wait(for: "04 05", within: .seconds(60)) == octets("04 05 04 00 4000 08"))
        }
    }

    @Test("taken off, it leaves after 15 s, and is there again when it is put on")
    func takenOff() throws {
        var bench = Bench(try #require(Scenario.named("taken-off")))
        bench.start()
        let begin = bench.now
        for end in [45, 100] {
            #expect(bench.connect() != nil)
            // The signalling request of after 30 s is granted.
            _ = bench.wait(for: "02 4020", within: .seconds(31))
            bench.send("02 4000 0A00 0600 0500 13 01 0200 0000")
            bench.send("01 1320 0E 4000 9001 9001 0000 5802 0000 0000")
            #expect(bench.wait(for: "04 05", within: .seconds(100)) == octets("04 05 04 00 4000 13"))
            #expect(abs(Double((bench.now - begin).wholeNanoseconds) / 1e9 - Double(end)) < 1)
            bench.run(for: .seconds(11))
        }
    }

    @Test("a frozen sensor repeats itself")
    func frozen() throws {
        var bench = Bench(try #require(Scenario.named("frozen")))
        bench.start()
        bench.connect()
        bench.ask("12 0F00 0100")
        bench.run(for: .seconds(25))
        let values = bench.received.map(\.packet).filter { $0.starts(with: octets("02 4020")) && $0[9] == 0x1B }
            .map { Array($0[12...]) }
        #expect(values.count > 20)
        #expect(Set(values.suffix(10)).count == 1)
        #expect(Set(values.prefix(9)).count > 5)
    }

    @Test("the battery is told when it changes")
    func battery() {
        var bench = Bench()
        bench.start()
        bench.connect()
        let battery = bench.ask("08 0100 FFFF 192A") ?? []
        #expect(battery == octets("09 03 2500 5B"))
        #expect(bench.ask("12 2600 0100") == octets("13"))
        _ = bench.wait(for: "02 4020", within: .seconds(31))
        bench.send("02 4000 0A00 0600 0500 13 01 0200 0000")
        bench.send("01 1320 0E 4000 9001 9001 0000 5802 0000 0000")
        #expect(bench.wait(for: "02 4020", within: .seconds(1300)) == octets("02 4020 0800 0400 0400 1B 2500 5A"))
        #expect(bench.ask("0A 2500") == octets("0B 5A"))
    }

    @Test("a device of the crowd can be connected to, and has no heart rate")
    func stranger() throws {
        var bench = Bench(.crowd)
        bench.start()
        bench.send("01 0B20 07 00 1000 1000 00 00")
        bench.send("01 0C20 02 01 00")
        let packets = bench.run(for: .seconds(1))
        bench.send("01 0C20 02 00 00")
        // Connectable, with a resolvable private address
        let report = try #require(packets.first { $0[3] == 0x02 && $0[5] == 0 && $0[12] & 0xC0 == 0x40 })
        bench.send("01 0D20 19 6000 3000 00" + Array(report[6...12]).hexadecimal + "00 2800 2800 0000 F401 0000 0000")
        #expect(bench.wait(for: "04 3E 1F 0A 00 4000") != nil)
        #expect(bench.ask("06 0100 FFFF 0028 0D18") == octets("01 06 0100 0A"))
    }
}
