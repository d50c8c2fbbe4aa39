import Capture
import TestSupport
import Testing
import Wire

/// Blocks typed by hand from the layout of draft-ietf-opsawg-pcapng.
@Suite struct PcapngTests {
    private static let section = "0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000"
    private static let interface = "01000000 14000000 c900 0000 00000000 14000000"
    /// A Reset, 1 s and 500 µs after 1970.
    private static let packet =
        "06000000 28000000 00000000 00000000 34440f00 08000000 08000000 00000000 01030c00 28000000"

    private func records(_ blocks: String...) throws -> [Record] {
        let (records, damage) = read(octets(blocks.joined()))
        #expect(damage == nil)
        return records
    }

    @Test func aSectionAnInterfaceAndAPacket() throws {
        let records = try records(Self.section, Self.interface, Self.packet)
        try #require(records.count == 1)
        #expect(records[0].octets == octets("01030c00"))
        #expect(records[0].direction == .sent)
        #expect(records[0].timestamp?.microseconds == 1_000_500)
        #expect(records[0].adapter == nil)
        #expect(records[0].offset == 48)
    }

    @Test func theOrderOfOctetsMayChangeFromSectionToSection() throws {
        let big =
            "0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c 00000001 00000014 00c9 0000 00000000 00000014"
            + "00000006 00000028 00000000 00000000 000f4434 00000008 00000008 00000001 04010000 00000028"
        let records = try records(Self.section, Self.interface, Self.packet, big)
        #expect(records.map(\.kind) == [.command, .event])
        #expect(records.map(\.frame) == [1, 2])
        #expect(records.map(\.timestamp?.microseconds) == [1_000_500, 1_000_500])
    }

    @Test func theClockOfAnInterfaceIsMinded() throws {
        /// The packet's count is 1,000,500 units.
        let cases: [(resolution: String, offset: Int64, microseconds: Int64, nanoseconds: UInt16)] = [
            ("06", 0, 1_000_500, 0), ("09", 0, 1000, 500), ("03", 0, 1_000_500_000, 0), ("00", 0, 1_000_500_000_000, 0),
            ("07", 0, 100_050, 0), ("0c", 0, 1, 0), ("7f", 0, 0, 0), ("80", 0, 1_000_500_000_000, 0),
            ("8a", 0, 977_050_781, 250), ("ff", 0, 0, 0), ("06", -2, -999_500, 0), ("06", 10, 11_000_500, 0),
            ("06", .max, .max, 0), ("06", .min, .min, 0),
        ]
        for row in cases {
            let offset = (0..<8).map { UInt8(truncatingIfNeeded: row.offset >> ($0 * 8)).paddedHexadecimal }.joined()
            let interface =
                "01000000 2c000000 c900 0000 00000000 0900 0100 \(row.resolution)000000 0e00 0800 \(offset) 00000000 2c000000"
            let records = try records(Self.section, interface, Self.packet)
            #expect(records.first?.timestamp?.microseconds == row.microseconds, "\(row)")
            #expect(records.first?.nanoseconds == row.nanoseconds, "\(row)")
        }
    }

    @Test func optionsOfPacketsAreRead() throws {
        let interface = "01000000 14000000 bb00 0000 00000000 14000000"
        func packet(flags: String, options: String = "", length: String = "34") -> String {
            "06000000 \(length)000000 00000000 00000000 00000000 05000000 05000000 0240000000 000000 0200 0400 \(flags)000000"
                + "\(options) 00000000 \(length)000000"
        }
        let records = try records(
            Self.section, interface, packet(flags: "01"), packet(flags: "02"), packet(flags: "00"),
            packet(flags: "01", options: "0100 0200 61620000 0400 0800 0500000000000000", length: "48"),
            packet(flags: "01", options: "0400 0800 ffffffffffffffff", length: "40"))
        #expect(records.map(\.direction) == [.received, .sent, nil, .received, .received])
        #expect(records.map(\.comments) == [[], [], [], ["ab"], []])
        #expect(records.map(\.cumulativeDrops) == [0, 0, 0, 5, .max])
        #expect(records.allSatisfy { $0.octets == octets("0240000000") })
    }

    @Test func theAdapterIsTheInterface() throws {
        func interface(_ name: String) -> String {
            let text = Array(name.utf8).hexadecimal
            return "01000000 24000000 c900 0000 00000000 0200 0\(name.utf8.count)00 \(text)"
                + String(repeating: "0", count: 16 - text.count) + "00000000 24000000"
        }
        func packet(_ number: String) -> String {
            Self.packet.replacing("28000000 00000000 00000000", with: "28000000 \(number)000000 00000000")
        }
        let records = try records(
            Self.section, Self.interface, Self.interface, interface("hci7"), interface("usb3"), interface("hci?"),
            packet("00"), packet("01"), packet("02"), packet("03"), packet("04"))
        #expect(records.map(\.adapter) == [nil, 1, 7, 3, nil])
    }

    @Test func otherBlocksAndInterfacesArePassedOver() throws {
        let unknown = "cdab0000 14000000 0102030405060708 14000000"
        let ethernet = "01000000 14000000 0100 0000 00000000 14000000"
        let frame = "06000000 24000000 01000000 00000000 34440f00 02000000 3c000000 aabb0000 24000000"
        let nowhere = "06000000 24000000 09000000 00000000 34440f00 02000000 02000000 aabb0000 24000000"
        let records = try records(
            Self.section, unknown, Self.interface, ethernet, unknown, frame, Self.packet, unknown, nowhere)
        #expect(records.map(\.kind) == [.foreign(LinkType(rawValue: 1)), .command, .foreign(nil)])
        #expect(records.map(\.includedLength) == [2, 8, 2])
        #expect(records.map(\.isCutShort) == [true, false, false])
        #expect(records[0].octets.isEmpty)
        #expect(records[0].timestamp?.microseconds == 1_000_500)
    }

    @Test func simpleAndObsoletePacketsAreRead() throws {
        let cut = "01000000 14000000 c900 0000 09000000 14000000"
        let simple = "03000000 1c000000 0b000000 00000001 040e0401 030c0000 1c000000"
        let obsolete =
            "02000000 2c000000 0000 0300 00000000 34440f00 08000000 08000000 00000000 01030c00 00000000 2c000000"
        let whole = try records(
            Self.section, Self.interface, simple, obsolete, obsolete.replacing("0300 0000", with: "ffff 0000"))
        #expect(whole.map(\.octets.hexadecimal) == ["040e0401030c00", "01030c00", "01030c00"])
        #expect(whole.map(\.timestamp?.microseconds) == [nil, 1_000_500, 1_000_500])
        #expect(whole.map(\.cumulativeDrops) == [0, 3, 3])
        // Of a packet longer than the interface keeps, what it keeps is there.
        let short = try records(Self.section, cut, simple)
        #expect(short.map(\.octets.hexadecimal) == ["040e040103"])
        #expect(short.map(\.isCutShort) == [true])
    }

    @Test func damageIsToldWithItsPlace() {
        let start = Self.section + Self.interface
        let cases: [(String, CaptureError)] = [
            (Self.section + "06000000 0b000000", .blockBroken(offset: 28, length: 11)),
            (start + Self.packet.replacing("01030c00 28", with: "01030c00 2c"), .blockBroken(offset: 48, length: 40)),
            (start + Self.packet.replacing("34440f00 08", with: "34440f00 28"), .blockBroken(offset: 48, length: 40)),
            (start + "06000000 00001100", .recordTooLong(frame: 1, offset: 48, length: 0x110000)),
            (start + "06000000 28000000 0000", .recordCut(frame: 1, offset: 48, octets: 10, needed: 40)),
            (start + "cdab0000 ffffff7f 0102", .blockCut(end: 58, missing: 0x7FFF_FFFF - 10)),
            (start + "cdab", .blockCut(end: 50, missing: 6)),
            (start + "0a0d0d0a 1c000000 00000000 01000000", .blockBroken(offset: 48, length: 28)),
            ("0a0d0d0a 1c000000 4d3c2b1a 0200 0000 ffffffffffffffff 1c000000", .unsupportedVersion("pcapng", 2)),
            ("0a0d0d0a 1c00", .fileHeaderCut(octets: 6, needed: 28)),
            ("0a0d0d0a 1c000000 00000000 0000", .notACapture),
        ]
        for (text, error) in cases {
            let file = octets(text)
            #expect(read(file).damage == error, "\(text)")
            #expect(read(file, piece: 1).damage == error, "\(text)")
        }
    }

    /// Four gigabytes of a block that nobody knows, without the memory for it.
    @Test func anUnknownBlockIsNotKept() throws {
        var reader = CaptureReader()
        reader.feed(octets(Self.section + Self.interface + "cdab0000 fcffff0f"))
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        var left = 0x0FFF_FFFC - 8
        while left > 0 {
            reader.feed(piece.prefix(left))
            left -= min(left, piece.count)
            #expect(try reader.next() == nil)
            #expect(reader.offset == 48 + 0x0FFF_FFFC - left)
        }
        reader.feed(octets(Self.packet))
        #expect(try reader.next()?.kind == .command)
    }

    @Test func interfacesAreBounded() {
        let many = [UInt8]((0...1 << 16).flatMap { _ in octets(Self.interface) })
        let (records, damage) = read(octets(Self.section) + many, piece: 1 << 20)
        #expect(records.isEmpty)
        #expect(damage == .blockBroken(offset: 28 + (20 << 16), length: 20))
    }

    @Test func whatTheWriterDescribes() {
        let records = read(octets(Self.section + Self.interface + Self.packet)).records
        let file = write(records, .pcapng(.h4WithDirection, .little)).file
        #expect(
            file
                == octets(
                    """
                    0a0d0d0a 2c000000 4d3c2b1a 0100 0000 ffffffffffffffff 0400 0600 68722d7261770000 00000000 2c000000
                    01000000 20000000 c900 0000 00000000 0900 0100 09000000 00000000 20000000
                    06000000 28000000 00000000 00000000 206ba23b 08000000 08000000 00000000 01030c00 28000000
                    """))
    }

    /// Before 1970 and after 2554 no count of nanoseconds reaches.
    @Test func timesFarAwayAreKept() {
        var record = read(octets(Self.section + Self.interface + Self.packet)).records[0]
        let times: [Int64] = [.min, -1, 0, 18_446_744_073_709_551, 18_446_744_073_709_552, .max - 1_000_000]
        for microseconds in times {
            record.timestamp = Timestamp(microseconds: microseconds)
            let (file, losses) = write([record, record], .pcapng(.h4, .big))
            #expect(losses.counts.isEmpty)
            #expect(read(file).records.map(\.timestamp?.microseconds) == [microseconds, microseconds])
        }
        record.timestamp = Timestamp(microseconds: .max)
        #expect(write([record], .pcapng(.h4, .big)).losses.counts == [.times: 1])
    }
}
