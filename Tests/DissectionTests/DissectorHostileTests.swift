import ATT
import Capture
import Dissection
import HCI
import TestSupport
import Testing
import Wire

private func record(_ frame: Int, _ octets: [UInt8], adapter: UInt16? = nil, direction: Record.Direction? = .received)
    -> Record
{
    Record(
        frame: frame, adapter: adapter, direction: direction,
        kind: octets.first.map(Record.Kind.init(packetType:)) ?? .empty,
        octets: octets, includedLength: octets.count, originalLength: octets.count)
}

@Suite struct DissectorHostileTests {
    @Test func randomPacketsNeverTrap() {
        var generator = SeededGenerator(seed: 3)
        var dissector = Dissector()
        for frame in 1...20_000 {
            var octets = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8(truncatingIfNeeded: generator.next())
            }
            if !octets.isEmpty { octets[0] = UInt8.random(in: 1...5, using: &generator) }
            let dissected = dissector.dissect(record(frame, octets))
            #expect(dissected.reports.count <= 20)
        }
    }

    /// Real packets with octets exchanged, so that many checks are passed before something is wrong.
    @Test(arguments: [
        "le_session.btsnoop", "extended_fragments.btsnoop", "l2cap_split_header.btsnoop",
        "btsnoop_2001_monitor.btsnoop",
    ])
    func damagedPacketsNeverTrap(_ name: String) throws {
        var generator = SeededGenerator(seed: 4)
        let records = dissect(try fixture("captures/edge/\(name)")).map(\.record)
        for _ in 0..<50 {
            var dissector = Dissector(heartRateHandles: [0x000C])
            for var record in records {
                if !record.octets.isEmpty, generator.next() % 3 == 0 {
                    let index = Int.random(in: record.octets.indices, using: &generator)
                    record.octets[index] = UInt8(truncatingIfNeeded: generator.next())
                }
                if generator.next() % 8 == 0 {
                    record.octets.removeLast(Int.random(in: 0...record.octets.count, using: &generator))
                }
                let dissected = dissector.dissect(record)
                #expect(dissected.record == record)
            }
        }
    }

    @Test func everyCutOfEveryPacketIsRead() throws {
        for name in EdgeTruth.names {
            for record in dissect(try fixture("captures/edge/\(name)")).map(\.record) {
                for count in 0..<record.octets.count {
                    var dissector = Dissector()
                    var cut = record
                    cut.octets.removeLast(record.octets.count - count)
                    let dissected = dissector.dissect(cut)
                    // Notes are text of any length.
                    if record.kind.packetType == nil { continue }
                    #expect(dissected.malformed != nil || count == 0, "\(name), frame \(record.frame), \(count) octets")
                }
            }
        }
    }

    @Test func linksWithoutNumberAreForgottenAndTold() {
        var dissector = Dissector()
        var told = 0
        for adapter in UInt16(0)..<40 {
            for handle in UInt16(0)..<100 {
                // The start of a PDU of 64 kB, whose rest never comes.
                let start: [UInt8] = [2, UInt8(handle), 0x20, 5, 0, 0xFF, 0xFF, 4, 0, 0x1B]
                let dissected = dissector.dissect(record(1, start, adapter: adapter))
                if dissected.faults.contains(.tooManyLinks) { told += 1 }
            }
        }
        #expect(told == 3)
    }

    @Test func aFailedConnectionDoesNotTouchALiveOneWithItsHandle() {
        var dissector = Dissector()
        let complete = octets("04 3e13 01 00 0000 00 01 01000000dec0 1800 0000 4800 00")
        let failed = octets("04 3e13 01 3e 0000 00 01 02000000dec0 0000 0000 0000 00")
        #expect(dissector.dissect(record(1, complete)).handle == ConnectionHandle(rawValue: 0))
        let dissected = dissector.dissect(record(2, failed))
        #expect(dissected.handle == nil)
        #expect(dissected.status == .failedToBeEstablished)
        let data = dissector.dissect(record(3, octets("02 0020 0700 0300 0400 1b0c00")))
        #expect(data.peer?.address.description == "C0:DE:00:00:00:01")
    }

    @Test func aResetEndsTheLinksOfItsAdapter() {
        var dissector = Dissector()
        let complete = octets("04 3e13 01 00 4000 00 01 01000000dec0 1800 0000 4800 00")
        _ = dissector.dissect(record(1, complete, adapter: 0))
        _ = dissector.dissect(record(2, complete, adapter: 1))
        #expect(dissector.dissect(record(3, octets("04 0e04 01 030c 00"), adapter: 0)).linkChange == .allLost)
        let data = octets("02 4020 0700 0300 0400 1b0c00")
        #expect(dissector.dissect(record(4, data, adapter: 0)).peer == nil)
        #expect(dissector.dissect(record(5, data, adapter: 1)).peer?.address.description == "C0:DE:00:00:00:01")
    }
}
