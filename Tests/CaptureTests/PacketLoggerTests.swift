import Capture
import TestSupport
import Testing
import Wire

/// Records typed by hand: length, seconds, microseconds, type, content.
@Suite struct PacketLoggerTests {
    private let little = """
        0c000000 7e1ae165 20a10700 00 030c00
        0f000000 7e1ae165 21a10700 01 0e0401030c00
        0d000000 7e1ae165 20a10700 02 40000000
        0d000000 7e1ae165 20a10700 03 40200000
        0c000000 7e1ae165 20a10700 08 300000
        0c000000 7e1ae165 20a10700 09 300000
        0b000000 7e1ae165 20a10700 fc 6162
        0b000000 7e1ae165 20a10700 0b 0102
        0a000000 7e1ae165 20a10700 77 01
        08000000 7e1ae165 20a10700
        """

    private var big: [UInt8] {
        octets(little).bigEndianHeads
    }

    @Test func everyTypeIsRead() throws {
        for (file, order) in [(octets(little), ByteOrder.little), (big, .big)] {
            let (records, damage) = read(file)
            #expect(damage == nil)
            let kinds: [Record.Kind] = [
                .command, .event, .acl, .acl, .sco, .sco, .loggerNote(.note), .loggerNote(.lmpReceived),
                .loggerNote(PacketLogger.RecordType(rawValue: 0x77)), .empty,
            ]
            #expect(records.map(\.kind) == kinds)
            #expect(records.prefix(6).map(\.direction) == [.sent, .received, .sent, .received, .sent, .received])
            #expect(records.dropFirst(6).allSatisfy { $0.direction == nil })
            #expect(records.map(\.octets.count) == [4, 7, 5, 5, 4, 4, 2, 2, 1, 0])
            #expect(records[1].octets == octets("040e0401030c00"))
            #expect(records[1].timestamp == Timestamp(microseconds: 1_709_251_198_500_001))
            #expect(records[1].includedLength == 15 && !records[1].isCutShort)
            var reader = CaptureReader()
            reader.feed(file)
            _ = try reader.next()
            #expect(reader.format == .packetLogger(order))
            #expect(write(records, .packetLogger(order)).file == file)
        }
    }

    @Test func textGoesToTheMonitorAndBack() {
        let note = read(octets("0b000000 7e1ae165 20a10700 fc 6162")).records
        let (monitor, losses) = write(note, .btsnoop(.monitor))
        #expect(losses.counts.isEmpty)
        #expect(monitor.dropFirst(16).prefix(12) == octets("00000003 00000003 ffff000c")[...])
        #expect(monitor.suffix(3) == octets("616200")[...])
        let back = read(monitor).records
        #expect(back.map(\.kind) == [.note(.systemNote)])
        #expect(write(back, .packetLogger(.little)).file == octets("0b000000 7e1ae165 20a10700 fc 6162"))
    }

    /// By one of these at its beginning a file could not be known again.
    @Test func aFileBeginsWithWhatItIsKnownBy() {
        let records = read(octets(little)).records
        let (file, losses) = write([records[9], records[8], records[0], records[9]], .packetLogger(.little))
        #expect(file == octets("0c000000 7e1ae165 20a10700 00 030c00 08000000 7e1ae165 20a10700"))
        #expect(losses.counts == [.emptyRecords: 1, .notes: 1])
    }

    @Test func aLengthThatCannotBeEndsTheReading() {
        let good = octets("0c000000 7e1ae165 20a10700 00 030c00")
        #expect(
            read(good + octets("07000000 00000000 00000000")).damage == .recordTooShort(frame: 2, offset: 16, length: 7)
        )
        #expect(
            read(good + octets("01000200 00000000 00000000")).damage
                == .recordTooLong(frame: 2, offset: 16, length: 0x20001))
        #expect(read(good + octets("0c000000 7e")).damage == .recordCut(frame: 2, offset: 16, octets: 5, needed: 12))
    }

    @Test func whatOnlyLooksAlikeIsNone() {
        // Microseconds beyond a second, a type that nobody uses, a length without a type, no length.
        for text in [
            "0000000c 65e11a7e 000f4240 00 030c00", "0000000c 65e11a7e 00000000 44 030c00",
            "00000008 65e11a7e 00000000 00",
            "00000000 00000000 00000000 00 00",
        ] {
            #expect(read(octets(text)).damage == .notACapture, "\(text)")
        }
    }
}

extension [UInt8] {
    /// A PacketLogger file with little-endian heads, with big-endian ones.
    fileprivate var bigEndianHeads: [UInt8] {
        var file: [UInt8] = []
        var rest = self[...]
        while let length = rest.first {
            for _ in 0..<3 {
                file += rest.prefix(4).reversed()
                rest = rest.dropFirst(4)
            }
            file += rest.prefix(Int(length) - 8)
            rest = rest.dropFirst(Int(length) - 8)
        }
        return file
    }
}
