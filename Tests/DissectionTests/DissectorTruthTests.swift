import ATT
import Capture
import Dissection
import HCI
import HeartRate
import Testing
import Wire

/// What each record of a capture says; damage at the end is passed over.
func dissect(_ file: [UInt8], heartRateHandles: Set<Handle> = []) -> [Dissected] {
    var reader = CaptureReader()
    var dissector = Dissector(heartRateHandles: heartRateHandles)
    var dissected: [Dissected] = []
    reader.feed(file)
    reader.finish()
    while let record = try? reader.next() { dissected.append(dissector.dissect(record)) }
    return dissected
}

@Suite struct DissectorTruthTests {
    @Test(arguments: TruthRow.captures) func everyRecordSaysWhatTsharkReads(_ capture: String) throws {
        let rows = try TruthRow.table(of: capture)
        let all = dissect(try fixture("captures/" + capture))
        try #require(all.count == rows.count)
        for (dissected, row) in zip(all, rows) { try compare(dissected, row) }
    }

    private func compare(_ dissected: Dissected, _ row: TruthRow) throws {
        let frame: Comment = "frame \(dissected.record.frame)"
        #expect(dissected.eventCode.map { Int($0.rawValue) } == row[hexadecimal: "event_code"], frame)
        #expect(dissected.opcode.map { Int($0.rawValue) } == row[hexadecimal: "opcode"], frame)
        #expect(dissected.subevent.map { Int($0.rawValue) } == row[hexadecimal: "le_subevent"], frame)
        let reports = row.pairs("adv")
        #expect(dissected.reports.count == reports.count, frame)
        for (report, truth) in zip(dissected.reports, reports) {
            #expect(Int(report.kind) == number(truth["et"]), frame)
            #expect(Int(report.advertiser.kind.rawValue) == number(truth["at"]), frame)
            #expect(report.advertiser.address.description == truth["addr"]?.uppercased(), frame)
            #expect(Int(Int8(bitPattern: report.rssi.rawValue)) == truth["rssi"].flatMap { Int($0) }, frame)
            #expect(report.data.hexadecimal == truth["data"], frame)
        }
        // The table tells nothing of the packets that are a chip's log.
        guard !dissected.isVendorLog else {
            #expect(row[text: "att_opcode"] == nil, frame)
            return
        }
        if let handle = row[hexadecimal: "acl_handle"] {
            #expect(dissected.handle.map { Int($0.rawValue) } == handle, frame)
        }
        #expect(dissected.attribute.map { Int($0.opcode.rawValue) } == row[hexadecimal: "att_opcode"], frame)
        if let handle = row[hexadecimal: "att_handle"], row[hexadecimal: "att_opcode"] != 0x01 {
            #expect(dissected.attribute?.handle.map { Int($0.rawValue) } == handle, frame)
        }
        if let value = row[text: "att_value_hex"] { #expect(dissected.attribute?.value?.hexadecimal == value, frame) }
        try compareHeartRate(dissected.heartRate, row.pairs("hr").first, frame)
    }

    private func compareHeartRate(_ measurement: HeartRateMeasurement?, _ truth: [String: String]?, _ frame: Comment)
        throws
    {
        guard let truth else {
            #expect(measurement == nil, frame)
            return
        }
        let measurement = try #require(measurement, frame)
        let rate = truth["bpm"].flatMap { UInt16($0) }
        #expect(measurement.beatsPerMinute == (rate == 0 ? nil : rate), frame)
        #expect(measurement.contact == (truth["contact_supported"] == "1" ? truth["contact"] == "1" : nil), frame)
        #expect(measurement.energyExpended == truth["energy"].flatMap { UInt16($0) }, frame)
        #expect(measurement.intervals.map { String($0.ticks) }.joined(separator: ",") == truth["rr"], frame)
    }

    @Test func theCapturesHoldWhatTheyAreKnownFor() throws {
        let pen = dissect(try fixture("captures/wangdalian__btsnooper.btsnoop"))
        #expect(pen.reduce(0) { $0 + $1.reports.count } == 465)
        #expect(Set(pen.flatMap(\.reports).map(\.advertiser)).count == 287)
        #expect(pen.filter(\.isVendorLog).count == 92)
        // A bare address where advertising data should be: the report stays valid, the data is told to be wrong.
        #expect(pen.filter { $0.malformed != nil }.count == 122)
        #expect(pen.allSatisfy { $0.malformed == nil || $0.reports.count == 1 })
        let treadmill = dissect(try fixture("captures/csacca__horizon-74-at-ble.btsnoop"))
        #expect(treadmill.reduce(0) { $0 + $1.reports.count } == 412)
        #expect(treadmill.filter { $0.attribute?.opcode == .handleValueNotification }.count == 1047)
        #expect(treadmill.allSatisfy { $0.malformed == nil })
    }
}
