import ATT
import HCI
import TestSupport
import Testing
import Wire

@testable import Host

@Suite struct ConnectingTests {
    private let unknownID = HostError.disconnected(.unknownConnectionIdentifier)

    /// 50 to 70 ms, no latency, 5 s; the kind of the address is carried.
    @Test func connectsWithTheProfilesParameters() throws {
        var bench = HostBench.ready()
        let ticket = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        #expect(
            bench.sent() == [octets("01 0D20 19 6000 6000 00 01 01F4F3F2F1F0 00 2800 3800 0000 F401 0000 0000")])
        bench.status("0D20")
        #expect(bench.answers[ticket] == nil)
        bench.connected()
        let connection = try #require(bench.connection(ticket))
        #expect(connection.id.handle.rawValue == 0x40)
        #expect(connection.peer == HostBench.strap)
        #expect(connection.interval.rawValue == 0x27)
        #expect(connection.supervisionTimeout.rawValue == 0x01F4)
        #expect(connection.mtu == 23)
        #expect(bench.answerCounts[ticket] == 1)
    }

    @Test func connectsTheExtendedWayOnOnePHY() {
        var bench = HostBench.ready(.extended)
        let ticket = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        #expect(
            bench.sent() == [
                octets("01 4320 1A 00 00 01 01F4F3F2F1F0 01 6000 6000 2800 3800 0000 F401 0000 0000")
            ])
        bench.status("4320")
        // LE Enhanced Connection Complete.
        bench.event(
            "3E", "0A 00 4000 00 01 01F4F3F2F1F0 000000000000 000000000000 2700 0000 F401 00")
        #expect(bench.connection(ticket)?.peer == HostBench.strap)
    }

    @Test func waitsForTheScanToStop() {
        var bench = HostBench.scanning
        bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        #expect(bench.sent() == [octets("01 0C20 02 00 00")])
        // Reports on their way are still taken, and nothing else is sent before the answer.
        bench.event("3E", "02 01 00 01 01F4F3F2F1F0 00 CE")
        #expect(bench.sent() == [])
        bench.complete("0C20")
        #expect(bench.sent().map { $0.prefix(3) } == [octets("01 0D20")[...]])
    }

    @Test func aFailedAttemptDoesNotTouchTheConnectionWithHandleZero() {
        var bench = HostBench.ready()
        let first = bench.connect()
        bench.connected(handle: 0)
        let id = bench.connection(first)?.id
        let second = bench.ask(
            .connect(DeviceAddress(.public, Address(rawValue: 0x0102_0304_0506)), .heartRate, within: .seconds(9)))
        bench.status("0D20")
        bench.event("3E", "01 09 0000 00 00 000000000000 0000 0000 0000 00")
        #expect(bench.failure(second) == .connectionLimit(held: 1))
        #expect(!bench.others.contains { if case .disconnected = $0 { true } else { false } })
        guard let id else {
            Issue.record("not connected")
            return
        }
        let read = bench.ask(.gatt(id, .read(0x0003)))
        bench.att("0B 2A", handle: 0)
        #expect(bench.answers[read] == .success(.value([0x2A])))
    }

    @Test func failedToBeEstablishedIsTriedAgain() {
        var bench = HostBench.ready()
        let ticket = bench.connect()
        bench.event("3E", "01 3E 0000 00 01 01F4F3F2F1F0 0000 0000 0000 00")
        #expect(bench.sent().map { $0.prefix(3) } == [octets("01 0D20")[...]])
        #expect(bench.answers[ticket] == nil)
    }

    @Test func timeoutCancelsAndWaitsForTheCompletion() {
        var bench = HostBench.ready()
        let ticket = bench.connect(within: .seconds(5))
        bench.pass(.seconds(5))
        #expect(bench.sent() == [octets("01 0E20 00")])
        bench.complete("0E20")
        #expect(bench.answers[ticket] == nil)
        bench.event("3E", "01 02 0000 00 00 000000000000 0000 0000 0000 00")
        #expect(bench.failure(ticket) == .timedOut(.connecting))
    }

    @Test func aSuccessThatComesAfterTheCancelIsTaken() {
        var bench = HostBench.ready()
        let ticket = bench.connect(within: .seconds(5))
        bench.pass(.seconds(5))
        // Command Disallowed: there is nothing to cancel any more.
        bench.complete("0E20", "0C")
        bench.connected()
        #expect(bench.connection(ticket) != nil)
    }

    @Test func aSuccessThatNobodyWantsAnyMoreIsDisconnected() {
        var bench = HostBench.ready()
        let ticket = bench.connect()
        bench.cancel(ticket)
        #expect(bench.sent() == [octets("01 0E20 00")])
        bench.complete("0E20")
        bench.connected()
        #expect(bench.sent() == [octets("01 0604 03 4000 13")])
        #expect(bench.failure(ticket) == .cancelled)
        #expect(bench.answerCounts[ticket] == 1)
    }

    @Test func theLateEndOfAnAttemptSaysNothingOfTheNext() {
        var bench = HostBench.ready()
        let first = bench.connect(within: .seconds(5))
        bench.pass(.seconds(9))
        #expect(bench.failure(first) == .timedOut(.connecting))
        bench.complete("0E20")
        let second = bench.connect()
        bench.event("3E", "01 02 0000 00 00 000000000000 0000 0000 0000 00")
        #expect(bench.answers[second] == nil)
        bench.connected()
        #expect(bench.connection(second) != nil)
    }

    @Test func aStrangersConnectionIsDisconnected() {
        var bench = HostBench.ready()
        let ticket = bench.connect()
        bench.connected(peer: "99F4F3F2F1F0")
        #expect(bench.sent() == [octets("01 0604 03 4000 13")])
        #expect(bench.answers[ticket] == nil)
        #expect(bench.notes.count == 1)
    }

    @Test func aRefusedCommandIsToldAndTheNextAttemptBegins() {
        var bench = HostBench.ready()
        let first = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(9)))
        let second = bench.ask(.connect(HostBench.otherStrap, .heartRate, within: .seconds(9)))
        _ = bench.sent()
        bench.status("0D20", "12")
        #expect(bench.failure(first) == .command(.refused(Opcode(rawValue: 0x200D), .invalidCommandParameters)))
        #expect(bench.answers[second] == nil)
        #expect(bench.sent().map { $0.prefix(3) } == [octets("01 0D20")[...]])
    }

    // MARK: Ending

    @Test func disconnectingAnswersEverybodyOnce() {
        var (bench, id) = HostBench.connected()
        let read = bench.ask(.gatt(id, .read(0x0003)))
        let queued = bench.ask(.gatt(id, .read(0x0005)))
        let first = bench.ask(.disconnect(id))
        let second = bench.ask(.disconnect(id))
        _ = bench.sent()
        bench.status("0604")
        #expect(bench.answers[first] == nil)
        bench.event("05", "00 4000 16")
        let reason = Status.terminatedByLocalHost
        #expect(bench.answers[read] == .failure(.disconnected(reason)))
        #expect(bench.answers[queued] == .failure(.disconnected(reason)))
        #expect(bench.answers[first] == .success(.done))
        #expect(bench.answers[second] == .success(.done))
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
        #expect(bench.others.filter { $0 == .disconnected(id, reason) }.count == 1)
    }

    @Test func nothingIsSentOnAConnectionThatIsToEnd() {
        var (bench, id) = HostBench.connected()
        bench.ask(.gatt(id, .discover))
        bench.ask(.disconnect(id))
        _ = bench.sent()
        bench.att("11 06 0100 0500 0018")
        bench.att("02 F700")
        bench.frame(0x05, "12 01 0800 1800 2800 0000 F401")
        bench.event("3E", "06 4000 1800 2800 0000 F401")
        let read = bench.ask(.gatt(id, .read(0x0003)))
        #expect(bench.sent() == [])
        bench.status("0604")
        bench.event("05", "00 4000 16")
        #expect(bench.failure(read) == .disconnected(.terminatedByLocalHost))
    }

    @Test func anEndThatTheControllerNeverTellsIsNotWaitedForLonger() {
        var (bench, id) = HostBench.connected()
        let ticket = bench.ask(.disconnect(id))
        bench.pass(.seconds(10))
        #expect(bench.answers[ticket] == .success(.done))
        #expect(bench.notes.contains(.disconnectUnanswered(id)))
    }

    @Test func aConnectionThatTheControllerDoesNotKnowIsOver() {
        var (bench, id) = HostBench.connected()
        let ticket = bench.ask(.disconnect(id))
        bench.status("0604", "02")
        #expect(bench.answers[ticket] == .success(.done))
    }

    /// Many controllers drop with the connection what they have not sent.
    @Test func aDisconnectionWaitsForWhatWasSentBefore() {
        let disconnect = octets("01 0604 03 4000 13")
        var (bench, id) = HostBench.connected()
        _ = bench.ask(.gatt(id, .writeWithoutResponse(0x0003, [1])))
        _ = bench.ask(.gatt(id, .writeWithoutResponse(0x0003, [2])))
        let ticket = bench.ask(.disconnect(id))
        bench.packetCompleted()
        #expect(!bench.sent().contains(disconnect))
        let late = bench.ask(.gatt(id, .read(0x0003)))
        #expect(bench.attSent() == [], "nothing is said any more")
        bench.packetCompleted()
        #expect(bench.sent() == [disconnect])
        bench.status("0604")
        bench.event("05", "00 4000 16")
        #expect(bench.answers[ticket] == .success(.done))
        #expect(bench.failure(late) == .disconnected(.terminatedByLocalHost))
        #expect(bench.engine.nextDeadline == nil)
    }

    @Test func aDisconnectionDoesNotWaitForLong() {
        let disconnect = octets("01 0604 03 4000 13")
        var (bench, id) = HostBench.connected()
        _ = bench.ask(.gatt(id, .writeWithoutResponse(0x0003, [1])))
        let ticket = bench.ask(.disconnect(id))
        _ = bench.sent()
        bench.pass(.milliseconds(999))
        #expect(bench.sent() == [])
        bench.pass(.milliseconds(1))
        #expect(bench.sent() == [disconnect])
        // And once only.
        bench.packetCompleted()
        #expect(bench.sent() == [])
        bench.status("0604")
        bench.pass(.seconds(6))
        #expect(bench.answers[ticket] == .success(.done))
    }

    @Test func aHandleUsedAgainIsAnotherConnection() {
        var (bench, old) = HostBench.connected()
        bench.event("05", "00 4000 08")
        let ticket = bench.connect()
        bench.connected()
        let new = bench.connection(ticket)?.id
        #expect(new?.handle == old.handle)
        #expect(new != old)
        _ = bench.sent()
        // Nothing of the old one reaches the new one.
        let read = bench.ask(.gatt(old, .read(0x0003)))
        let disconnect = bench.ask(.disconnect(old))
        #expect(bench.failure(read) == unknownID)
        #expect(bench.answers[disconnect] == .success(.done))
        #expect(bench.sent() == [])
    }

    @Test func aHandleGivenAgainWithoutAnEndEndsTheOld() {
        var (bench, old) = HostBench.connected()
        let read = bench.ask(.gatt(old, .read(0x0003)))
        let ticket = bench.connect()
        bench.connected()
        #expect(bench.failure(read) == .disconnected(.unspecifiedError))
        #expect(bench.connection(ticket) != nil)
        // And its half-received PDU is not taken for the start of one of the new connection.
        bench.bring("02 4010 0200 AABB")
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
    }

    @Test func unknownHandlesAreIgnored() {
        var (bench, id) = HostBench.connected()
        bench.event("05", "00 4100 08")
        bench.event("13", "01 4100 0500")
        bench.event("3E", "03 00 4100 2700 0000 F401")
        bench.event("3E", "06 4100 2700 2700 0000 F401")
        bench.att("1B 0300 01", handle: 0x41)
        #expect(bench.sent() == [])
        #expect(bench.notes == [.unknownConnection(ConnectionHandle(rawValue: 0x41))])
        let read = bench.ask(.gatt(id, .read(0x0003)))
        bench.att("0B 01")
        #expect(bench.answers[read] == .success(.value([0x01])))
    }

    @Test func aFailedDisconnectionEndsNothing() {
        var (bench, id) = HostBench.connected()
        bench.event("05", "0C 4000 13")
        let read = bench.ask(.gatt(id, .read(0x0003)))
        bench.att("0B 01")
        #expect(bench.answers[read] == .success(.value([0x01])))
    }

    /// What a peer says of the end is the peer's word: the reason for a lost controller is the host's alone.
    @Test func noPeerSpeaksForTheController() {
        var (bench, id) = HostBench.connected()
        bench.event("05", "00 4000 03")
        #expect(bench.others.contains(.disconnected(id, .unspecifiedError)))
    }

    // MARK: Stopping

    @Test func stoppingDisconnectsAndAnswersEverybody() {
        var (bench, id) = HostBench.connected()
        let wait = bench.ask(.wait(.seconds(60)))
        let read = bench.ask(.gatt(id, .read(0x0003)))
        _ = bench.sent()
        let stop = bench.ask(.stop)
        #expect(bench.sent() == [octets("01 0604 03 4000 13")])
        let late = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(5)))
        #expect(bench.failure(late) == .cancelled)
        bench.status("0604")
        bench.event("05", "00 4000 16")
        #expect(bench.answers[stop] == .success(.done))
        #expect(bench.failure(wait) == .cancelled)
        #expect(bench.failure(read) == .disconnected(.terminatedByLocalHost))
        #expect(bench.engine.nextDeadline == nil)
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
    }

    @Test func stoppingDoesNotWaitForAControllerThatDoesNotReact() {
        var (bench, _) = HostBench.connected()
        let stop = bench.ask(.stop)
        bench.pass(.seconds(2))
        #expect(bench.answers[stop] == .success(.done))
        #expect(bench.engine.nextDeadline == nil)
    }

    /// An event that comes twice, or a handle that is given again: the connection that there is then has to be ended like any other.
    @Test func stoppingWaitsForAConnectionThatTakesTheLastOnesPlace() {
        var (bench, _) = HostBench.connected()
        let stop = bench.ask(.stop)
        _ = bench.sent()
        bench.connected()
        #expect(bench.answers[stop] == nil)
        #expect(bench.engine.links.count == 1)
        bench.status("0604")
        #expect(bench.sent() == [octets("01 0604 03 4000 13")])
        bench.event("05", "00 4000 16")
        #expect(bench.answers[stop] == .success(.done))
        #expect(bench.engine.census.entries == 0)
    }

    @Test func stoppingStopsTheScan() {
        var bench = HostBench.scanning
        let stop = bench.ask(.stop)
        #expect(bench.sent() == [octets("01 0C20 02 00 00")])
        #expect(bench.answers[stop] == nil)
        bench.complete("0C20")
        #expect(bench.answers[stop] == .success(.done))
        #expect(bench.sent() == [])
    }
}
