import ATT
import Capture
import Dissection
import HCI
import HeartRate
import TestSupport
import Testing
import Wire

/// A notification of attribute 0x0025: 70 beats a minute.
private let notification = "> 02 4020 0900 0500 0400 1b 2500 06 46"

@Suite struct AssumptionTests {
    @Test func aLinkWithoutABeginningIsToldOnce() {
        let all = dissect([notification, notification, disconnected, connected, notification])
        #expect(all.map(\.newAssumptions) == [.linkBeganEarlier, [], [], [], []])
        #expect(all.map(\.assumptions) == [.linkBeganEarlier, [], [], [], []])
    }

    @Test func aClassicLinkHasABeginningToo() {
        // Connection Complete, handle 0x000B, 02:00:00:00:00:07, ACL; then data on a dynamic channel.
        let all = dissect(["> 04 03 0b 00 0b00 070000000002 01 00", "> 02 0b20 0600 0200 4100 aabb"])
        #expect(all.allSatisfy { $0.assumptions.isEmpty })
        #expect(all[1].peer?.address.description == "02:00:00:00:00:07")
        // A SCO link is none for data.
        let voice = dissect(["> 04 03 0b 00 0b00 070000000002 00 00", "> 02 0b20 0600 0200 4100 aabb"])
        #expect(voice[1].newAssumptions == .linkBeganEarlier)
    }

    @Test func dataWithoutADirectionIsToldOnceALink() {
        let packets = [connected, notification, notification].map { "=" + $0.dropFirst() }
        #expect(dissect(packets).map(\.newAssumptions) == [[], .sentByPeer, []])
        let midstream = dissect(["=" + notification.dropFirst()])
        #expect(midstream[0].newAssumptions == [.linkBeganEarlier, .sentByPeer])
    }

    @Test func theUsersWordForAHeartRateIsAnAssumptionEachTimeAndNewOnce() {
        let all = dissect([connected, notification, notification], heartRateHandles: [0x0025])
        #expect(all.map(\.assumptions) == [[], .heartRateHandle, .heartRateHandle])
        #expect(all.map(\.newAssumptions) == [[], .heartRateHandle, []])
        #expect(all[2].heartRate?.beatsPerMinute == 70)
    }

    @Test func aTypeFromAnEarlierLinkIsAnAssumptionUntilItIsToldAgain() throws {
        // Find Information 0x0025…0x0025: 0x0025 is a Heart Rate Measurement.
        let discovery = ["< 02 4000 0900 0500 0400 04 2500 2500", "> 02 4020 0a00 0600 0400 05 01 2500 372a"]
        let all = dissect(
            [connected] + discovery + [notification, disconnected, connected, notification, notification] + discovery
                + [notification])
        #expect(all[3].attribute?.attributeType == 0x2A37)
        #expect(all[3].assumptions.isEmpty)
        #expect(all[6].attribute?.attributeType == 0x2A37)
        #expect(all[6].heartRate?.beatsPerMinute == 70)
        #expect(all[6].newAssumptions == .typeOfEarlierLink)
        #expect(all[7].assumptions == .typeOfEarlierLink && all[7].newAssumptions.isEmpty)
        #expect(all[10].attribute?.attributeType == 0x2A37)
        #expect(all[10].assumptions.isEmpty)
    }

    @Test func anotherPeersTypesAreNotTakenOver() {
        let discovery = ["< 02 4000 0900 0500 0400 04 2500 2500", "> 02 4020 0a00 0600 0400 05 01 2500 372a"]
        let other = "> 04 3e 13 01 00 4000 00 01 02000000dec0 1800 0000 4800 00"
        let all = dissect([connected] + discovery + [disconnected, other, notification])
        #expect(all[5].attribute?.attributeType == nil)
        #expect(all[5].assumptions.isEmpty)
    }

    @Test func everyAssumptionHasAText() {
        let all: [Assumptions] = [.linkBeganEarlier, .sentByPeer, .typeOfEarlierLink, .heartRateHandle]
        #expect(Set(all.map(\.description)).count == 4)
        #expect(Assumptions().description.isEmpty)
        #expect(Assumptions(all).description.split(separator: ";").count == 4)
    }
}
