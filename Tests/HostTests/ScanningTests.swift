import GAP
import HCI
import TestSupport
import Testing
import Wire

@testable import Host

@Suite struct ScanningTests {
    /// 60 ms interval, 30 ms window, as the Heart Rate Profile recommends at first.
    @Test func scansTheLegacyWay() {
        var bench = HostBench.ready()
        let scan = bench.ask(.scan(isActive: true))
        #expect(bench.sent() == [octets("01 0B20 07 01 6000 3000 00 00")])
        bench.complete("0B20")
        #expect(bench.sent() == [octets("01 0C20 02 01 00")])
        #expect(bench.answers[scan] == nil)
        bench.complete("0C20")
        #expect(bench.answers[scan] == .success(.done))
    }

    @Test func scansTheExtendedWay() {
        var bench = HostBench.ready(.extended)
        let scan = bench.ask(.scan(isActive: false))
        #expect(bench.sent() == [octets("01 4120 08 00 00 01 00 6000 3000")])
        bench.complete("4120")
        #expect(bench.sent() == [octets("01 4220 06 01 00 0000 0000")])
        bench.complete("4220")
        #expect(bench.answers[scan] == .success(.done))
        bench.ask(.stopScanning)
        #expect(bench.sent() == [octets("01 4220 06 00 00 0000 0000")])
    }

    @Test func anExtendedCommandThatWasOnlyClaimedGivesWayToTheLegacyFamily() {
        var bench = HostBench.ready(.extended)
        let scan = bench.ask(.scan(isActive: true))
        _ = bench.sent()
        bench.complete("4120", "01")
        #expect(bench.sent() == [octets("01 0B20 07 01 6000 3000 00 00")])
        bench.complete("0B20")
        #expect(bench.sent() == [octets("01 0C20 02 01 00")])
        bench.complete("0C20")
        #expect(bench.answers[scan] == .success(.done))
        // And so for good.
        bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(5)))
        bench.complete("0C20")
        #expect(bench.sent().last?.prefix(3) == octets("01 0D20")[...])
    }

    @Test func theFamiliesAreNeverMixed() {
        var bench = HostBench.ready(.extended)
        bench.ask(.scan(isActive: true))
        bench.complete("4120")
        bench.complete("4220")
        let connect = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(5)))
        bench.complete("4220")
        #expect(bench.sent().last?.prefix(3) == octets("01 4320")[...])
        // An extended command was accepted before: a legacy one would be refused as disallowed.
        bench.status("4320", "01")
        let opcode = Opcode(rawValue: 0x2043)
        #expect(bench.failure(connect) == .command(.refused(opcode, .unknownCommand)))
        #expect(bench.sent().allSatisfy { $0[2] != 0x20 || $0[1] >= 0x41 })
    }

    @Test func aRefusedScanReachesTheAsker() {
        var bench = HostBench.ready()
        let scan = bench.ask(.scan(isActive: true))
        bench.complete("0B20", "0C")
        let refusal = HostError.command(.refused(Opcode(rawValue: 0x200B), .commandDisallowed))
        #expect(bench.failure(scan) == refusal)
        #expect(bench.others.contains(.scanEnded(refusal)))
    }

    @Test func askingTwiceIsAnsweredTwice() {
        var bench = HostBench.scanning
        let again = bench.ask(.scan(isActive: true))
        #expect(bench.answers[again] == .success(.done))
        #expect(bench.sent() == [])
    }

    @Test func aScanTakenBackIsAnswered() {
        var bench = HostBench.ready()
        let connect = bench.connect()
        let scan = bench.ask(.scan(isActive: true))
        bench.cancel(scan)
        #expect(bench.failure(scan) == .cancelled)
        #expect(bench.answers[connect] == nil)
    }

    /// 1.28 s interval, 11.25 ms window after half a minute.
    @Test func scansWithLessPowerAfterHalfAMinute() {
        var bench = HostBench.scanning
        bench.pass(.seconds(30))
        #expect(bench.sent() == [octets("01 0C20 02 00 00")])
        bench.complete("0C20")
        #expect(bench.sent() == [octets("01 0B20 07 01 E001 3000 00 00")])
    }

    // MARK: Sharing the radio

    @Test func anAttemptWithoutEndLeavesTimeToScan() {
        var bench = HostBench.ready()
        bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(3600)))
        bench.status("0D20")
        bench.ask(.scan(isActive: true))
        _ = bench.sent()
        bench.pass(Radio.turn)
        #expect(bench.sent() == [octets("01 0E20 00")])
        bench.complete("0E20")
        bench.event("3E", "01 02 0000 00 00 000000000000 0000 0000 0000 00")
        #expect(bench.sent().last?.prefix(3) == octets("01 0B20")[...])
        bench.complete("0B20")
        bench.complete("0C20")
        _ = bench.sent()
        // And the scan leaves time to connect.
        bench.pass(Radio.turn)
        #expect(bench.sent() == [octets("01 0C20 02 00 00")])
        bench.complete("0C20")
        #expect(bench.sent().last?.prefix(3) == octets("01 0D20")[...])
    }

    // MARK: Reports

    @Test func tellsEveryReportOfAnEvent() {
        var bench = HostBench.scanning
        bench.event("3E", "02 02 00 01 01F4F3F2F1F0 03 020106 CE 04 01 02F4F3F2F1F0 00 7F")
        let seen = bench.sightings.map(\.advertisement)
        #expect(seen.map(\.advertiser.address.rawValue) == [0xF0F1_F2F3_F401, 0xF0F1_F2F3_F402])
        #expect(seen.map(\.rssi) == [-50, nil])
        #expect(seen.map(\.data) == [[0x02, 0x01, 0x06], []])
    }

    @Test func takesExtendedReportsAlthoughItScansTheLegacyWay() {
        var bench = HostBench.scanning
        bench.event("3E", "0D 01 1300 01 01F4F3F2F1F0 01 00 FF 7F CE 0000 00 000000000000 03 020106")
        #expect(bench.sightings.map(\.advertisement.data) == [[0x02, 0x01, 0x06]])
    }

    @Test func joinsThePiecesOfExtendedReports() {
        var bench = HostBench.scanning
        // Data status in bits 5 and 6: more to come, then complete.
        bench.event("3E", "0D 01 2000 01 01F4F3F2F1F0 01 01 05 7F CE 0000 00 000000000000 02 0201")
        #expect(bench.sightings == [])
        bench.event("3E", "0D 01 0000 01 01F4F3F2F1F0 01 01 05 7F CE 0000 00 000000000000 01 06")
        #expect(bench.sightings.map(\.advertisement.data) == [[0x02, 0x01, 0x06]])
    }

    @Test func aReportThatOverrunsIsNotedAndThoseBeforeItAreKept() {
        var bench = HostBench.scanning
        bench.event("3E", "02 02 00 01 01F4F3F2F1F0 03 020106 CE 00 01 02F4F3F2F1F0 64 020106")
        #expect(bench.sightings.count == 1)
        #expect(bench.notes.count == 1)
        #expect(bench.ends == [])
    }
}

extension HostBench {
    /// A host that scans.
    static var scanning: HostBench {
        var bench = ready()
        bench.ask(.scan(isActive: true))
        bench.complete("0B20")
        bench.complete("0C20")
        _ = bench.sent()
        return bench
    }
}
