import HCI
import TestSupport
import Testing
import Wire

@Suite struct PacketTests {
    @Test(arguments: [
        "01030c00", "02400004 00 01020304", "0340000201ff", "0440020102", "05402004 00 01020304", "99", "99010203",
        "00",
    ])
    func everyTypeIsWrittenAsItWasRead(text: String) throws {
        #expect(try Packet(decoding: octets(text)).encoded == octets(text))
    }

    @Test func octetsBehindTheDeclaredEndAreCounted() throws {
        var trailing = 0
        let packet = try Packet(decoding: octets("04 10 01 42 ff ff").span, trailing: &trailing)
        #expect(packet == .event(.hardwareError, parameters: [0x42]))
        #expect(trailing == 2)
    }

    @Test(arguments: [
        ("", "HCI packet type", 0, 1, 0),
        ("01", "Opcode", 1, 2, 0),
        ("01030c", "Parameter_Total_Length", 3, 1, 0),
        ("01030c02ff", "Parameters", 4, 2, 1),
        ("04", "Event_Code", 1, 1, 0),
        ("043e", "Parameter_Total_Length", 2, 1, 0),
        ("043e05020100", "Event_Parameters", 3, 5, 3),
        ("0240", "Connection_Handle", 1, 2, 1),
        ("02402005", "Data_Total_Length", 3, 2, 1),
        ("0240200500aabb", "Data", 5, 5, 2),
        ("03400005aa", "Data", 4, 5, 1),
        ("05400005c0aa", "Data", 5, 5, 1),
    ])
    func aShortPacketNamesWhatIsMissing(text: String, field: String, at: Int, needed: Int, remaining: Int) {
        #expect(throws: WireError.truncated(field: field, at: at, needed: needed, remaining: remaining)) {
            try Packet(decoding: octets(text))
        }
    }

    @Test func aHandleHas12Bits() {
        #expect(ConnectionHandle(rawValue: 0xFFFF).rawValue == 0x0FFF)
        #expect(ConnectionHandle(rawValue: 0x3001) == ConnectionHandle(rawValue: 1))
    }

    @Test func dataFlagsStandAboveTheHandle() {
        let packet = ACLPacket(handle: ConnectionHandle(rawValue: 0xABC), boundary: .continuation, payload: [7])
        #expect(Packet.acl(packet).encoded == octets("02 bc1a 0100 07"))
        #expect([PacketBoundary.firstNonFlushable, .firstFlushable, .complete].map(\.isStart) == [true, true, true])
        #expect(!PacketBoundary.continuation.isStart)
    }

    @Test func whatDoesNotFitTheLengthFieldIsCut() throws {
        let long = Packet.event(.vendorSpecific, parameters: Array(repeating: 1, count: 300))
        #expect(long.encoded.count == 3 + 255)
        #expect(
            try Packet(decoding: long.encoded) == .event(.vendorSpecific, parameters: Array(repeating: 1, count: 255)))
    }

    @Test func eventsWithoutAMeaningAreKept() throws {
        #expect(try Event(.vendorSpecific, parameters: [1, 2]) == .other(.vendorSpecific, parameters: [1, 2]))
        #expect(
            try Event(EventCode(rawValue: 0x57), parameters: []) == .other(EventCode(rawValue: 0x57), parameters: []))
        #expect(
            try Event(.leMeta, parameters: [0x30, 9]) == .le(.other(LESubevent(rawValue: 0x30), parameters: [9])))
    }

    @Test func errorsInLEEventsCountFromTheSubeventCode() {
        #expect(throws: WireError.truncated(field: "Connection_Handle", at: 2, needed: 2, remaining: 1)) {
            try Event(.leMeta, parameters: [0x0C, 0, 1])
        }
        #expect(throws: WireError.truncated(field: "Subevent_Code", at: 0, needed: 1, remaining: 0)) {
            try Event(.leMeta, parameters: [])
        }
    }

    /// A second report whose data goes beyond the event; a count that promises more; a report without its RSSI.
    @Test func aReportCutShortDoesNotCostTheWholeOnes() throws {
        let whole = "00 01 0100000000c0 03 020106 ce"
        for (count, rest) in [("02", "00 01 0200000000c0 64 0201"), ("05", ""), ("02", "00 01 0200000000c0 03 020106")]
        {
            guard
                case .le(.advertisingReport(let event)) = try Event(
                    .leMeta, parameters: octets("02" + count + whole + rest))
            else {
                Issue.record("not a report")
                continue
            }
            #expect(event.reports.map(\.rssi.dBm) == [-50])
            #expect(event.malformed != nil)
        }
    }

    @Test func anExtendedReportWhoseDataIsMissingIsNoTrap() throws {
        let head = "0d 01 0000 01 0100000000c0 01 00 ff 7f ce 0000 00 000000000000"
        guard case .le(.extendedAdvertisingReport(let event)) = try Event(.leMeta, parameters: octets(head + "64"))
        else {
            Issue.record("not a report")
            return
        }
        #expect(event.reports.isEmpty)
        // Counted from behind the sub-event code.
        #expect(event.malformed == .truncated(field: "Data", at: 25, needed: 100, remaining: 0))
    }

    @Test func completionsAreRowByRowToo() throws {
        guard
            case .numberOfCompletedPackets(let event) = try Event(
                .numberOfCompletedPackets, parameters: octets("03 4000 0100 4100 0200 4200"))
        else {
            Issue.record("not a completion")
            return
        }
        #expect(event.completions.map(\.handle.rawValue) == [0x40, 0x41])
        #expect(event.completions.map(\.count) == [1, 2])
        #expect(event.malformed == .truncated(field: "Num_Completed_Packets", at: 11, needed: 2, remaining: 0))
    }
}
