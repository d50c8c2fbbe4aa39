import HCI
import Simulator
import TestSupport
import Testing
import Wire

@Suite("The world as a whole")
struct WorldTests {
    /// A session of a minute: scan, connect, stream.
    private func session(_ scenario: Scenario, seed: UInt64) -> [[UInt8]] {
        var bench = Bench(scenario, seed: seed)
        bench.start()
        bench.send("01 0B20 07 01 1000 1000 00 00")
        bench.send("01 0C20 02 01 00")
        bench.run(for: .seconds(2))
        bench.send("01 0C20 02 00 00")
        bench.connect()
        bench.ask("12 0F00 0100")
        bench.run(for: .seconds(50))
        return bench.received.map(\.packet)
    }

    @Test("the same seed gives the same octets, another seed others", arguments: Scenario.all)
    func determinism(scenario: Scenario) {
        #expect(session(scenario, seed: 5) == session(scenario, seed: 5))
        if !scenario.controller.isSilent { #expect(session(scenario, seed: 5) != session(scenario, seed: 6)) }
    }

    @Test("when the world begins does not matter")
    func beginning() {
        var early = Bench()
        var late = Bench()
        late.now = Moment(nanoseconds: 987_654_321_987_654)
        for text in ["01 030C 00", "01 0120 08 FFFFFFFF0F000000", "01 010C 08 FFFFFFFFFFFFFF3F"] {
            early.send(text)
            late.send(text)
        }
        early.connect()
        late.connect()
        #expect(early.received.map(\.packet) == late.received.map(\.packet))
    }

    @Test("a day of heartbeats passes in seconds, and the intervals still add up")
    func day() throws {
        var scenario = Scenario.strap
        scenario.straps[0].parameterWish = nil
        var world = SimulatedWorld(scenario)
        var now = Moment.zero
        var output: [[UInt8]] = []
        func send(_ text: String) {
            world.receive(octets(text), at: now, into: &output)
            now = now + .milliseconds(200)
            world.advance(to: now, into: &output)
        }
        send("01 010C 08 FFFFFFFFFFFFFF3F")
        send("01 0D20 19 6000 6000 00 01 0153005E00C0 00 2800 2800 0000 F401 0000 0000")
        send("02 4000 0900 0500 0400 12 0F00 0100")
        let begin = now
        let end = now + .seconds(86_400)
        var count = 0
        var ticks = 0
        while let due = world.nextDeadline, due <= end {
            output.removeAll(keepingCapacity: true)
            world.advance(to: due, into: &output)
            for packet in output where packet.starts(with: octets("02 4020")) && packet[9] == 0x1B && packet[10] == 0x0E
            {
                count += 1
                for index in stride(from: packet[12] & 0x08 == 0 ? 14 : 16, to: packet.count, by: 2) {
                    ticks += Int(packet[index]) | Int(packet[index + 1]) << 8
                }
            }
        }
        #expect((86_390...86_410).contains(count))
        #expect(abs(ticks / 1024 - 86_400) <= 2)
        #expect(world.connections.count == 1)
        #expect((end - begin) == .seconds(86_400))
    }

    @Test("a clock that jumps by a month is a world that stood still")
    func jump() {
        var bench = Bench()
        bench.start()
        bench.connect()
        bench.ask("12 0F00 0100")
        var output: [[UInt8]] = []
        bench.now = bench.now + .seconds(30 * 86_400)
        bench.world.advance(to: bench.now, into: &output)
        #expect(output.count < 4000)
        // Backwards nothing happens.
        output.removeAll()
        bench.world.advance(to: bench.now + .seconds(-86_400), into: &output)
        #expect(output.isEmpty)
    }

    @Test("each scenario has a name of its own, a line for people, and no strap that could be taken for another thing")
    func scenarios() {
        #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
        for scenario in Scenario.all {
            #expect(Scenario.named(scenario.name) == scenario)
            #expect(!scenario.summary.isEmpty && scenario.summary.count < 110)
            #expect(scenario.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
            for strap in scenario.straps {
                #expect(strap.name.hasPrefix("Simulated "))
                #expect(strap.address.address.rawValue != 1)
            }
        }
    }
}
