import ATT
import GAP
import GATT
import HCI
import TestSupport
import Testing
import Wire

@testable import Host

/// Controllers and peers that leave something unanswered, or do not let it be sent.
@Suite struct SilenceTests {
    /// The command may have been done and its answer lost, and the families must not be mixed before a reset (Core Vol 4, Part E,
    /// 3.1.1).
    @Test func silenceToTheFirstExtendedScanCommandLeadsToTheLegacyFamilyAfterAReset() {
        var bench = HostBench.ready(.extended)
        let scan = bench.ask(.scan(isActive: true))
        _ = bench.sent()
        bench.pass(.milliseconds(1999))
        #expect(bench.sent() == [])
        bench.pass(.milliseconds(1))
        #expect(bench.sent() == [octets("01 030C 00")])
        for step in ScriptedController.extended.script { bench.complete(step.opcode, step.answer) }
        #expect(bench.sent().last == octets("01 0B20 07 01 6000 3000 00 00"))
        bench.complete("0B20")
        bench.complete("0C20")
        #expect(bench.answers[scan] == .success(.done))
        #expect(bench.ends == [])
    }

    @Test func silenceToTheFirstExtendedConnectCommandLeadsToTheLegacyFamilyAfterAReset() {
        var bench = HostBench.ready(.extended)
        let connect = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        _ = bench.sent()
        bench.pass(.seconds(2))
        #expect(bench.sent() == [octets("01 030C 00")])
        for step in ScriptedController.extended.script { bench.complete(step.opcode, step.answer) }
        #expect(bench.sent().last?.starts(with: octets("01 0D20")) == true)
        bench.status("0D20")
        bench.connected()
        #expect(bench.connection(connect) != nil)
    }

    /// The families must not be mixed, so that nothing can take the place of a command that goes unanswered later: nobody knows what
    /// the radio does, and the controller begins anew. One that does not answer Reset either is given up.
    @Test func silenceAfterAnExtendedCommandWasAcceptedResetsTheController() {
        var bench = HostBench.ready(.extended)
        bench.ask(.scan(isActive: true))
        bench.complete("4120")
        bench.pass(.milliseconds(4999))
        #expect(bench.notes == [])
        _ = bench.sent()
        bench.pass(.milliseconds(1))
        #expect(bench.notes == [.controllerSilent(Opcode(rawValue: 0x2042))])
        #expect(bench.sent() == [octets("01 030C 00")])
        bench.pass(.seconds(5))
        #expect(bench.ends == [.command(.unanswered(Opcode(rawValue: 0x0C03)))])
    }

    // MARK: A completion without the status before it

    /// What came about was begun: the status that is missing is not worth a reset, which would end the connection.
    @Test(arguments: [false, true]) func aConnectionSettlesTheCommandThatMadeIt(_ isExtended: Bool) {
        var bench = HostBench.ready(isExtended ? .extended : .legacy)
        let connect = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        bench.connected()
        guard let id = bench.connection(connect)?.id else {
            Issue.record("not connected")
            return
        }
        // The controller takes other commands meanwhile.
        _ = bench.sent()
        bench.ask(.readSignalStrength(id))
        #expect(bench.sent() == [octets("01 0514 02 4000")])
        bench.complete("0514", "00 4000 CE")
        bench.pass(.seconds(10))
        #expect(bench.notes == [])
        #expect(bench.sent() == [])
        #expect(bench.engine.links.count == 1)
    }

    /// The next command of the same kind waits, so that the late status is not taken for its own.
    @Test func aLateStatusIsNotTheNextCommands() {
        var bench = HostBench.ready()
        bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        bench.connected()
        _ = bench.sent()
        let other = bench.ask(.connect(HostBench.otherStrap, .heartRate, within: .seconds(30)))
        #expect(bench.sent() == [])
        bench.status("0D20")
        #expect(bench.sent().map { $0.prefix(3) } == [octets("01 0D20")[...]])
        // Not begun yet, so that there is nothing to cancel.
        bench.cancel(other)
        #expect(bench.sent() == [])
        bench.status("0D20")
        #expect(bench.sent() == [octets("01 0E20 00")])
    }

    @Test func aStatusThatNeverComesDoesNotKeepTheNextCommandForLong() {
        var bench = HostBench.ready()
        bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        bench.connected()
        _ = bench.sent()
        bench.ask(.connect(HostBench.otherStrap, .heartRate, within: .seconds(30)))
        bench.pass(HostEngine.commandTimeout)
        #expect(bench.sent().map { $0.prefix(3) } == [octets("01 0D20")[...]])
        #expect(bench.notes == [])
    }

    /// Failed to be established: that was begun, too, and is tried again.
    @Test func aFailedCompletionSettlesItToo() {
        var bench = HostBench.ready()
        let connect = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        bench.event("3E", "01 3E 0000 00 00 000000000000 0000 0000 0000 00")
        _ = bench.sent()
        bench.pass(HostEngine.commandTimeout)
        #expect(bench.sent().map { $0.prefix(3) } == [octets("01 0D20")[...]])
        #expect(bench.notes == [])
        bench.status("0D20")
        bench.connected()
        #expect(bench.connection(connect) != nil)
    }

    @Test func aControllerWithoutAnyBuffersIsTheEnd() {
        var bench = HostBench()
        bench.ask(.start)
        var controller = ScriptedController()
        controller.lowEnergyBuffers = "000000"
        controller.classicBuffers = "000000 0000 0000"
        for step in controller.script.prefix(7) { bench.complete(step.opcode, step.answer) }
        #expect(bench.ends == [.withoutDataBuffers])
    }

    /// The caller is told within the bound; a connection that the controller still has is ended later.
    @Test func aDisconnectThatGoesUnansweredIsToldAgain() {
        var (bench, id) = HostBench.connected()
        let disconnect = bench.ask(.disconnect(id))
        let told = bench.sent()
        #expect(told.map { $0.prefix(3) } == [octets("01 0604")[...]])
        bench.pass(.seconds(6))
        #expect(bench.answers[disconnect] == .success(.done))
        #expect(bench.sent() == told)
        for _ in 3...5 {
            bench.pass(.seconds(5))
            #expect(bench.sent() == told)
        }
        bench.pass(.seconds(60))
        #expect(bench.sent() == [])
        #expect(bench.ends == [])
    }

    /// A handle that has been given again meanwhile is another connection's.
    @Test func aDisconnectIsNotToldAgainToALaterConnection() {
        var (bench, id) = HostBench.connected()
        bench.ask(.disconnect(id))
        let told = bench.sent()
        bench.pass(.seconds(6))
        _ = bench.connect()
        bench.connected()
        _ = bench.sent()
        bench.pass(.seconds(30))
        #expect(!bench.sent().contains(told[0]))
    }

    // MARK: Data that cannot be sent

    /// The peer asks and asks, and acknowledges nothing: our answers fill all places, and our own request would find none.
    @Test func aPeerThatDoesNotLetUsAnswerLosesItsConnection() {
        var (bench, id) = HostBench.connected()
        let read = bench.ask(.gatt(id, .read(0x0003)))
        for _ in 0..<200 { bench.frame(0x05, "30 07 0000") }
        // Low resources.
        #expect(bench.sent().filter { $0[0] == 0x01 } == [octets("01 0604 03 4000 14")])
        #expect(bench.failure(read) == .disconnected(.terminatedByLocalHost))
        #expect(bench.notes.filter { if case .dataRefused(.full) = $0 { true } else { false } }.count == 1)
        bench.status("0604")
        bench.event("05", "00 4000 16")
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
    }

    /// Values that nobody acknowledges are refused, not dropped, and leave room for the answers to the peer.
    @Test func commandsThatDoNotFitAreRefused() {
        var (bench, id) = HostBench.connected()
        let writes = (0..<100).map { _ in bench.ask(.gatt(id, .writeWithoutResponse(0x0003, [1]))) }
        #expect(writes.filter { bench.answers[$0] == .success(.done) }.count == 4)
        #expect(writes.filter { bench.answers[$0] == nil }.count == 32)
        #expect(writes.last.map { bench.failure($0) } == .peer(.notSent(.queueFull)))
        _ = bench.sent()
        for _ in 0..<20 { bench.frame(0x05, "30 07 0000") }
        #expect(bench.sent() == [])
        #expect(bench.notes.allSatisfy { if case .lowerLayer = $0 { true } else { false } })
    }

    // MARK: Notes that tell the truth

    @Test func parametersAreNotedAsRefusedWhereTheControllerIsNotTold() {
        var (bench, id) = HostBench.connected()
        for _ in 0..<30 { bench.event("3E", "06 4000 1800 2800 0000 F401") }
        let accepted = bench.notes.filter { $0 == .connectionParametersRequested(id, accepted: true) }.count
        let refused = bench.notes.filter { $0 == .connectionParametersRequested(id, accepted: false) }.count
        #expect(accepted == HostEngine.mostUnimportantCommands)
        #expect(refused == 30 - HostEngine.mostUnimportantCommands)
    }

    // MARK: Fragments

    @Test func whatTheEndOfTheScanCutsOffComesOutTruncated() {
        var bench = HostBench.ready(.extended)
        bench.ask(.scan(isActive: true))
        bench.complete("4120")
        bench.complete("4220")
        // More to come.
        bench.event("3E", "0D 01 2000 01 01F4F3F2F1F0 01 01 05 7F CE 0000 00 000000000000 02 0201")
        #expect(bench.sightings == [])
        bench.ask(.stopScanning)
        bench.complete("4220")
        #expect(bench.sightings.map(\.advertisement.data) == [[0x02, 0x01]])
        #expect(bench.sightings.first?.advertisement.isTruncated == true)
    }
}
