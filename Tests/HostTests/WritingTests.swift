import ATT
import GATT
import HCI
import TestSupport
import Testing
import Wire

@testable import Host

/// Writes of every kind between an asker and a controller with four buffers of 27 octets.
@Suite struct WritingTests {
    // MARK: Without response

    private func write(_ bench: inout HostBench, _ id: ConnectionID, _ value: [UInt8]) -> Ticket {
        bench.ask(.gatt(id, .writeWithoutResponse(0x0003, value)))
    }

    /// An answer says that the value is with the controller, and nothing before that does.
    @Test func aWriteIsAnsweredWhenItIsHandedOver() {
        var (bench, id) = HostBench.connected()
        let writes = (0..<6).map { write(&bench, id, [UInt8($0)]) }
        #expect(writes.map { bench.answers[$0] } == Array(repeating: .success(.done), count: 4) + [nil, nil])
        bench.packetCompleted()
        #expect(bench.answers[writes[4]] == .success(.done))
        #expect(bench.answers[writes[5]] == nil)
        bench.packetCompleted()
        #expect(bench.answers[writes[5]] == .success(.done))
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
    }

    /// A frame of four fragments is handed over with its last one.
    @Test func aWriteInFragmentsIsAnsweredWithTheLast() {
        var (bench, id) = HostBench.connected()
        let agreed = bench.ask(.gatt(id, .exchangeMTU))
        bench.att("03 F700")
        #expect(bench.answers[agreed] == .success(.mtu(247)))
        bench.packetCompleted()
        _ = (0..<3).map { write(&bench, id, [UInt8($0)]) }
        // 7 octets of headers and 101 of the value: 27 a packet.
        let long = write(&bench, id, [UInt8](repeating: 9, count: 101))
        for _ in 0..<3 {
            #expect(bench.answers[long] == nil)
            bench.packetCompleted()
        }
        #expect(bench.answers[long] == .success(.done))
    }

    @Test func aWriteThatWasNotHandedOverFailsWithTheLink() {
        var (bench, id) = HostBench.connected()
        let writes = (0..<6).map { write(&bench, id, [UInt8($0)]) }
        bench.event("05", "00 4000 08")
        #expect(bench.answers[writes[3]] == .success(.done))
        #expect(bench.failure(writes[4]) == .disconnected(.connectionTimeout))
        #expect(bench.failure(writes[5]) == .disconnected(.connectionTimeout))
        #expect(bench.engine.unsentFrames.isEmpty)
    }

    @Test func aControllerThatGivesNoBuffersBackIsNotWaitedForWithoutEnd() {
        var (bench, id) = HostBench.connected()
        let writes = (0..<6).map { write(&bench, id, [UInt8($0)]) }
        bench.pass(.milliseconds(29_999))
        #expect(bench.answers[writes[4]] == nil)
        bench.pass(.milliseconds(1))
        #expect(bench.failure(writes[4]) == .peer(.notSent(.queueFull)))
        #expect(bench.failure(writes[5]) == .peer(.notSent(.queueFull)))
        #expect(bench.engine.unsentFrames.isEmpty)
        bench.event("13", "01 4000 0400")
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
    }

    @Test func aWriteThatIsTakenBackIsAnswered() {
        var (bench, id) = HostBench.connected()
        let writes = (0..<6).map { write(&bench, id, [UInt8($0)]) }
        bench.cancel(writes[4])
        #expect(bench.failure(writes[4]) == .cancelled)
        bench.event("13", "01 4000 0400")
        #expect(bench.answers[writes[5]] == .success(.done))
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
    }

    /// A value that fits into no PDU is not dropped in silence.
    @Test func aValueTooLongForACommandIsRefused() {
        var (bench, id) = HostBench.connected()
        let ticket = write(&bench, id, [UInt8](repeating: 1, count: 21))
        #expect(bench.failure(ticket) == .peer(.notSent(.tooLong(octets: 24, mtu: 23))))
        #expect(bench.sent() == [])
    }

    // MARK: With response

    @Test func aValueThatFitsGoesInOneRequest() {
        var (bench, id) = HostBench.connected()
        bench.ask(.gatt(id, .write(0x0003, [UInt8](repeating: 1, count: 20))))
        #expect(bench.attSent().map { $0[0] } == [0x12])
    }

    @Test func aLongerOneGoesInParts() {
        var (bench, id) = HostBench.connected()
        let ticket = bench.ask(.gatt(id, .write(0x0003, [UInt8](repeating: 1, count: 21))))
        #expect(bench.attSent() == [octets("16 0300 0000") + [UInt8](repeating: 1, count: 18)])
        bench.att("17 0300 0000" + [UInt8](repeating: 1, count: 18).hexadecimal)
        #expect(bench.attSent() == [octets("16 0300 1200 010101")])
        bench.att("17 0300 1200 010101")
        #expect(bench.attSent() == [octets("18 01")])
        bench.att("19")
        #expect(bench.answers[ticket] == .success(.done))
    }

    /// The parts that are queued with the peer would be written with the next value.
    @Test func aLongWriteThatIsTakenBackLeavesNothingQueued() {
        var (bench, id) = HostBench.connected()
        let ticket = bench.ask(.gatt(id, .write(0x0003, [UInt8](repeating: 1, count: 40))))
        bench.att("17 0300 0000" + [UInt8](repeating: 1, count: 18).hexadecimal)
        _ = bench.attSent()
        bench.cancel(ticket)
        #expect(bench.failure(ticket) == .cancelled)
        bench.att("17 0300 1200" + [UInt8](repeating: 1, count: 18).hexadecimal)
        #expect(bench.attSent() == [octets("18 00")])
        bench.att("19")
        #expect(bench.answerCounts[ticket] == 1)
        #expect(bench.engine.links.values.allSatisfy { $0.requestCount == 0 })
    }

    /// The peer has one queue for all: what another writes meanwhile would be written with ours, or forgotten with it.
    @Test func oneAfterTheOtherHasThePeersQueue() {
        var (bench, id) = HostBench.connected()
        let part = [UInt8](repeating: 1, count: 18).hexadecimal
        let first = bench.ask(.gatt(id, .write(0x0003, [UInt8](repeating: 1, count: 21))))
        let second = bench.ask(.gatt(id, .writeReliably([.init([2], to: 0x0005)])))
        let third = bench.ask(.gatt(id, .writeReliably([.init([3], to: 0x0005)])))
        bench.ask(.gatt(id, .read(0x0007)))
        bench.att("17 0300 0000" + part)
        // What queues nothing does not wait.
        bench.att("0B 00")
        bench.att("17 0300 1200 010101")
        #expect(
            bench.attSent().map { $0.prefix(2) } == [
                octets("16 03")[...], octets("0A 07")[...], octets("16 03")[...], octets("18 01")[...],
            ])
        for _ in 0..<4 { bench.packetCompleted() }
        bench.cancel(second)
        #expect(bench.failure(second) == .cancelled)
        bench.att("19")
        #expect(bench.answers[first] == .success(.done))
        #expect(bench.attSent() == [octets("16 0500 0000 03")])
        bench.event("05", "00 4000 08")
        #expect(bench.failure(third) == .disconnected(.connectionTimeout))
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
    }

    @Test func whoWaitsForThePeersQueueIsToldOfTheEnd() {
        var (bench, id) = HostBench.connected()
        let writes = (0..<70).map { bench.ask(.gatt(id, .writeReliably([.init([UInt8($0)], to: 0x0005)]))) }
        #expect(bench.failure(writes[64]) == nil)
        #expect(bench.failure(writes[65]) == .peer(.notSent(.queueFull)))
        bench.event("05", "00 4000 08")
        #expect(bench.failure(writes[64]) == .disconnected(.connectionTimeout))
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
        #expect(bench.answerCounts.count == 72)
    }

    // MARK: Several at once

    @Test func valuesOfKnownLengthsTakeOneRequest() {
        var (bench, id) = HostBench.connected()
        let ticket = bench.ask(.gatt(id, .readTogether([0x0003, 0x0005], lengths: [2, 1])))
        #expect(bench.attSent() == [octets("0E 0300 0500")])
        bench.att("0F 0102 030405")
        #expect(bench.answers[ticket] == .success(.values([.success([1, 2]), .success([3, 4, 5])])))
    }

    // MARK: Fit for the work

    @Test func aStreamNeedsNothingOfTheController() {
        var (bench, id) = HostBench.connected()
        let ticket = bench.ask(.tune(id, .heartRate))
        #expect(bench.answers[ticket] == .success(.done))
        #expect(bench.sent() == [])
    }

    /// Data Packet Length Extension is bit 5 of the features, the 2M PHY bit 8.
    @Test(arguments: [
        ("2001000000000000", 2), ("2000000000000000", 1), ("0001000000000000", 1), ("0000000000000000", 0),
    ])
    func bulkAsksForWhatTheControllerHas(_ features: String, _ count: Int) {
        var controller = ScriptedController()
        controller.lowEnergyFeatures = features
        var (bench, id) = HostBench.connected(controller)
        bench.ask(.tune(id, .bulk))
        var commands = bench.sent()
        // One command at a time.
        if commands.first == octets("01 2220 06 4000 FB00 4808") {
            bench.complete("2220", "00 4000")
            commands += bench.sent()
        }
        #expect(commands.count == count)
        if features.hasPrefix("20") { #expect(commands.first == octets("01 2220 06 4000 FB00 4808")) }
        if features.contains("01") { #expect(commands.last == octets("01 3220 07 4000 00 02 02 0000")) }
    }

    @Test func whatComesOfItIsTold() {
        var (bench, id) = HostBench.connected()
        bench.event("3E", "07 4000 FB00 4808 1B00 4801")
        bench.event("3E", "0C 00 4000 02 02")
        guard case .connectionChanged(let connection)? = bench.others.last else {
            Issue.record("\(String(describing: bench.others.last))")
            return
        }
        #expect(connection.dataLength == 251)
        #expect(connection.phy == .le2M)
        // Unsupported Remote Feature.
        bench.event("3E", "0C 1A 4000 01 01")
        #expect(bench.notes.last == .phyRefused(id, .unsupportedRemoteFeature))
    }
}
