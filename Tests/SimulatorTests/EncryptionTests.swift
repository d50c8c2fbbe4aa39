import Simulator
import TestSupport
import Testing
import Wire

@Suite("Encryption of the link layer")
struct EncryptionTests {
    /// LE Enable Encryption on handle 0x0040, Rand and EDIV as given, a key of one octet repeated.
    private func enable(key: String = "11", random: String = "0000000000000000", diversifier: String = "0000") -> String
    {
        "01 1920 1C 4000" + random + diversifier + String(repeating: key, count: 16)
    }

    @Test("a strap without a key refuses, and the link stays as it was")
    func keyMissing() {
        var bench = Bench()
        bench.start()
        bench.connect()
        #expect(bench.send(enable()) == [octets("04 0F 04 00 01 1920")])
        #expect(bench.wait(for: "04 08") == octets("04 08 04 06 4000 00"))
        #expect(bench.ask("0A 1100") == octets("0B 01"))
        // And again.
        #expect(bench.send(enable()) == [octets("04 0F 04 00 01 1920")])
        #expect(bench.wait(for: "04 08") == octets("04 08 04 06 4000 00"))
    }

    @Test("one attempt at a time; none on a connection that does not exist")
    func disallowed() {
        var bench = Bench()
        bench.start()
        #expect(bench.send(enable()) == [octets("04 0F 04 02 01 1920")])
        bench.connect()
        #expect(bench.send(enable()) == [octets("04 0F 04 00 01 1920")])
        #expect(bench.send(enable()) == [octets("04 0F 04 0C 01 1920")])
        // Nobody has asked for a key.
        #expect(
            bench.send("01 1A20 12 4000" + String(repeating: "00", count: 16)) == [octets("04 0E 06 01 1A20 0C 4000")])
        #expect(bench.send("01 1B20 02 4000") == [octets("04 0E 06 01 1B20 0C 4000")])
    }

    @Test("data waits while encryption is begun, and goes on afterwards")
    func dataWaits() {
        var bench = Bench()
        bench.start()
        bench.connect()
        bench.send(enable())
        bench.send("02 4000 0700 0300 0400 0A1100")
        let change = bench.wait(for: "04 08") ?? []
        #expect(change == octets("04 08 04 06 4000 00"))
        #expect(!bench.received.contains { $0.packet.starts(with: octets("02 4020")) })
        #expect(bench.world.buffersInUse == 1)
        #expect(bench.wait(for: "02 4020") == octets("02 4020 0600 0200 0400 0B01"))
        #expect(bench.world.buffersInUse == 0)
    }

    @Test("a link may end in the middle of it: no other event comes")
    func disconnection() {
        var bench = Bench()
        bench.start()
        bench.connect()
        bench.send(enable())
        bench.send("01 0604 03 4000 13")
        #expect(bench.wait(for: "04 05") == octets("04 05 04 00 4000 16"))
        bench.run(for: .seconds(60))
        #expect(!bench.received.contains { $0.packet.starts(with: octets("04 08")) })
        #expect(bench.connect() != nil)
    }

    @Test("who has masked the event is not told")
    func masked() {
        var bench = Bench()
        bench.start()
        bench.send("01 010C 08 7FFFFFFFFFFFFF3F")
        bench.connect()
        bench.send(enable())
        bench.run(for: .seconds(5))
        #expect(!bench.received.contains { $0.packet.starts(with: octets("04 08")) })
        #expect(bench.ask("0A 1100") == octets("0B 01"))
    }
}
