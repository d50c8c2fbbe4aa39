import Capture
import Dissection
import L2CAP
import TestSupport
import Testing
import Wire

@Suite struct DescriptionTests {
    private func described(_ dissected: Dissected) -> [DescribedField] {
        dissected.described(NameMemory())
    }

    /// The text of the field that the names lead to.
    private func text(_ fields: [DescribedField], _ path: String...) -> String? {
        var fields = fields
        var found: DescribedField?
        for name in path {
            found = fields.first { $0.name == name }
            fields = found?.children ?? []
        }
        return found?.text
    }

    @Test func layersAreShownOneInTheOther() throws {
        let all = dissect(try fixture("captures/edge/le_session.btsnoop"))
        let report = described(all[8])
        #expect(text(report, "Report 0", "Address") == "C0:DE:00:00:00:01 (static)")
        #expect(text(report, "Report 0", "Data", "Complete Local Name") == "Edge Strap")
        #expect(text(report, "Report 0", "Data", "Flags") == "0x06")
        #expect(text(described(all[14]), "Connection_Interval")?.hasPrefix("30.0 ms") == true)
        let services = described(all[21])
        #expect(text(services, "L2CAP", "ATT", "0x000A–0x0011") == "180D Heart Rate")
        let beat = described(all[73])
        #expect(text(beat, "L2CAP", "ATT") == "Handle Value Notification (0x1B)")
        #expect(text(beat, "L2CAP", "ATT", "Attribute") == "0x000C 2A37 Heart Rate Measurement")
        #expect(text(beat, "L2CAP", "ATT", "Heart Rate Measurement", "Heart Rate") == "62 bpm")
        let subscription = described(all[56])
        #expect(text(subscription, "L2CAP", "ATT", "Of characteristic") == "2A37 Heart Rate Measurement")
    }

    @Test func signallingAndPairingAreTakenApart() throws {
        let lamp = dissect(try fixture("captures/corbanvilla__BLETools.btsnoop"))
        let request = try #require(lamp.first { $0.channel == .signaling })
        #expect(request.name == "Connection Parameter Update Request")
        #expect(text(described(request), "L2CAP", "Connection Parameter Update Request", "Max_Latency") == "0")
        var file = Btsnoop.fileHeader()
        let pairing = octets("02 4000 0b00 0700 0600 01 03 00 0d 10 02 02")
        Btsnoop.append(pairing, .sent, at: Timestamp(microseconds: 0), to: &file)
        let pair = try #require(dissect(file).first)
        #expect(pair.name == "Pairing Request")
        #expect(text(described(pair), "L2CAP", "Pairing Request", "Maximum Encryption Key Size") == "16")
    }

    @Test(arguments: TruthRow.captures) func everyPacketIsDescribed(_ capture: String) throws {
        for dissected in dissect(try fixture("captures/" + capture)) where dissected.record.octets.count > 4 {
            #expect(!described(dissected).isEmpty, "frame \(dissected.record.frame)")
        }
    }

    @Test func cutPacketsKeepTheirOctets() throws {
        let cut = dissect(try fixture("captures/edge/cut_short.btsnoop"))
        #expect(text(described(cut[0]), "Octets") == "0e0c0101")
    }
}
