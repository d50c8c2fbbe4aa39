import Simulator
import TestSupport
import Testing
import Wire

@Suite("Connections")
struct LinkTests {
    @Test("a connection attempt ends with the completion that the host asked for")
    func completion() {
        var bench = Bench()
        bench.start()
        #expect(
            bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000").first
                == octets("04 0F 04 00 01 0D20"))
        // Enhanced: handle 0x0040, central, random, no private addresses, 50 ms, 0, 5 s
        #expect(
            bench.wait(for: "04 3E")
                == octets("04 3E 1F 0A 00 4000 00 01 0153005E00C0 000000000000 000000000000 2800 0000 F401 00"))
        #expect(bench.received.last?.packet == octets("04 3E 04 14 4000 00"))

        var plain = Bench()
        plain.start()
        plain.send("01 0120 08 1F00000000000000")
        plain.send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000")
        #expect(plain.wait(for: "04 3E") == octets("04 3E 13 01 00 4000 00 01 0153005E00C0 2800 0000 F401 00"))
    }

    @Test("the extended command connects, too")
    func extended() {
        var bench = Bench()
        bench.start()
        bench.send("01 4320 1A 00 00 01 0153005E00C0 01 6000 3000 2800 2800 0000 F401 0000 0000")
        #expect(bench.wait(for: "04 3E 1F 0A 00 4000 00 01 0153005E00C0") != nil)
    }

    @Test("so does the filter accept list")
    func acceptList() {
        var bench = Bench(.straps)
        bench.start()
        bench.send("01 1120 07 00 0353005E0000")
        bench.send("01 0D20 19 6000 3000 01 00 000000000000 00 2800 2800 0000 F401 0000 0000")
        #expect(bench.wait(for: "04 3E 1F 0A 00 4000 00 00 0353005E0000") != nil)
    }

    @Test("the address type is part of the address")
    func wrongType() {
        var bench = Bench()
        bench.start()
        bench.send("01 0D20 19 6000 3000 00 00 0153005E00C0 00 2800 2800 0000 F401 0000 0000")
        #expect(bench.wait(for: "04 3E", within: .seconds(60)) == nil)
        #expect(bench.world.isInitiating)
    }

    @Test("wrong parameters, a second attempt and a second connection to the same peer are refused")
    func refusals() {
        var bench = Bench()
        bench.start()
        // interval 6.25 ms; timeout as long as twice the interval
        #expect(
            bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 0500 2800 0000 F401 0000 0000")
                == [octets("04 0F 04 12 01 0D20")])
        #expect(
            bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 0A00 0000 0000")
                == [octets("04 0F 04 12 01 0D20")])
        bench.send("01 0D20 19 6000 3000 00 01 0953005E00C0 00 2800 2800 0000 F401 0000 0000")
        #expect(
            bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000")
                == [octets("04 0F 04 0C 01 0D20")])
        bench.send("01 0E20 00")
        bench.connect()
        #expect(
            bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000")
                == [octets("04 0F 04 0B 01 0D20")])
    }

    @Test("a cancelled attempt completes with status 0x02; without an attempt there is nothing to cancel")
    func cancel() {
        var bench = Bench()
        bench.start()
        #expect(bench.send("01 0E20 00") == [octets("04 0E 04 01 0E20 0C")])
        bench.send("01 0D20 19 6000 3000 00 01 0953005E00C0 00 2800 2800 0000 F401 0000 0000")
        #expect(
            bench.send("01 0E20 00") == [
                octets("04 0E 04 01 0E20 00"),
                octets("04 3E 1F 0A 02 0000 00 00 000000000000 000000000000 000000000000 0000 0000 0000 00"),
            ])
    }

    @Test("the host disconnects")
    func disconnect() {
        var bench = Bench()
        bench.start()
        bench.connect()
        #expect(bench.send("01 0604 03 4000 08") == [octets("04 0F 04 12 01 0604")])
        #expect(bench.send("01 0604 03 4000 13") == [octets("04 0F 04 00 01 0604")])
        #expect(bench.wait(for: "04 05") == octets("04 05 04 00 4000 16"))
        #expect(bench.world.connections.isEmpty)
        // The strap can be had again, with the same handle.
        #expect(bench.connect() != nil)
    }

    @Test("a strap that vanishes is lost after the supervision timeout: 0x08")
    func supervision() throws {
        var bench = Bench(try #require(Scenario.named("vanishing-discovery")))
        bench.start()
        bench.connect()
        #expect(bench.ask("02 F700") == octets("03 F700"))
        let before = bench.now
        #expect(bench.ask("06 0100 FFFF 0028 0D18") == nil)
        let loss = try #require(bench.received.first { $0.packet == octets("04 05 04 00 4000 08") })
        #expect((5000...5100).contains((loss.moment - before).wholeNanoseconds / 1_000_000))
    }

    @Test("a strap that is never heard is given up after six intervals: 0x3E")
    func notEstablished() throws {
        var bench = Bench(try #require(Scenario.named("vanishing")))
        bench.start()
        bench.connect()
        let before = bench.now
        #expect(bench.wait(for: "04 05") == octets("04 05 04 00 4000 3E"))
        #expect((bench.now - before).wholeNanoseconds == 300_000_000)
    }

    @Test("link-layer procedures end with their events")
    func procedures() {
        var bench = Bench()
        bench.start()
        bench.connect()
        #expect(bench.send("01 1620 02 4000") == [octets("04 0F 04 00 01 1620")])
        #expect(bench.wait(for: "04 3E 0C 04") == octets("04 3E 0C 04 00 4000 2100000000000000"))
        bench.send("01 1D04 02 4000")
        #expect(bench.wait(for: "04 0C") == octets("04 0C 08 00 4000 08 FFFF 0000"))
        #expect(bench.send("01 2220 06 4000 FB00 4808").first == octets("04 0E 06 01 2220 00 4000"))
        #expect(bench.wait(for: "04 3E 0B 07") == octets("04 3E 0B 07 4000 FB00 4808 FB00 4808"))
        bench.send("01 3220 07 4000 00 02 02 0000")
        #expect(bench.wait(for: "04 3E 06 0C") == octets("04 3E 06 0C 00 4000 02 02"))
        #expect(bench.send("01 3020 02 4000") == [octets("04 0E 08 01 3020 00 4000 02 02")])
        bench.send("01 1320 0E 4000 9001 9001 0000 5802 0000 0000")
        #expect(bench.wait(for: "04 3E 0A 03") == octets("04 3E 0A 03 00 4000 9001 0000 5802"))
        bench.send("01 1920 1C 4000 0000000000000000 0000" + String(repeating: "00", count: 16))
        #expect(bench.wait(for: "04 08") == octets("04 08 04 06 4000 00"))
        #expect(bench.send("01 0514 02 4000").first?.starts(with: octets("04 0E 07 01 0514 00 4000")) == true)
    }

    @Test("data holds a buffer until a connection event, and more than there is room for is told")
    func flowControl() throws {
        var scenario = try #require(Scenario.named("legacy"))
        scenario.straps[0].misconduct = .on(.anyRequest)
        var bench = Bench(scenario)
        bench.send("01 030C 00")
        bench.send("01 010C 08 FFFFFFFFFFFFFF3F")
        bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000")
        #expect(bench.wait(for: "04 3E 13 01 00 4000") != nil)
        bench.run(for: .milliseconds(30))
        var output: [[UInt8]] = []
        for _ in 0..<5 { bench.world.receive(octets("02 4000 0700 0300 0400 0A0100"), at: bench.now, into: &output) }
        #expect(output == [octets("04 1A 01 01")])
        #expect(bench.world.buffersInUse == 4)
        #expect(bench.run(for: .milliseconds(60)) == [octets("04 13 05 01 4000 0400")])
        #expect(bench.world.buffersInUse == 0)
        // Too long for the buffers of 27 octets
        bench.send("02 4000 1C00 1800 0400" + String(repeating: "00", count: 24))
        #expect(bench.received.last?.packet == octets("04 1A 01 01"))
    }

    @Test("a mask of its old bit keeps completed packets from the host of an old controller")
    func maskedCompletions() throws {
        var bench = Bench(try #require(Scenario.named("legacy")))
        bench.send("01 030C 00")
        bench.send("01 010C 08 FFFFFBFFFFFFFF3F")
        bench.send("01 0D20 19 6000 3000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000")
        #expect(bench.wait(for: "04 3E 13 01 00 4000") != nil)
        #expect(bench.ask("0A 0300") != nil)
        #expect(!bench.received.contains { $0.packet.starts(with: [0x04, 0x13]) })
    }

    @Test("data on a connection that does not exist is dropped")
    func unknownHandle() {
        var bench = Bench()
        bench.start()
        bench.send("02 4000 0700 0300 0400 0A0100")
        #expect(bench.run(for: .seconds(1)).isEmpty)
        #expect(bench.world.offences.count == 1)
    }

    @Test("a reset ends all and tells nothing; the strap notices and is there again")
    func reset() {
        var bench = Bench()
        bench.start()
        bench.connect()
        #expect(bench.send("01 030C 00") == [octets("04 0E 04 01 030C 00")])
        #expect(bench.world.connections.isEmpty)
        bench.start()
        #expect(bench.connect() != nil)
    }
}
