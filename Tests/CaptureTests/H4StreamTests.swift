import Capture
import TestSupport
import Testing

@Suite struct H4StreamTests {
    @Test func aBareStreamOfAControllerHas118Packets() throws {
        let file = try capture("google__bumble__hci_data_001.bin")
        let (records, damage) = read(file, piece: 100)
        #expect(damage == nil)
        #expect(records.count == 118)
        #expect(records.filter { $0.kind == .event }.count == 101)
        #expect(records.filter { $0.kind == .acl }.count == 17)
        #expect(records.flatMap(\.octets) == file)
        #expect(records.allSatisfy { $0.timestamp == nil })
        #expect(records.allSatisfy { $0.direction == ($0.kind == .event ? .received : nil) })
    }

    @Test func lengthsOfEachType() {
        let stream = octets("01 030c00  02 4000 0200 aabb  03 3000 01 aa  04 0e 04 01030c00  05 6020 0140 aa")
        let (records, damage) = read(stream)
        #expect(damage == nil)
        #expect(records.map(\.kind) == [.command, .acl, .sco, .event, .iso])
        #expect(records.map(\.octets.count) == [4, 7, 5, 7, 6])
    }

    @Test func aStreamThatEndsInsideAPacketIsDamaged() {
        let (records, damage) = read(octets("01 030c00  04 0e 04 01030c00  04 0e 04 01"))
        #expect(records.count == 2)
        #expect(damage == .recordCut(frame: 3, offset: 11, octets: 4, needed: 7))
    }

    @Test func aStreamThatLosesItsFramingIsDamaged() {
        let good = octets("04 0e 04 01030c00")
        let (records, damage) = read(good + good + good + good + octets("77") + good)
        #expect(records.count == 4)
        #expect(damage == .framingLost(frame: 5, offset: 28, octet: 0x77))
    }

    @Test func onePacketAndRubbishIsNoStream() {
        #expect(read(octets("04 0e 04 01030c00 77777777")).damage == .notACapture)
        #expect(read(octets("04 0e 04 0103")).damage == .notACapture)
    }
}
