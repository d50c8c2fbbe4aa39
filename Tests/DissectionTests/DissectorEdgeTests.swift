import ATT
import Capture
import Dissection
import HCI
import HeartRate
import L2CAP
import Testing
import Wire

@Suite struct DissectorEdgeTests {
    @Test(arguments: EdgeTruth.names) func everyRecordSaysWhatItWasBuiltFrom(_ name: String) throws {
        let truth = try EdgeTruth(of: name)
        let all = dissect(try fixture("captures/edge/\(name)"))
        try #require(all.count == truth.records.count)
        for (dissected, row) in zip(all, truth.records) {
            let frame: Comment = "\(name), frame \(row.frame)"
            #expect(dissected.eventCode.map { Int($0.rawValue) } == number(row.eventCode), frame)
            #expect(dissected.opcode.map { Int($0.rawValue) } == number(row.opcode), frame)
            #expect(dissected.subevent.map { Int($0.rawValue) } == number(row.leSubevent), frame)
            if let handle = number(row.aclHandle) {
                #expect(dissected.handle.map { Int($0.rawValue) } == handle, frame)
            }
            #expect(dissected.channel.map { Int($0.rawValue) } == number(row.l2capCid), frame)
            compareReports(dissected.reports, row.reports ?? [], frame)
            compareAttribute(dissected, row, frame)
            try compareLink(dissected.linkChange, row, frame)
            try compareHeartRate(dissected, row.hr, frame)
            #expect(dissected.record.isCutShort == (row.cutShort ?? false), frame)
        }
    }

    private func compareReports(_ reports: [AdvertisingReport], _ truth: [EdgeTruth.Report], _ frame: Comment) {
        #expect(reports.count == truth.count, frame)
        for (report, truth) in zip(reports, truth) {
            #expect(Int(report.kind) == number(truth.eventType), frame)
            #expect(report.advertiser.kind.rawValue == truth.addressType, frame)
            #expect(report.advertiser.address.description == truth.address.uppercased(), frame)
            #expect(report.rssi.dBm == truth.rssi, frame)
            #expect(report.txPower.dBm == truth.txPower, frame)
            #expect(report.setID ?? 0xFF == truth.sid ?? 0xFF, frame)
            #expect(report.data.hexadecimal == truth.dataHex, frame)
        }
    }

    private func compareAttribute(_ dissected: Dissected, _ row: EdgeTruth.Row, _ frame: Comment) {
        let attribute = dissected.attribute
        #expect(attribute.map { Int($0.opcode.rawValue) } == number(row.attOpcode), frame)
        #expect(dissected.payload.flatMap { attribute == nil ? nil : $0.hexadecimal } == row.attPduHex, frame)
        if row.attOpcode != "0x01" {
            #expect(attribute?.handle.map { Int($0.rawValue) } == number(row.attHandle), frame)
        }
        if let value = row.attValueHex { #expect(attribute?.value?.hexadecimal == value, frame) }
        // A PDU that came whole has its value; of one that did not, nothing is made up.
        #expect((attribute?.value != nil) == (row.attPduHex != nil), frame)
    }

    private func compareLink(_ change: LinkChange?, _ row: EdgeTruth.Row, _ frame: Comment) throws {
        if let truth = row.connection {
            guard case .connected(let link) = change else {
                Issue.record(frame)
                return
            }
            #expect(Int(link.handle.rawValue) == number(truth.handle), frame)
            #expect((link.role == .central) == (truth.role == "central"), frame)
            #expect(link.peer.address.description == truth.peer.uppercased(), frame)
            #expect(link.peer.kind.rawValue == truth.peerType, frame)
            #expect(link.interval.milliseconds == truth.intervalMs, frame)
            #expect(link.latency == truth.latency, frame)
            #expect(link.supervisionTimeout.milliseconds == truth.timeoutMs, frame)
        } else if let truth = row.disconnection {
            let reason = try #require(number(truth.reason))
            #expect(change == .disconnected(reason: Status(rawValue: UInt8(reason))), frame)
        }
    }

    private func compareHeartRate(_ dissected: Dissected, _ truth: EdgeTruth.HeartRate?, _ frame: Comment) throws {
        guard let truth else {
            #expect(dissected.heartRate == nil, frame)
            return
        }
        let measurement = try #require(dissected.heartRate, frame)
        #expect(measurement.beatsPerMinute == (truth.bpm == 0 ? nil : truth.bpm), frame)
        let contacts: [String: Bool] = ["contact": true, "no contact": false]
        #expect(measurement.contact == truth.contact.flatMap { contacts[$0] }, frame)
        #expect(measurement.energyExpended == truth.energyKj, frame)
        #expect(measurement.intervals.map(\.ticks) == (truth.rr1024 ?? []).filter { $0 > 0 }, frame)
        let isWrong = truth.problem != nil || truth.leftOverHex?.isEmpty == false || truth.rr1024?.contains(0) == true
        #expect((measurement.malformed != nil) == isWrong, frame)
    }

    @Test func lostPDUsAreToldWhereTheyAreLost() throws {
        let all = dissect(try fixture("captures/edge/l2cap_abandoned.btsnoop"))
        let faults = all.enumerated().filter { !$0.element.faults.isEmpty }.map { ($0.offset + 1, $0.element.faults) }
        #expect(faults.map(\.0) == [4, 5, 8, 10])
        #expect(faults[0].1 == [.fragments(.abandoned(received: 27, expected: 65))])
        #expect(faults[1].1 == [.fragments(.strayContinuation(octets: 27))])
        #expect(faults[2].1 == [.fragments(.abandoned(received: 27, expected: 65))])
        #expect(faults[3].1 == [.fragments(.strayContinuation(octets: 38))])
    }

    @Test func recordsCutShortSayHowMuchIsThere() throws {
        let all = dissect(try fixture("captures/edge/cut_short.btsnoop"))
        #expect(all[0].faults == [.cutShort(included: 5, original: 15)])
        #expect(all[1].faults == [.cutShort(included: 51, original: 68), .reportsCut(whole: 1, announced: 2)])
        #expect(all[2].faults == [.cutShort(included: 20, original: 36), .reportsCut(whole: 0, announced: 1)])
        #expect(all[3].faults == [.cutShort(included: 14, original: 16), .frameCut(octets: 5, needed: 7)])
        #expect(all[4].faults == [.cutShort(included: 8, original: 16), .frameCut(octets: 3, needed: nil)])
        #expect(all[5].faults == [.fragments(.strayContinuation(octets: 3))])
        #expect(all[6].faults.isEmpty && all[8].faults.isEmpty)
    }

    @Test func nothingIsClaimedOfAnUnknownAttributeUnlessTheUserSaysSo() throws {
        let file = try fixture("captures/edge/midstream.btsnoop")
        #expect(dissect(file).allSatisfy { $0.heartRate == nil })
        let told = dissect(file, heartRateHandles: [0x0025])
        #expect(told.compactMap { $0.heartRate?.beatsPerMinute } == [70, 71, 72, 73, 74])
    }

    @Test func theConnectionsOfTwoAdaptersAreKeptApart() throws {
        let all = dissect(try fixture("captures/edge/btsnoop_2001_monitor.btsnoop"))
        #expect(all[22].attribute?.value?.hexadecimal == "202122232425262728292a2b2c2d2e2f30313233")
        #expect(all[23].attribute?.value?.hexadecimal == "606162636465666768696a6b6c6d6e6f70717273")
        #expect(all[22].peer?.address.description == "C0:DE:00:00:00:01")
        #expect(all[23].peer?.address.description == "C0:DE:00:00:00:02")
    }
}
