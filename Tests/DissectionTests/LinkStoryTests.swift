import ATT
import Capture
import Dissection
import HCI
import HeartRate
import L2CAP
import TestSupport
import Testing
import Wire

@Suite struct LinkStoryTests {
    @Test func encryptionIsToldOfTheLinkFromWhereItBegins() {
        let data = "> 02 4020 0700 0300 0400 1b 2500"
        let all = dissect([
            connected, data, "> 04 08 04 00 4000 01", data, "> 04 30 03 00 4000", data, "> 04 08 04 00 4000 00", data,
            // [v2], with the size of the key; then one that failed.
            "> 04 59 05 00 4000 01 10", data, "> 04 08 04 06 4000 00", data, disconnected, connected, data,
        ])
        #expect(all[2].encryption == .on && all[6].encryption == .off && all[8].encryption == .on)
        #expect(all[10].encryption == nil && all[4].encryption == nil)
        let encrypted = all.filter { $0.record.kind == .acl }.map(\.isEncrypted)
        #expect(encrypted == [false, true, true, false, true, true, false])
    }

    @Test func aPDUIsNotJoinedAcrossTwoLinksWithOneHandle() {
        // Seven octets announced, three of them there; the rest comes on the next link.
        let start = "> 02 4020 0700 0700 0400 1b 2500"
        let rest = "> 02 4010 0400 00480004"
        let whole = dissect([connected, start, rest])
        #expect(whole[2].attribute?.value.map { [UInt8]($0) } == octets("00480004"))
        let apart = dissect([connected, start, disconnected, connected, rest])
        #expect(apart[2].faults == [.fragments(.abandoned(received: 7, expected: 11))])
        #expect(apart[4].attribute == nil)
        #expect(apart[4].faults == [.fragments(.strayContinuation(octets: 4))])
        // Nor where the end of the first was not recorded.
        #expect(dissect([connected, start, connected, rest])[3].attribute == nil)
    }

    @Test func fragmentsOfTwoAdaptersAreKeptApart() {
        let start = "> 02 4020 0700 0700 0400 1b 2500"
        let all = dissect(
            [start, start, "> 02 4010 0400 00480004", "> 02 4010 0400 00490004"], adapters: [0, 1, 0, 1])
        #expect(all[2].attribute?.value.map { [UInt8]($0) } == octets("00480004"))
        #expect(all[3].attribute?.value.map { [UInt8]($0) } == octets("00490004"))
    }

    @Test func typesAreLearntFromTheDiscoveryOfEitherEnd() {
        // The peer discovers the captured host: Read By Type, characteristics; then the host notifies.
        let hostServes = dissect([
            connected, "> 02 4020 0b00 0700 0400 08 0100 ffff 0328",
            "< 02 4000 0d00 0900 0400 09 07 0200 10 0300 372a", "< 02 4000 0900 0500 0400 1b 0300 0048",
            "> 02 4020 0900 0500 0400 1b 0300 0048",
        ])
        #expect(hostServes[1].attribute?.attributeType == 0x2803)
        #expect(hostServes[3].attribute?.attributeType == 0x2A37)
        #expect(hostServes[3].attribute?.server == .host)
        #expect(hostServes[3].heartRate?.beatsPerMinute == 72)
        // The peer's attribute with the same handle is another.
        #expect(hostServes[4].attribute?.attributeType == nil)
        #expect(hostServes[4].attribute?.server == .peer)
        let peerServes = dissect([
            connected, "< 02 4000 0b00 0700 0400 08 0100 ffff 0328",
            "> 02 4020 0d00 0900 0400 09 07 0200 10 0300 372a", "> 02 4020 0900 0500 0400 1b 0300 0048",
        ])
        #expect(peerServes[3].attribute?.attributeType == 0x2A37)
        #expect(peerServes[3].attribute?.server == .peer)
    }

    @Test func aResponseThatAnswersNothingSaysNothingOfATypeAskedFor() {
        // Read By Type of 2803 waits for its answer; a Read Response is none.
        let all = dissect([connected, "< 02 4000 0b00 0700 0400 08 0100 ffff 0328", "> 02 4020 0600 0200 0400 0b 05"])
        #expect(all[2].attribute?.attributeType == nil && all[2].attribute?.requested == nil)
    }

    @Test func aConfirmationIsAboutTheAttributeThatWasIndicated() {
        // The peer indicates 0x0025; a request of the host and its answer come between.
        let all = dissect([
            connected, "> 02 4020 0800 0400 0400 1d 2500 01", "< 02 4000 0700 0300 0400 0a 0300",
            "> 02 4020 0600 0200 0400 0b 05", "< 02 4000 0500 0100 0400 1e", "< 02 4000 0500 0100 0400 1e",
        ])
        #expect(all.map { $0.attribute?.requested } == [nil, nil, nil, 0x0003, 0x0025, nil])
    }

    @Test func handlesStandAlsoInAnswersAndInVoiceAndStreams() {
        // Command Complete of LE Set Data Length; SCO; ISO; Read RSSI; a vendor's command, whose answer is not known.
        let all = dissect([
            "> 04 0e 06 01 2220 00 4000", "> 03 3000 02 aabb", "< 05 6020 0200 aabb", "> 04 0e 07 01 0514 00 4000 c4",
            "> 04 0e 06 01 01fc 00 4000",
        ])
        #expect(all.map { $0.handle?.rawValue } == [0x0040, 0x0030, 0x0060, 0x0040, nil])
    }

    @Test func whatIsAVendorsIsNamedSo() {
        let all = dissect([
            "< 01 17fc 02 1401", "> 04 0e 04 01 17fc 00", "> 04 ff 02 5603", "> 02 dc2e 0400 00000000",
            "> 04 3e 02 99 00", "> 04 7e 00", "< 01 ff23 00", "> 02 4020 0700 0300 0500 99 01 00",
            "> 02 4020 0600 0200 0600 99 01", "> 02 4020 0600 0200 0400 99 01", "> 02 4020 0600 0200 3900 9901",
        ])
        #expect(all.map(\.isVendorSpecific) == [true, true, true, true] + Array(repeating: false, count: 7))
        #expect(
            all.map(\.name) == [
                "Vendor Specific 0xFC17", "Command Complete", "Vendor Specific", "Vendor Log",
                "Unknown LE Event 0x99", "Unknown Event 0x7E", "Unknown Command 0x23FF",
                "Unknown Signaling Command 0x99", "Unknown Pairing PDU 0x99", "Unknown ATT PDU 0x99",
                "L2CAP Channel 0x0039",
            ])
    }

    @Test func aPayloadThatTheRecorderWithheldIsNamedSo() {
        let prohibited = "50524f48494249544544"
        let all = dissect([
            connected, "> 02 4020 1200 0e00 4100 0bef1500" + prohibited, "> 02 4020 0e00 0a00 4100" + prohibited,
            "> 02 4020 0d00 0900 4100 0bef15005052 4f4849",
            // The same in an attribute is somebody's value.
            "> 02 4020 1100 0d00 0400 1b 2500" + prohibited,
        ])
        #expect(all.map(\.isRedacted) == [false, true, true, false, false])
        #expect(all[1].name == "Payload Withheld by the Recorder")
    }
}
