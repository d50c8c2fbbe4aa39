import Simulator
import TestSupport
import Testing
import Wire

@Suite("Scanning")
struct ScanTests {
    @Test("an active legacy scan hears the strap and its scan response")
    func activeLegacy() throws {
        var bench = Bench()
        bench.start()
        bench.send("01 0B20 07 01 1000 1000 00 00")
        bench.send("01 0C20 02 01 00")
        let packets = bench.run(for: .seconds(20))
        // ADV_IND, random, flags and 180D and 180F
        let advertisement = octets("00 01 0153005E00C0 09 020106 05030D180F18")
        // SCAN_RSP with the name "Simulated H7 0001" and 0 dBm
        let response = octets("04 01 0153005E00C0 16 1209") + Array("Simulated H7 0001".utf8) + octets("020A00")
        let single = packets.filter { $0.starts(with: octets("04 3E 15 02 01") + advertisement) }
        let responses = packets.filter { $0.starts(with: octets("04 3E 22 02 01") + response) }
        let joined = packets.filter {
            $0.starts(with: octets("04 3E") + [UInt8(2 + 19 + 32)] + octets("02 02") + advertisement)
        }
        #expect(single.count > 50)
        #expect(single.count == responses.count)
        #expect(joined.count > 10)
        #expect(single.count + responses.count + joined.count == packets.count)
        let both = try #require(joined.first)
        // RSSI of the first report, then the second report, then its RSSI
        #expect(Int8(bitPattern: both[5 + 18]) < -40)
        #expect(Array(both[24..<(24 + response.count)]) == response)
        #expect(both.count == 3 + 2 + 19 + 32)
    }

    @Test("a passive scan gets no scan responses")
    func passive() {
        var bench = Bench()
        bench.start()
        bench.send("01 0B20 07 00 1000 1000 00 00")
        bench.send("01 0C20 02 01 00")
        let packets = bench.run(for: .seconds(5))
        #expect(packets.count > 40)
        #expect(packets.allSatisfy { $0.starts(with: octets("04 3E 15 02 01 00")) })
    }

    @Test("nothing is heard with LE events masked, nor after scanning ended")
    func maskedAndStopped() {
        var bench = Bench()
        bench.send("01 0B20 07 00 1000 1000 00 00")
        bench.send("01 0C20 02 01 00")
        #expect(bench.run(for: .seconds(5)).isEmpty)
        bench.start()
        bench.send("01 0B20 07 00 1000 1000 00 00")
        bench.send("01 0C20 02 01 00")
        #expect(!bench.run(for: .seconds(5)).isEmpty)
        bench.send("01 0C20 02 00 00")
        #expect(bench.run(for: .seconds(5)).isEmpty)
        #expect(bench.world.nextDeadline == nil)
    }

    @Test("half a window hears about half")
    func dutyCycle() {
        func count(window: String) -> Int {
            var bench = Bench()
            bench.start()
            bench.send("01 0B20 07 00 6000" + window + "00 00")
            bench.send("01 0C20 02 01 00")
            return bench.run(for: .seconds(60)).count
        }
        let whole = count(window: "6000")
        let half = count(window: "3000")
        #expect((whole * 4 / 10...whole * 6 / 10).contains(half))
    }

    @Test("the duplicate filter reports each once")
    func duplicates() {
        var bench = Bench(.straps)
        bench.start()
        bench.send("01 0B20 07 01 1000 1000 00 00")
        bench.send("01 0C20 02 01 01")
        // Four straps, an advertisement and a scan response of each.
        let reports = bench.run(for: .seconds(20)).reduce(0) { $0 + Int($1[4]) }
        #expect(reports == 8)
    }

    @Test("an extended scan reports legacy PDUs in the extended form")
    func extended() throws {
        var bench = Bench()
        bench.start()
        bench.send("01 4120 08 00 00 01 01 1000 1000")
        bench.send("01 4220 06 01 00 0000 0000")
        let packets = bench.run(for: .seconds(5))
        let advertisement = packets.first { $0.starts(with: octets("04 3E 23 0D 01 1300 01 0153005E00C0 01 00 FF 7F")) }
        let whole = try #require(advertisement)
        // RSSI, no periodic advertising, no target, nine octets of data
        #expect(Array(whole[19...]) == octets("0000 00 000000000000 09 020106 05030D180F18"))
        #expect(packets.contains { $0.starts(with: octets("04 3E 30 0D 01 1B00 01 0153005E00C0")) })
    }

    @Test("a scan with a duration ends by itself and says so")
    func duration() {
        var bench = Bench()
        bench.start()
        bench.send("01 4120 08 00 00 01 00 1000 1000")
        bench.send("01 4220 06 01 00 6400 0000")
        let packets = bench.run(for: .seconds(3))
        #expect(packets.last == octets("04 3E 01 11"))
        #expect(!bench.world.isScanning)
    }

    @Test("long data comes in pieces that make up the whole")
    func pieces() throws {
        var bench = Bench(.crowd)
        bench.start()
        bench.send("01 4120 08 00 00 01 00 1000 1000")
        bench.send("01 4220 06 01 00 0000 0000")
        bench.run(for: .seconds(2))
        // Event types 0x0020 (more to come) and 0x0000 (complete), each alone in its event, by address.
        var parts: [[UInt8]: [[UInt8]]] = [:]
        for packet in bench.received.map(\.packet) where packet.starts(with: octets("04 3E")) && packet[3] == 0x0D {
            guard packet[5] & 0x10 == 0 else { continue }
            parts[Array(packet[7...13]), default: []].append(packet)
        }
        #expect(parts.count == 30)
        let pieces = try #require(parts.values.first { $0.count >= 2 })
        #expect(pieces[0][5] == 0x20 && pieces[0][28] == 229)
        #expect(pieces[1][5] == 0x00)
    }

    @Test("a crowd has many addresses, and phones change theirs")
    func crowd() {
        func addresses(after wait: Duration) -> Set<[UInt8]> {
            var bench = Bench(.crowd)
            bench.start()
            bench.run(for: wait)
            bench.send("01 0B20 07 00 1000 1000 00 00")
            bench.send("01 0C20 02 01 00")
            return Set(bench.run(for: .seconds(10)).filter { $0[4] == 1 }.map { Array($0[6...12]) })
        }
        let early = addresses(after: .zero)
        let late = addresses(after: .seconds(1000))
        #expect(early.count > 200)
        #expect(late.subtracting(early).count > 80)
        #expect(early.intersection(late).count > 60)
    }

    @Test("a strap switched on late is heard late")
    func sleepy() throws {
        var bench = Bench(try #require(Scenario.named("sleepy")))
        bench.start()
        bench.send("01 0B20 07 00 1000 1000 00 00")
        bench.send("01 0C20 02 01 00")
        #expect(bench.run(for: .seconds(7)).isEmpty)
        #expect(!bench.run(for: .seconds(2)).isEmpty)
    }

    @Test("a million reports take little time and no memory")
    func flood() {
        var world = SimulatedWorld(.flood)
        var now = Moment.zero
        var output: [[UInt8]] = []
        for command in [
            "01 0120 08 1F00000000000000", "01 010C 08 FFFFFFFFFFFFFF3F", "01 0B20 07 00 1000 1000 00 00",
            "01 0C20 02 01 01",
        ] {
            world.receive(octets(command), at: now, into: &output)
            now = now + .milliseconds(1)
            world.advance(to: now, into: &output)
        }
        var reports = 0
        while reports < 100_000, let due = world.nextDeadline {
            output.removeAll(keepingCapacity: true)
            world.advance(to: due, into: &output)
            reports += output.count
        }
        #expect(reports == 100_000)
    }
}
