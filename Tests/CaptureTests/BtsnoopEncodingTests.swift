import Capture
import TestSupport
import Testing
import Wire

/// The header and the first records of a published description of the format (RFC 1761's layout with Bluetooth data links), typed by hand.
@Suite struct BtsnoopEncodingTests {
    private let moment = Timestamp(microseconds: 1_709_251_198_500_000)

    @Test func theFileHeaderNamesTheDataLink() {
        #expect(Btsnoop.fileHeader() == octets("6274736e6f6f7000 00000001 000003ea"))
        #expect(Btsnoop.fileHeader(.h1) == octets("6274736e6f6f7000 00000001 000003e9"))
        #expect(Btsnoop.fileHeader(.monitor) == octets("6274736e6f6f7000 00000001 000007d1"))
    }

    @Test func packetsCarryTheirLengthsFlagsAndTime() {
        var file: [UInt8] = []
        Btsnoop.append(octets("01 030c00"), .sent, at: moment, to: &file)
        #expect(file == octets("00000004 00000004 00000002 00000000 00e2f0411db43ca0 01030c00"))
        file = []
        Btsnoop.append(octets("04 0e0401030c00"), .received, at: moment, drops: 5, to: &file)
        #expect(file == octets("00000007 00000007 00000003 00000005 00e2f0411db43ca0 040e0401030c00"))
        file = []
        Btsnoop.append(octets("02 40000700030004000a2000"), .sent, at: Timestamp(microseconds: -1), to: &file)
        #expect(file == octets("0000000c 0000000c 00000000 00000000 00dcddb30f2f7fff 0240000700030004000a2000"))
    }

    @Test func whatADataLinkCannotHoldIsLeftOut() {
        let sco = Record(
            frame: 1, direction: .sent, kind: .sco, octets: octets("03 300000"), includedLength: 3, originalLength: 3)
        let note = Record(
            frame: 1, kind: .note(.systemNote), octets: octets("4100"), includedLength: 2, originalLength: 2)
        var file: [UInt8] = []
        var typeless = CaptureWriter(.btsnoop(.h1))
        #expect(!typeless.append(sco, to: &file))
        #expect(typeless.losses.counts == [.scoPackets: 1])
        var plain = CaptureWriter(.btsnoop(.h4))
        #expect(!plain.append(note, to: &file))
        #expect(plain.losses.counts == [.notes: 1])
        #expect(file.isEmpty)
        var monitor = CaptureWriter(.btsnoop(.monitor))
        #expect(monitor.append(note, to: &file))
        #expect(file.prefix(12) == octets("00000002 00000002 ffff000c")[...])
        #expect(monitor.losses.counts.isEmpty)
    }
}
