import ATT
import GATT
import HCI
import TestSupport
import Testing
import Wire

@testable import Host

/// What goes to and comes from a connected peer, in octets from the specification (Core Vol 3, Parts A, F, G and H).
@Suite struct PeerTrafficTests {
    private let valueHandle = ATT.Handle(0x0012)

    // MARK: Requests of ours

    /// Find the service by its value, its characteristics, the descriptor; write it: four requests, and one bit.
    @Test func subscribesInFourRequests() {
        var (bench, id) = HostBench.connected()
        let ticket = bench.ask(.gatt(id, .subscribe(service: 0x180D, characteristic: 0x2A37)))
        #expect(bench.attSent() == [octets("06 0100 FFFF 0028 0D18")])
        bench.att("07 1000 1700")
        #expect(bench.attSent() == [octets("08 1000 1700 0328")])
        bench.att("09 07 1100 10 1200 372A 1400 02 1500 382A")
        #expect(bench.attSent() == [octets("04 1300 1300")])
        bench.att("05 01 1300 0229")
        let source = HostEngine.Source(connection: id, handle: valueHandle)
        // The way for values is open before the peer is told to send any.
        #expect(bench.others.last == .notifying(ticket, source))
        #expect(bench.attSent() == [octets("12 1300 0100")])
        // A strap that notifies before it answers.
        bench.att("1B 1200 1648 0003")
        #expect(bench.others.last == .notification(source, octets("1648 0003"), bench.now))
        bench.att("13")
        let found = NotifyingCharacteristic(
            service: HandleRange(0x0010, 0x0017), uuid: 0x2A37, valueHandle: valueHandle, properties: .notify,
            configurationHandle: 0x0013, configuration: .notifications)
        #expect(bench.answers[ticket] == .success(.subscribed(found, .found)))
    }

    @Test func theRefusalToNotifyReachesTheAsker() {
        var (bench, id) = HostBench.connected()
        let ticket = bench.ask(.gatt(id, .subscribe(service: 0x180D, characteristic: 0x2A37)))
        bench.att("07 1000 1700")
        bench.att("09 07 1100 10 1200 372A")
        bench.att("05 01 1300 0229")
        bench.att("01 12 1300 05")
        let refusal = HostError.peer(
            .refused(request: .writeRequest, handle: 0x0013, code: .insufficientAuthentication))
        #expect(bench.failure(ticket) == refusal)
    }

    @Test func requestsWaitForEachOther() {
        var (bench, id) = HostBench.connected()
        let first = bench.ask(.gatt(id, .read(0x0003)))
        let second = bench.ask(.gatt(id, .read(0x0005)))
        #expect(bench.attSent() == [octets("0A 0300")])
        bench.att("0B 01")
        #expect(bench.attSent() == [octets("0A 0500")])
        bench.att("01 0A 0500 02")
        #expect(bench.answers[first] == .success(.value([0x01])))
        let refusal = HostError.peer(.refused(request: .readRequest, handle: 0x0005, code: .readNotPermitted))
        #expect(bench.failure(second) == refusal)
    }

    @Test func aRequestUnansweredFor30SecondsEndsTheConnection() {
        var (bench, id) = HostBench.connected()
        let first = bench.ask(.gatt(id, .read(0x0003)))
        let second = bench.ask(.gatt(id, .read(0x0005)))
        _ = bench.sent()
        bench.pass(.seconds(29))
        #expect(bench.sent() == [])
        bench.pass(.seconds(1))
        #expect(bench.failure(first) == .peer(.timedOut(request: .readRequest)))
        #expect(bench.sent() == [octets("01 0604 03 4000 13")])
        #expect(bench.answerCounts[second] == 1)
        // A late answer is taken for nobody's, and nothing more is asked.
        bench.att("0B 01")
        let third = bench.ask(.gatt(id, .read(0x0007)))
        #expect(bench.answerCounts[first] == 1)
        #expect(bench.answerCounts[third] == 1)
        #expect(bench.sent() == [])
    }

    @Test func aRequestTakenBackKeepsTheBearerUntilItIsAnswered() {
        var (bench, id) = HostBench.connected()
        let first = bench.ask(.gatt(id, .read(0x0003)))
        bench.cancel(first)
        #expect(bench.failure(first) == .cancelled)
        let second = bench.ask(.gatt(id, .read(0x0005)))
        #expect(bench.attSent() == [octets("0A 0300")])
        bench.att("0B 01")
        #expect(bench.attSent() == [octets("0A 0500")])
        bench.att("0B 02")
        #expect(bench.answers[second] == .success(.value([0x02])))
        #expect(bench.answerCounts[first] == 1)
    }

    @Test func theMTUIsTheLesserOfBoth() {
        var (bench, id) = HostBench.connected()
        let ticket = bench.ask(.gatt(id, .exchangeMTU))
        #expect(bench.attSent() == [octets("02 0502")])
        bench.att("03 F700")
        #expect(bench.answers[ticket] == .success(.mtu(247)))
        guard case .connectionChanged(let connection) = bench.others.last else {
            Issue.record("\(bench.others)")
            return
        }
        #expect(connection.mtu == 247)
    }

    // MARK: Requests of the peer's

    /// The peer's own requests come while one of ours is outstanding; each is answered at once, and ours goes on.
    @Test(
        arguments: [
            ("02 F700", "03 0502"),
            // Our two services: what every device has (Core Vol 3, Part C, 12.1 and 12.2).
            ("10 0100 FFFF 0028", "11 06 0100 0500 0018 0600 0600 0118"),
            ("0A 0300", "0B 68722D726177"),
            ("0A 0005", "01 0A 0005 01"),
            ("12 0300 41", "01 12 0300 03"),
            ("3E 00", "01 3E 0000 06"),
            ("1D 1200 00", "1E"),
        ])
    func answersThePeerAtOnce(_ request: String, _ response: String) {
        var (bench, id) = HostBench.connected()
        let read = bench.ask(.gatt(id, .read(0x0003)))
        _ = bench.sent()
        bench.att(request)
        #expect(bench.attSent() == [octets(response)])
        bench.att("0B 07")
        #expect(bench.answers[read] == .success(.value([0x07])))
    }

    /// A write command to us, and commands that nobody knows.
    @Test(arguments: ["52 0300 41", "7E 0102", "D2 0300 41 000000000000000000000000"])
    func commandsAreNeverAnswered(_ command: String) {
        var (bench, _) = HostBench.connected()
        bench.att(command)
        #expect(bench.sent() == [])
    }

    @Test(arguments: ["", "1B", "1B 12", "1D", "0B 00", "01", "23 12 00 05 00 01", "07", "FF"])
    func nonsenseOnTheAttributeChannelChangesNothing(_ pdu: String) {
        var (bench, id) = HostBench.connected()
        bench.att(pdu)
        let read = bench.ask(.gatt(id, .read(0x0003)))
        bench.att("0B 07")
        #expect(bench.answers[read] == .success(.value([0x07])))
    }

    @Test func severalValuesInOneNotification() {
        var (bench, id) = HostBench.connected()
        bench.att("23 1200 0200 1648 2000 0100 57")
        let values = bench.others.compactMap { effect -> [UInt8]? in
            if case .notification(let source, let value, _) = effect, source.connection == id { value } else { nil }
        }
        #expect(values == [octets("1648"), octets("57")])
    }

    // MARK: Connection parameters

    /// A strap that is refused these leaves after half a minute.
    @Test func validParametersAreGranted() {
        var (bench, id) = HostBench.connected()
        bench.frame(0x05, "12 01 0800 1800 2800 0000 F401")
        #expect(
            bench.sent() == [
                octets("02 4000 0A00 0600 0500 13 01 0200 0000"),
                octets("01 1320 0E 4000 1800 2800 0000 F401 0000 0000"),
            ])
        bench.status("1320")
        bench.event("3E", "03 00 4000 2800 0000 F401")
        guard case .connectionChanged(let connection) = bench.others.last else {
            Issue.record("\(bench.others)")
            return
        }
        #expect(connection.id == id)
        #expect(connection.interval.rawValue == 0x28)
    }

    /// A controller refuses a change while another is under way (Core Vol 4, Part E, 7.8.18): of the wishes that come meanwhile the
    /// last one follows, when the first has come true and when it was refused.
    @Test(arguments: [true, false]) func oneChangeOfParametersAtATime(_ isTaken: Bool) {
        var (bench, _) = HostBench.connected()
        for interval in ["1800", "2000", "3000"] {
            bench.frame(0x05, "12 01 0800" + interval + "4000 0000 F401")
        }
        func changes(_ packets: [[UInt8]]) -> [[UInt8]] { packets.filter { $0.starts(with: octets("01 1320")) } }
        #expect(changes(bench.sent()) == [octets("01 1320 0E 4000 1800 4000 0000 F401 0000 0000")])
        bench.status("1320", isTaken ? "00" : "0C")
        if isTaken {
            #expect(changes(bench.sent()) == [])
            bench.event("3E", "03 00 4000 4000 0000 F401")
        }
        #expect(changes(bench.sent()) == [octets("01 1320 0E 4000 3000 4000 0000 F401 0000 0000")])
        bench.status("1320")
        bench.event("3E", "03 00 4000 4000 0000 F401")
        #expect(changes(bench.sent()) == [])
    }

    /// A wish that has to wait is noted when it is known what becomes of it: its turn, or a later wish in its place.
    @Test func aWishThatWaitsIsNotNotedAsGranted() {
        var (bench, id) = HostBench.connected()
        let granted = HostEngine.Note.connectionParametersRequested(id, accepted: true)
        let refused = HostEngine.Note.connectionParametersRequested(id, accepted: false)
        bench.frame(0x05, "12 01 0800 1800 4000 0000 F401")
        bench.frame(0x05, "12 02 0800 2000 4000 0000 F401")
        #expect(bench.notes == [granted])
        bench.frame(0x05, "12 03 0800 3000 4000 0000 F401")
        #expect(bench.notes == [granted, refused])
        bench.status("1320")
        bench.event("3E", "03 00 4000 4000 0000 F401")
        #expect(bench.notes == [granted, refused, granted])
    }

    /// The controller has taken a change and never tells that it is done.
    @Test func aChangeThatNeverEndsDoesNotKeepTheNextForEver() {
        var (bench, _) = HostBench.connected()
        bench.frame(0x05, "12 01 0800 1800 4000 0000 F401")
        bench.status("1320")
        bench.frame(0x05, "12 02 0800 2000 4000 0000 F401")
        _ = bench.sent()
        bench.pass(.seconds(40))
        #expect(bench.sent() == [])
        bench.pass(.seconds(20))
        #expect(bench.sent() == [octets("01 1320 0E 4000 2000 4000 0000 F401 0000 0000")])
    }

    /// Too short an interval; its ends the wrong way round; latency too high; a timeout shorter than the latency allows.
    @Test(
        arguments: [
            "0500 2800 0000 F401", "2800 1800 0000 F401", "1800 2800 F501 F401", "1800 2800 0000 0900",
            "800C 800C 0000 C800",
        ])
    func invalidParametersAreRefused(_ parameters: String) {
        var (bench, _) = HostBench.connected()
        bench.frame(0x05, "12 01 0800" + parameters)
        #expect(bench.sent() == [octets("02 4000 0A00 0600 0500 13 01 0200 0100")])
        bench.event("3E", "06 4000" + parameters)
        // Unacceptable Connection Parameters.
        #expect(bench.sent() == [octets("01 2120 03 4000 3B")])
    }

    @Test func validParametersAreGrantedThroughTheControllerToo() {
        var (bench, _) = HostBench.connected()
        bench.event("3E", "06 4000 1800 2800 0000 F401")
        #expect(bench.sent() == [octets("01 2020 0E 4000 1800 2800 0000 F401 0000 0000")])
    }

    /// The controller answers nothing; a peer that asks without end must not fill the memory.
    @Test func wishesWithoutEndAreBounded() {
        var (bench, _) = HostBench.connected()
        for _ in 0..<10_000 { bench.event("3E", "06 4000 1800 2800 0000 F401") }
        #expect(bench.sent().count == 1)
        bench.pass(.seconds(60))
        #expect(bench.sent().count < HostEngine.mostUnimportantCommands)
        #expect(bench.ends == [])
    }

    // MARK: Other channels

    @Test(arguments: ["01 03 00 01 10 07 07", "0B 01"])
    func pairingIsRefused(_ pdu: String) {
        var (bench, _) = HostBench.connected()
        bench.frame(0x06, pdu)
        // Pairing Failed: Pairing Not Supported.
        #expect(bench.sent() == [octets("02 4000 0600 0200 0600 05 05")])
    }

    @Test func unknownSignalsAreRejectedAndRejectsAreNot() {
        var (bench, _) = HostBench.connected()
        bench.frame(0x05, "30 07 0000")
        #expect(bench.sent() == [octets("02 4000 0A00 0600 0500 01 07 0200 0000")])
        bench.frame(0x05, "01 07 0200 0000")
        bench.frame(0x40, "00112233")
        #expect(bench.sent() == [])
    }

    @Test func aKeyThatDoesNotExistIsRefused() {
        var (bench, _) = HostBench.connected()
        bench.event("3E", "05 4000 0000000000000000 0000")
        #expect(bench.sent() == [octets("01 1B20 02 4000")])
    }

    // MARK: Data in pieces

    @Test func aFrameWhoseHeaderIsSplit() {
        var (bench, id) = HostBench.connected()
        let read = bench.ask(.gatt(id, .read(0x0003)))
        bench.bring("02 4020 0100 03")
        bench.bring("02 4010 0600 00 0400 0B 11 22")
        #expect(bench.answers[read] == .success(.value([0x11, 0x22])))
    }

    @Test func halfAFrameDoesNotOutliveItsConnection() {
        var (bench, _) = HostBench.connected()
        bench.bring("02 4020 0500 0300 0400 0B")
        bench.event("05", "00 4000 08")
        let ticket = bench.connect()
        bench.connected()
        guard let id = bench.connection(ticket)?.id else {
            Issue.record("not connected")
            return
        }
        let read = bench.ask(.gatt(id, .read(0x0003)))
        bench.bring("02 4010 0200 11 22")
        #expect(bench.answers[read] == nil)
        bench.att("0B 33")
        #expect(bench.answers[read] == .success(.value([0x33])))
    }

    /// Four buffers: the fifth packet waits for a completion, and no completion counts for another connection.
    @Test func dataWaitsForTheControllersBuffers() {
        var (bench, id) = HostBench.connected()
        for number in 0..<6 { bench.ask(.gatt(id, .writeWithoutResponse(0x0003, [UInt8(number)]))) }
        #expect(bench.attSent().map(\.last) == [0, 1, 2, 3])
        bench.packetCompleted(handle: 0x41)
        #expect(bench.sent() == [])
        bench.packetCompleted()
        #expect(bench.attSent().map(\.last) == [4])
        bench.event("13", "01 4000 FFFF")
        #expect(bench.attSent().map(\.last) == [5])
        #expect(bench.engine.data.inFlight(on: ConnectionHandle(rawValue: 0x40)) == 1)
    }

    @Test func theBuffersOfALostConnectionAreFreeAgain() {
        var (bench, id) = HostBench.connected()
        for number in 0..<6 { bench.ask(.gatt(id, .writeWithoutResponse(0x0003, [UInt8(number)]))) }
        bench.event("05", "00 4000 08")
        #expect(bench.engine.data.available == 4)
        #expect(bench.engine.data.waiting(on: ConnectionHandle(rawValue: 0x40)) == 0)
    }

    @Test func aControllerThatCompletesNothingDoesNotFillTheMemory() {
        var (bench, id) = HostBench.connected()
        for _ in 0..<10_000 { bench.ask(.gatt(id, .writeWithoutResponse(0x0003, [1]))) }
        #expect(bench.engine.data.waiting(on: ConnectionHandle(rawValue: 0x40)) <= bench.engine.data.limit)
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
    }
}
