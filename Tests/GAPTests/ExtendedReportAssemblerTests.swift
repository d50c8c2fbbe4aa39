import GAP
import HCI
import TestSupport
import Testing
import Wire

@Suite struct ExtendedReportAssemblerTests {
    private let first = DeviceAddress(.random, Address("C0:DE:00:00:00:01") ?? .zero)
    private let second = DeviceAddress(.random, Address("C0:DE:00:00:00:02") ?? .zero)

    @Test func aWholeReportGoesThrough() {
        var assembler = ExtendedReportAssembler()
        let output = assembler.receive(report(first, 0x0001, set: 3, "02010603030d18", rssi: -52), at: .zero)
        #expect(
            output == [
                Advertisement(
                    advertiser: first, kind: AdvertisementKind(ExtendedAdvertisingKind(rawValue: 1)), rssi: -52,
                    data: octets("02010603030d18"))
            ])
    }

    /// Two advertisers in turn, a second set of the first between them, a truncated end, and a new beginning after it.
    @Test func advertisersTakeTurns() {
        var assembler = ExtendedReportAssembler()
        func feed(_ report: LEExtendedAdvertisingReport.Report) -> [[UInt8]] {
            let output = assembler.receive(report, at: .zero)
            #expect(output.allSatisfy { $0.isTruncated == (report.kind.dataStatus == .truncated) })
            return output.map(\.data)
        }
        #expect(feed(report(first, 0x0021, set: 2, "0201")).isEmpty)
        #expect(feed(report(second, 0x0021, set: 5, "99ff")).isEmpty)
        #expect(feed(report(first, 0x0021, set: 2, "060f09")).isEmpty)
        #expect(feed(report(first, 0x0001, set: 3, "02010603030d18")) == [octets("02010603030d18")])
        #expect(feed(report(second, 0x0041, set: 5, "fefd")) == [octets("99fffefd")])
        #expect(feed(report(first, 0x0001, set: 2, "020a08")) == [octets("0201060f09020a08")])
        #expect(feed(report(second, 0x0001, set: 5, "020104")) == [octets("020104")])
        #expect(assembler.reset().isEmpty)
    }

    @Test func theLastPieceTellsTheSignal() {
        var assembler = ExtendedReportAssembler()
        _ = assembler.receive(report(first, 0x0021, set: 2, "02", rssi: -50), at: .zero)
        #expect(assembler.receive(report(first, 0x0001, set: 2, "0106", rssi: -53), at: .zero).first?.rssi == -53)
    }

    /// The same 48 bits under another kind of address are another device.
    @Test func theKindOfAddressCounts() {
        var assembler = ExtendedReportAssembler()
        _ = assembler.receive(report(first, 0x0021, set: 2, "02"), at: .zero)
        let other = DeviceAddress(.public, first.address)
        #expect(assembler.receive(report(other, 0x0001, set: 2, "0106"), at: .zero).map(\.data) == [octets("0106")])
    }

    /// A controller that stops after the first piece must not spoil the next advertisement.
    @Test func aChainThatNeverEnds() {
        var assembler = ExtendedReportAssembler()
        _ = assembler.receive(report(first, 0x0021, set: 2, "0201"), at: .zero)
        let output = assembler.receive(report(first, 0x0001, set: 2, "020104"), at: .zero + .seconds(6))
        #expect(output.map(\.data) == [octets("0201"), octets("020104")])
        #expect(output.map(\.isTruncated) == [true, false])
    }

    @Test func anotherKindOfPDUBeginsAnew() {
        var assembler = ExtendedReportAssembler()
        _ = assembler.receive(report(first, 0x0021, set: 2, "0201"), at: .zero)
        let output = assembler.receive(report(first, 0x0008, set: 2, "020104"), at: .zero)
        #expect(output.map(\.data) == [octets("0201"), octets("020104")])
    }

    @Test func longerThanAdvertisingCanBe() {
        var assembler = ExtendedReportAssembler()
        let piece = String(repeating: "ab", count: 229)
        var output: [Advertisement] = []
        for _ in 0..<20 { output += assembler.receive(report(first, 0x0021, set: 2, piece), at: .zero) }
        output += assembler.receive(report(first, 0x0001, set: 2, piece), at: .zero)
        #expect(output.count == 1)
        #expect(output.first?.isTruncated == true)
        #expect(output.first?.data.count == 8 * 229)
        // What comes next is a new one.
        #expect(assembler.receive(report(first, 0x0001, set: 2, "020104"), at: .zero).map(\.data) == [octets("020104")])
    }

    /// With more senders than room, the one that waited longest comes out as it is.
    @Test func crowds() {
        var assembler = ExtendedReportAssembler(capacity: 4)
        var output: [Advertisement] = []
        for number in 0..<1000 {
            let sender = DeviceAddress(.random, Address(rawValue: UInt64(number)))
            output += assembler.receive(report(sender, 0x0021, set: 0, "0201"), at: .zero)
        }
        #expect(output.map(\.advertiser.address.rawValue) == (0..<996).map { UInt64($0) })
        #expect(output.allSatisfy { $0.isTruncated && $0.data == [2, 1] })
        #expect(Set(assembler.reset().map(\.advertiser.address.rawValue)) == [996, 997, 998, 999])
    }

    /// Whatever comes, every octet comes out once, except behind the bound.
    @Test func randomReports() {
        var generator = SeededGenerator(seed: 11)
        var assembler = ExtendedReportAssembler(capacity: 3)
        var (taken, given) = (0, 0)
        for step in 0..<20_000 {
            var report = LEExtendedAdvertisingReport.Report.random(using: &generator)
            report.advertiser = [first, second].randomElement(using: &generator) ?? first
            report.setID = UInt8.random(in: 0...2, using: &generator)
            report.kind = ExtendedAdvertisingKind(rawValue: UInt16.random(in: 0...3, using: &generator) << 5 | 1)
            taken += report.data.count
            let output = assembler.receive(report, at: Moment(nanoseconds: Int64(step) * 1_000_000))
            #expect(output.count <= 2)
            given += output.reduce(0) { $0 + $1.data.count }
        }
        given += assembler.reset().reduce(0) { $0 + $1.data.count }
        #expect(given == taken)
    }

    private func report(
        _ advertiser: DeviceAddress, _ kind: UInt16, set: UInt8, _ data: String, rssi: Int8 = -60
    ) -> LEExtendedAdvertisingReport.Report {
        var report = LEExtendedAdvertisingReport.Report()
        report.advertiser = advertiser
        report.kind = ExtendedAdvertisingKind(rawValue: kind)
        report.setID = set
        report.rssi = SignalLevel(dBm: rssi)
        report.data = octets(data)
        return report
    }
}
