import ATT
import GATT
import TestSupport
import Testing
import Wire

/// The values of descriptors, in octets laid out by hand (Core Vol 3, Part G, 3.3.3).
@Suite struct DescriptorValueTests {
    @Test func extendedProperties() throws {
        #expect(try ExtendedProperties(decoding: octets("0100").span) == .reliableWrite)
        #expect(try ExtendedProperties(decoding: octets("0300").span) == [.reliableWrite, .writableAuxiliaries])
        #expect(try ExtendedProperties(decoding: octets("0480").span).names == ["bit 2", "bit 15"])
        #expect(throws: WireError.self) { try ExtendedProperties(decoding: octets("01").span) }
    }

    @Test func clientConfiguration() {
        #expect(ClientConfiguration(octets: octets("0200")) == .indications)
        #expect(ClientConfiguration(octets: octets("0300"))?.names == ["notifications", "indications"])
        #expect(ClientConfiguration(octets: octets("0080"))?.names == ["bit 15"])
        #expect(ClientConfiguration(octets: octets("01")) == nil)
        #expect(ClientConfiguration(octets: octets("010000")) == nil)
    }

    /// Hundredths of a degree Celsius: sint16, exponent -2, unit 272F, the SIG's first description.
    @Test func presentationFormat() throws {
        let format = try PresentationFormat(decoding: octets("0E FE 2F27 01 0100"))
        #expect(format.format.name == "sint16")
        #expect(format.exponent == -2)
        #expect(format.unit == 0x272F)
        #expect(format.namespace == 1)
        #expect(format.descriptionNumber == 1)
        #expect(format.encoded == octets("0E FE 2F27 01 0100"))
        for count in 0..<7 {
            #expect(throws: WireError.self) {
                try PresentationFormat(decoding: Array(octets("0E FE 2F27 01 0100").prefix(count)))
            }
        }
    }

    @Test(arguments: [
        (0x01, "boolean"), (0x04, "uint8"), (0x06, "uint16"), (0x0C, "sint8"), (0x10, "sint32"), (0x14, "float32"),
        (0x16, "medfloat16"), (0x19, "utf8s"), (0x1B, "struct"), (0x1C, "medASN1"), (0x00, "0x00"), (0x1D, "0x1D"),
        (0xFF, "0xFF"),
    ])
    func valueFormats(_ number: UInt8, _ name: String) {
        #expect(ValueFormat(rawValue: number).description == name)
    }

    @Test func aggregateFormat() throws {
        #expect(try AggregateFormat(decoding: octets("1200 1500")).formats == [0x0012, 0x0015])
        #expect(try AggregateFormat(decoding: []).formats == [])
    }

    // MARK: Service Changed

    @Test(arguments: [
        ("1000 1F00", HandleRange(0x0010, 0x001F)), ("0100 FFFF", .all), ("1000 1000", HandleRange(0x0010, 0x0010)),
        // What cannot be means everything.
        ("", .all), ("1000", .all), ("1000 1F00 00", .all), ("1F00 1000", .all), ("0000 1000", .all),
    ])
    func serviceChanged(_ value: String, _ range: HandleRange) {
        #expect(HandleRange(serviceChanged: octets(value)) == range)
    }

    @Test func rangesThatOverlap() {
        let range = HandleRange(0x10, 0x1F)
        #expect(
            range.overlaps(HandleRange(0x1F, 0x20)) && range.overlaps(HandleRange(0x01, 0x10)) && range.overlaps(.all))
        #expect(!range.overlaps(HandleRange(0x20, 0xFFFF)) && !range.overlaps(HandleRange(0x01, 0x0F)))
        #expect(!range.overlaps(HandleRange(0x1F, 0x10)) && !HandleRange(0x1F, 0x10).overlaps(range))
    }
}
