import Simulator
import TestSupport
import Testing
import Wire

@Suite("Answers to commands")
struct CommandTests {
    @Test(
        "each command gets the answer that the specification gives it",
        arguments: [
            // Reset
            ("01 030C 00", "04 0E 04 01 030C 00"),
            // Read Local Version Information: 5.3, no company
            ("01 0110 00", "04 0E 0C 01 0110 00 0C 0100 0C FFFF 0100"),
            // Read Local Supported Features: LE, no BR/EDR
            ("01 0310 00", "04 0E 0C 01 0310 00 0000000060000000"),
            // Read Buffer Size
            ("01 0510 00", "04 0E 0B 01 0510 00 0000 00 0000 0000"),
            // Read BD_ADDR
            ("01 0910 00", "04 0E 0A 01 0910 00 0053005E0000"),
            // LE Read Buffer Size: 8 of 251 octets
            ("01 0220 00", "04 0E 07 01 0220 00 FB00 08"),
            ("01 6020 00", "04 0E 0A 01 6020 00 FB00 08 0000 00"),
            // LE Read Local Supported Features: encryption, parameter request, extended reject, data length, privacy, extended
            // filter policies, 2M, extended advertising, channel selection #2
            ("01 0320 00", "04 0E 0C 01 0320 00 E751000000000000"),
            // LE Read Filter Accept List Size, LE Read Resolving List Size
            ("01 0F20 00", "04 0E 05 01 0F20 00 10"),
            ("01 2A20 00", "04 0E 05 01 2A20 00 08"),
            // LE Read Maximum Data Length
            ("01 2F20 00", "04 0E 0C 01 2F20 00 FB00 4808 FB00 4808"),
            // LE Read Maximum Advertising Data Length, LE Read Number of Supported Advertising Sets, LE Clear Advertising Sets
            ("01 3A20 00", "04 0E 06 01 3A20 00 1F00"), ("01 3B20 00", "04 0E 05 01 3B20 00 01"),
            ("01 3D20 00", "04 0E 04 01 3D20 00"),
            // LE Set Data Length on no connection: with the handle
            ("01 2220 06 4000 FB00 4808", "04 0E 06 01 2220 02 4000"),
            // Disconnect of no connection: Command Status
            ("01 0604 03 4000 13", "04 0F 04 02 01 0604"),
            // LE Encrypt: the example of FIPS 197, Appendix B, the least significant octets first
            (
                "01 1720 20 3C4FCF098815F7ABA6D2AE2816157E2B 340737E0A29831318D305A88A8F64332",
                "04 0E 14 01 1720 00 320B6A19978511DCFB09DC021D842539"
            ),
            // LE Read Local P-256 Public Key: unknown
            ("01 2520 00", "04 0F 04 01 01 2520"),
            // the answers to a key request that never came, on no connection
            ("01 1A20 12 4000" + String(repeating: "00", count: 16), "04 0E 06 01 1A20 02 4000"),
            ("01 1B20 02 4000", "04 0E 06 01 1B20 02 4000"),
            // a vendor's command: unknown
            ("01 01FC 01 00", "04 0F 04 01 01 01FC"),
            // too short, too long
            ("01 0520 05 0102030405", "04 0E 04 01 0520 12"),
            ("01 0520 07 01020304050607", "04 0E 04 01 0520 12"),
        ])
    func answers(command: String, answer: String) {
        var bench = Bench()
        #expect(bench.send(command) == [octets(answer)])
    }

    @Test("Supported Commands has the bits of the commands that are executed")
    func supportedCommands() throws {
        var bench = Bench()
        let answer = try #require(bench.send("01 0210 00").first)
        #expect(answer.count == 3 + 4 + 64)
        let bits = Array(answer[7...])
        // Disconnect 0.5; Set Event Mask 5.6, Reset 5.7; LE Set Event Mask 25.0; LE Encrypt 27.6; P-256 34.1 is not there.
        #expect(bits[0] == 0x20)
        #expect(bits[5] == 0xC0)
        #expect(bits[25] & 0x01 == 0x01)
        #expect(bits[26] & 0x0C == 0x0C)  // scan parameters, scan enable
        #expect(bits[27] & 0x40 == 0x40)
        #expect(bits[34] & 0x02 == 0)
        #expect(bits[34] & 0xF8 == 0xF8)  // the resolving list
        #expect(bits[37] & 0xE0 == 0xE0)  // extended scan parameters, enable, create connection
    }

    @Test(
        "scan commands are checked",
        arguments: [
            // interval 2.5 ms and window longer than it; interval too short; scan kind 2; filter policy 4
            ("01 0B20 07 01 0400 0500 00 00", "12"), ("01 0B20 07 01 0300 0300 00 00", "12"),
            ("01 0B20 07 02 1000 1000 00 00", "12"), ("01 0B20 07 01 1000 1000 00 04", "12"),
            ("01 0B20 07 01 1000 1000 00 00", "00"),
        ])
    func scanParameters(command: String, status: String) {
        var bench = Bench()
        #expect(bench.send(command) == [octets("04 0E 04 01 0B20" + status)])
    }

    @Test("the legacy and the extended family are not mixed, until a reset")
    func families() {
        var bench = Bench()
        #expect(bench.send("01 0B20 07 01 1000 1000 00 00") == [octets("04 0E 04 01 0B20 00")])
        #expect(bench.send("01 4120 08 00 00 01 01 1000 1000") == [octets("04 0E 04 01 4120 0C")])
        #expect(
            bench.send("01 4320 1A 00 00 01 0153005E00C0 01 6000 3000 2800 2800 0000 F401 0000 0000")
                == [octets("04 0F 04 0C 01 4320")])
        bench.send("01 030C 00")
        #expect(bench.send("01 4120 08 00 00 01 01 1000 1000") == [octets("04 0E 04 01 4120 00")])
        #expect(bench.send("01 0C20 02 01 00") == [octets("04 0E 04 01 0C20 0C")])
    }

    @Test("while scanning, parameters and the random address stay as they are")
    func scanningForbids() {
        var bench = Bench()
        bench.send("01 0B20 07 00 1000 1000 00 00")
        bench.send("01 0C20 02 01 00")
        #expect(bench.send("01 0B20 07 00 1000 1000 00 00").contains(octets("04 0E 04 01 0B20 0C")))
        #expect(bench.send("01 0520 06 0102030405C0").contains(octets("04 0E 04 01 0520 0C")))
        bench.send("01 0C20 02 00 00")
        #expect(bench.send("01 0520 06 0102030405C0") == [octets("04 0E 04 01 0520 00")])
    }

    @Test("scanning with a random address needs one")
    func randomAddressMissing() {
        var bench = Bench()
        bench.send("01 0B20 07 01 1000 1000 01 00")
        #expect(bench.send("01 0C20 02 01 00") == [octets("04 0E 04 01 0C20 12")])
        bench.send("01 0520 06 0102030405C0")
        #expect(bench.send("01 0C20 02 01 00").first == octets("04 0E 04 01 0C20 00"))
    }

    @Test("a filter accept list in use is not changed; a full one takes no more")
    func filterAcceptList() {
        var scenario = Scenario.strap
        scenario.controller.filterAcceptListSize = 1
        var bench = Bench(scenario)
        #expect(bench.send("01 1120 07 01 0153005E00C0") == [octets("04 0E 04 01 1120 00")])
        #expect(bench.send("01 1120 07 01 0253005E00C0") == [octets("04 0E 04 01 1120 07")])
        #expect(bench.send("01 1120 07 02 0253005E00C0") == [octets("04 0E 04 01 1120 12")])
        bench.send("01 0B20 07 01 1000 1000 00 01")
        bench.send("01 0C20 02 01 00")
        #expect(bench.send("01 1020 00").contains(octets("04 0E 04 01 1020 0C")))
    }

    @Test("a command without a credit is lost")
    func credits() {
        var bench = Bench()
        var output: [[UInt8]] = []
        bench.world.receive(octets("01 0110 00"), at: bench.now, into: &output)
        bench.world.receive(octets("01 0910 00"), at: bench.now, into: &output)
        #expect(output.isEmpty)
        #expect(bench.run(for: .seconds(1)).map { $0[4...5] } == [[0x01, 0x10]])
        #expect(bench.world.offences.count == 1)
    }

    @Test("a controller that takes two commands at a time says so, and takes them")
    func twoCredits() {
        var scenario = Scenario.strap
        scenario.controller.commandCredits = 2
        var bench = Bench(scenario)
        var output: [[UInt8]] = []
        bench.world.receive(octets("01 0F20 00"), at: bench.now, into: &output)
        bench.world.receive(octets("01 2A20 00"), at: bench.now, into: &output)
        #expect(bench.run(for: .seconds(1)) == [octets("04 0E 05 01 0F20 00 10"), octets("04 0E 05 02 2A20 00 08")])
        #expect(bench.world.offences.isEmpty)
    }

    @Test("a silent controller answers nothing")
    func silent() throws {
        var bench = Bench(try #require(Scenario.named("silent")))
        #expect(bench.send("01 030C 00").isEmpty)
        #expect(bench.run(for: .seconds(60)).isEmpty)
    }

    @Test("a boasting controller claims what it refuses, a stalling one what it never answers")
    func claims() throws {
        var boasting = Bench(try #require(Scenario.named("boasting")))
        let commands = try #require(boasting.send("01 0210 00").first)
        #expect(commands[7 + 33] & 0x80 != 0)  // LE Read Suggested Default Data Length
        #expect(boasting.send("01 2320 00") == [octets("04 0F 04 01 01 2320")])
        var stalling = Bench(try #require(Scenario.named("stalling")))
        #expect(stalling.send("01 2320 00").isEmpty)
        #expect(stalling.send("01 0910 00").count == 1)
    }

    @Test("the classic buffers serve LE where it has none of its own")
    func classicBuffers() throws {
        var bench = Bench(try #require(Scenario.named("classic-buffers")))
        #expect(bench.send("01 0220 00") == [octets("04 0E 07 01 0220 00 0000 00")])
        #expect(bench.send("01 0510 00") == [octets("04 0E 0B 01 0510 00 3601 00 0600 0000")])
    }

    @Test("no octets crash it")
    func garbage() {
        var generator = SeededGenerator(seed: 7)
        var bench = Bench(.straps)
        for _ in 0..<3000 {
            let length = Int(generator.next() % 40)
            var packet = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            // Most as commands that exist, with parameters that do not.
            if generator.next() & 3 != 0, length >= 4 {
                packet[0] = 0x01
                packet[1] = UInt8(generator.next() % 0x48)
                packet[2] = 0x20
                packet[3] = UInt8(length - 4)
            }
            bench.send(packet.hexadecimal)
        }
        #expect(bench.world.offences.count == 64)
        bench.send("01 030C 00")
        #expect(bench.received.last?.packet == octets("04 0E 04 01 030C 00"))
    }
}
