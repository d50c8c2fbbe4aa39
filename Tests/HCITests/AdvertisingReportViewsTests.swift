import HCI
import TestSupport
import Testing
import Wire

/// The lazy view sees what the general pass sees.
@Suite struct AdvertisingReportViewsTests {
    private struct Seen: Equatable {
        var reports: [LEAdvertisingReport.Report] = []
        var isCutShort = false
    }

    private func viewed(_ packet: [UInt8]) -> Seen? {
        guard var views = AdvertisingReportViews(packet: packet.span) else { return nil }
        var seen = Seen()
        while let view = views.next() {
            seen.reports.append(
                LEAdvertisingReport.Report {
                    $0.kind = view.kind
                    $0.advertiser = DeviceAddress(view.addressKind, view.address)
                    $0.data = [UInt8](view.data)
                    $0.rssi = view.rssi
                })
        }
        seen.isCutShort = views.isCutShort
        return seen
    }

    private func passed(_ packet: [UInt8]) -> Seen? {
        guard case .event(.leMeta, let parameters)? = try? Packet(decoding: packet),
            case .le(.advertisingReport(let event))? = try? Event(.leMeta, parameters: parameters)
        else { return nil }
        return Seen(reports: event.reports, isCutShort: event.malformed != nil)
    }

    @Test func theyAgreeOnWholeEvents() {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<2000 {
            let packet = self.packet(using: &generator)
            #expect(viewed(packet) == passed(packet))
        }
    }

    @Test func theyAgreeOnDamagedEvents() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<5000 {
            var packet = self.packet(using: &generator)
            // The declared length, the count and a report's length are what a damaged event has wrong.
            for _ in 0..<3 {
                let index = Int.random(in: 4..<packet.count, using: &generator)
                packet[index] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                packet = Array(packet.prefix(Int.random(in: 5...packet.count, using: &generator)))
                packet[2] = UInt8(packet.count - 3)
            }
            #expect(viewed(packet) == passed(packet), "\(packet.hexadecimal)")
        }
    }

    @Test func whatStandsBehindTheDeclaredEndIsNotRead() {
        let packet = octets("04 3e 0c 02 01 0400 0500000000 02 00 d4 ffffffffffffffffffffffff")
        #expect(viewed(packet) == passed(packet))
        #expect(viewed(packet)?.reports.first?.rssi.dBm == -44)
    }

    @Test(arguments: [
        "", "04", "043e", "043e02", "043e0202", "043e0102 01", "043e020d01", "040e0401030c00", "013e020201",
    ])
    func otherPacketsAreNone(text: String) {
        #expect(viewed(octets(text)) == nil)
    }

    @Test func anEventOfNothingHasNoReports() {
        #expect(viewed(octets("043e020200")) == Seen())
        #expect(viewed(octets("043e020203")) == Seen(isCutShort: true))
    }

    /// A packet of some reports, as many as fit 255 octets.
    private func packet(using generator: inout SeededGenerator) -> [UInt8] {
        let event = LEAdvertisingReport {
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                var report = LEAdvertisingReport.Report.random(using: &generator)
                report.data = Array(report.data.prefix(Int.random(in: 0...31, using: &generator)))
                $0.reports.append(report)
            }
        }
        return event.packet
    }
}
