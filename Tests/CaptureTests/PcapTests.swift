import Capture
import TestSupport
import Testing
import Wire

/// Files typed by hand from the layout that tcpdump.org publishes.
@Suite struct PcapTests {
    private let moment = Timestamp(microseconds: 1_709_251_198_500_000)

    @Test func theFourKindsOfHeaderAreTold() throws {
        let little = "0200 0400 00000000 00000000 00000200"
        let big = "0002 0004 00000000 00000000 00020000"
        let cases: [(String, CaptureFormat)] = [
            ("d4c3b2a1 \(little) c9000000", .pcap(.h4WithDirection, .little, .microseconds)),
            ("a1b2c3d4 \(big) 000000c9", .pcap(.h4WithDirection, .big, .microseconds)),
            ("4d3cb2a1 \(little) bb000000", .pcap(.h4, .little, .nanoseconds)),
            ("a1b23c4d \(big) 000000fe", .pcap(.linuxMonitor, .big, .nanoseconds)),
        ]
        for (text, format) in cases {
            let file = octets(text)
            #expect(CaptureWriter(format).header == file, "\(format)")
            var reader = CaptureReader()
            reader.feed(file)
            reader.finish()
            #expect(try reader.next() == nil)
            #expect(reader.format == format)
        }
    }

    /// A Reset, and the event that answers it.
    @Test func packetsHaveTheirHeads() throws {
        let cases: [(CaptureFormat, String)] = [
            (
                .pcap(.h4WithDirection, .little, .microseconds),
                """
                d4c3b2a1 02000400 00000000 00000000 00000200 c9000000
                7e1ae165 20a10700 08000000 08000000 00000000 01030c00
                7e1ae165 21a10700 0b000000 0b000000 00000001 040e0401030c00
                """
            ),
            (
                .pcap(.h4, .big, .nanoseconds),
                """
                a1b23c4d 00020004 00000000 00000000 00020000 000000bb
                65e11a7e 1dcd6500 00000004 00000004 01030c00
                65e11a7e 1dcd68e8 00000007 00000007 040e0401030c00
                """
            ),
            (
                .pcap(.linuxMonitor, .little, .microseconds),
                """
                d4c3b2a1 02000400 00000000 00000000 00000200 fe000000
                7e1ae165 20a10700 07000000 07000000 00000002 030c00
                7e1ae165 21a10700 0a000000 0a000000 00000003 0e0401030c00
                """
            ),
        ]
        for (format, text) in cases {
            let file = octets(text)
            let (records, damage) = read(file)
            #expect(damage == nil)
            try #require(records.count == 2)
            #expect(records.map(\.kind) == [.command, .event])
            #expect(records.map(\.direction) == [.sent, .received])
            #expect(records.map(\.octets) == [octets("01030c00"), octets("040e0401030c00")])
            #expect(records.map(\.timestamp) == [moment, Timestamp(microseconds: moment.microseconds + 1)])
            #expect(records.map(\.adapter) == (format == cases[2].0 ? [0, 0] : [nil, nil]))
            #expect(write(records, format).file == file)
        }
    }

    @Test func nanosecondsAreKept() {
        let file = octets(
            "4d3cb2a1 02000400 00000000 00000000 00000200 c9000000 7e1ae165 ffc99a3b 00000000 00000000")
        let (records, _) = read(file)
        #expect(records.map(\.timestamp?.microseconds) == [1_709_251_198_999_999])
        #expect(records.map(\.nanoseconds) == [999])
        #expect(records.map(\.kind) == [.empty])
        #expect(write(records, .pcap(.h4WithDirection, .little, .nanoseconds)).file == file)
    }

    /// Microseconds of a second and more are wrong, and still a time.
    @Test func aFractionBeyondTheSecondIsCarried() {
        let (records, damage) = read(
            octets("d4c3b2a1 02000400 00000000 00000000 00000200 c9000000 01000000 ffffffff 00000000 00000000"))
        #expect(damage == nil)
        #expect(records.map(\.timestamp?.microseconds) == [1_000_000 + 0xFFFF_FFFF])
    }

    @Test func recordsCutInsideTheirHeadAreKept() {
        for (linkType, text) in [("c9", "0000"), ("fe", "000000")] {
            let length = String(text.count / 2)
            let (records, damage) = read(
                octets(
                    "d4c3b2a1 02000400 00000000 00000000 00000200 \(linkType)000000 01000000 00000000 0\(length)000000 08000000 \(text)"
                ))
            #expect(damage == nil)
            #expect(records.map(\.kind) == [.empty])
            #expect(records.map(\.isCutShort) == [true])
            #expect(records.map(\.direction) == [nil])
        }
    }

    @Test func whatIsNotReadIsNamed() {
        let head = "d4c3b2a1 02000400 00000000 00000000 00000200"
        #expect(read(octets(head + "01000000")).damage == .unsupportedLinkType(LinkType(rawValue: 1)))
        #expect(read(octets(head + "fb000000")).damage == .unsupportedLinkType(LinkType(rawValue: 251)))
        #expect(
            read(octets("d4c3b2a1 03000400 00000000 00000000 00000200 c9000000")).damage
                == .unsupportedVersion("pcap", 3))
        #expect(read(octets("d4c3b2a1 0200")).damage == .fileHeaderCut(octets: 6, needed: 24))
        #expect(
            read(octets(head + "c9000000 01000000 00000000 01000200 01000200")).damage
                == .recordTooLong(frame: 1, offset: 24, length: 0x20001))
        #expect(CaptureError.unsupportedLinkType(LinkType(rawValue: 1)).description.contains("Ethernet"))
    }

    /// The field's upper half tells of checksums.
    @Test func theUpperHalfOfTheLinkTypeIsNotPartOfIt() {
        let (records, damage) = read(
            octets(
                "d4c3b2a1 02000400 00000000 00000000 00000200 c9000014 01000000 00000000 08000000 08000000 00000000 01030c00"
            ))
        #expect(damage == nil)
        #expect(records.map(\.kind) == [.command])
    }
}
