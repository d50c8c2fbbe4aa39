import ATT
import HCI
import TestSupport
import Testing
import Wire

@testable import Host

/// A controller that reports a failure of its own (Core Vol 4, Part E, 7.7.16) is reset, and what was wanted goes on.
@Suite struct RecoveryTests {
    private let hardwareFailure = HostError.disconnected(.hardwareFailure)

    /// Answers everything from Reset on.
    private func makeReady(_ bench: inout HostBench) {
        for step in ScriptedController.legacy.script { bench.complete(step.opcode, step.answer) }
    }

    @Test func theConnectionsAreOverAndTheControllerIsResetAtOnce() {
        var (bench, id) = HostBench.connected()
        let read = bench.ask(.gatt(id, .read(0x0003)))
        let strength = bench.ask(.readSignalStrength(id))
        let disconnect = bench.ask(.disconnect(id))
        _ = bench.sent()
        bench.event("10", "42")
        #expect(bench.sent() == [octets("01 030C 00")])
        #expect(bench.notes == [.controllerReset(code: 0x42)])
        #expect(bench.failure(read) == hardwareFailure)
        #expect(bench.failure(strength) == .controllerFailed(code: 0x42))
        #expect(bench.answers[disconnect] == .success(.done))
        #expect(bench.others.contains(.disconnected(id, .hardwareFailure)))
        makeReady(&bench)
        #expect(bench.ends == [])
        // The next connection works, with all of the controller's buffers.
        let connect = bench.connect()
        bench.connected()
        #expect(bench.connection(connect) != nil)
        #expect(bench.engine.data.available == 4)
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
    }

    /// Data that waited on another connection does not go to a controller that was just reset.
    @Test func nothingIsSentButReset() {
        var (bench, first) = HostBench.connected()
        let ticket = bench.ask(.connect(HostBench.otherStrap, .heartRate, within: .seconds(30)))
        bench.status("0D20")
        bench.connected(handle: 0x41, peer: "02F4F3F2F1F0")
        guard let second = bench.connection(ticket)?.id else {
            Issue.record("not connected")
            return
        }
        for _ in 0..<9 {
            bench.ask(.gatt(first, .writeWithoutResponse(0x0003, [1])))
            bench.ask(.gatt(second, .writeWithoutResponse(0x0003, [1])))
        }
        _ = bench.sent()
        bench.event("10", "42")
        #expect(bench.sent() == [octets("01 030C 00")])
    }

    /// A lost answer leaves the radio in a state that nobody knows, so that the controller begins anew. A controller that goes on like
    /// this is given up with the command that it does not answer.
    @Test func aControllerThatLeavesTheRadioInDoubtIsReset() {
        var bench = HostBench.ready()
        let connect = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        for _ in 1...3 {
            _ = bench.sent()
            bench.pass(.seconds(5))
            #expect(bench.notes.last == .controllerSilent(Opcode(rawValue: 0x200D)))
            #expect(bench.sent() == [octets("01 030C 00")])
            #expect(bench.ends == [])
            makeReady(&bench)
        }
        #expect(bench.failure(connect) == nil)
        bench.pass(.seconds(5))
        #expect(bench.ends == [.command(.unanswered(Opcode(rawValue: 0x200D)))])
    }

    /// A controller that tells of ever new connections neither fills the memory nor the queue of commands.
    @Test(arguments: [1, 0xEFF]) func strangersWithoutEndResetTheController(_ handles: Int) {
        var bench = HostBench.ready()
        for round in 1...4 {
            for number in 0..<500 {
                let handle = [UInt8((number % handles) & 0xFF), UInt8((number % handles) >> 8)].hexadecimal
                let peer = [UInt8(number & 0xFF)].hexadecimal + "F4F3F2F1F0"
                bench.event("3E", "01 00" + handle + "00 01" + peer + "1800 0000 C800 00")
                #expect(bench.engine.links.count <= HostEngine.mostStrangers)
                #expect(bench.engine.commandCount <= HostEngine.mostStrangers)
            }
            guard round < 4 else { break }
            #expect(bench.notes.last == .controllerConnectsStrangers)
            #expect(bench.sent().last == octets("01 030C 00"))
            makeReady(&bench)
        }
        #expect(bench.ends == [.controllerFailed(code: 0)])
    }

    @Test func aFewStrangersNowAndThenAreEnded() {
        var bench = HostBench.ready()
        for number in 0..<100 {
            bench.connected(handle: UInt8(number), peer: "02F4F3F2F1F0")
            bench.status("0604")
            bench.event("05", "00" + [UInt8(number)].hexadecimal + "00 16")
            bench.pass(.milliseconds(200))
        }
        #expect(!bench.notes.contains(.controllerConnectsStrangers))
        #expect(bench.engine.links.isEmpty)
    }

    @Test func theScanGoesOn() {
        var bench = HostBench.scanning
        bench.event("10", "01")
        #expect(bench.sent() == [octets("01 030C 00")])
        makeReady(&bench)
        #expect(bench.sent().last == octets("01 0B20 07 01 6000 3000 00 00"))
        bench.complete("0B20")
        bench.complete("0C20")
        bench.event("3E", "02 01 00 01 01F4F3F2F1F0 00 CE")
        #expect(bench.sightings.count == 1)
        #expect(bench.others.allSatisfy { if case .scanEnded = $0 { false } else { true } })
    }

    @Test func anAttemptGoesOn() {
        var bench = HostBench.ready()
        let attempt = bench.connect()
        bench.event("10", "01")
        // And one that is wanted meanwhile waits for its turn.
        let later = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        #expect(bench.sent() == [octets("01 030C 00")])
        makeReady(&bench)
        #expect(bench.sent().last?.prefix(3) == octets("01 0D20")[...])
        bench.status("0D20")
        bench.connected()
        #expect(bench.connection(attempt) != nil)
        #expect(bench.connection(later) == bench.connection(attempt))
    }

    @Test func anAttemptThatNobodyWantsAnyMoreEnds() {
        var bench = HostBench.ready()
        let attempt = bench.connect()
        bench.cancel(attempt)
        bench.event("10", "01")
        #expect(bench.failure(attempt) == .cancelled)
    }

    @Test func stoppingMeanwhileIsAnsweredAtOnce() {
        var bench = HostBench.ready()
        bench.event("10", "01")
        let stop = bench.ask(.stop)
        #expect(bench.answers[stop] == .success(.done))
        #expect(bench.engine.nextDeadline == nil)
    }

    @Test func aControllerThatKeepsFailingIsTheEnd() {
        var (bench, _) = HostBench.connected()
        for _ in 0..<3 {
            bench.event("10", "42")
            makeReady(&bench)
            bench.pass(.seconds(10))
        }
        #expect(bench.ends == [])
        _ = bench.sent()
        bench.event("10", "42")
        #expect(bench.ends == [.controllerFailed(code: 0x42)])
        #expect(bench.engine.nextDeadline == nil)
        #expect(bench.sent() == [])
    }

    @Test func oneFailureNowAndThenIsNot() {
        var bench = HostBench.ready()
        for _ in 0..<10 {
            bench.event("10", "42")
            makeReady(&bench)
            bench.pass(.seconds(30))
        }
        #expect(bench.ends == [])
    }

    /// A failure before the controller is ready again is one failure more, and no more than that.
    @Test func aFailureBeforeItIsReadyAgainCountsLikeAnyOther() {
        var bench = HostBench.ready()
        let attempt = bench.connect()
        for code in ["41", "42", "43"] {
            bench.event("10", code)
            #expect(bench.sent() == [octets("01 030C 00")])
            bench.complete("030C")
            _ = bench.sent()
        }
        #expect(bench.ends == [])
        for step in ScriptedController.legacy.script.dropFirst() { bench.complete(step.opcode, step.answer) }
        #expect(bench.sent().last?.prefix(3) == octets("01 0D20")[...])
        bench.status("0D20")
        bench.connected()
        #expect(bench.connection(attempt) != nil)
        bench.event("10", "44")
        #expect(bench.ends == [.controllerFailed(code: 0x44)])
    }

    @Test func aFailureBeforeItIsReadyForTheFirstTimeIsNotTheEnd() {
        var bench = HostBench()
        let start = bench.ask(.start)
        bench.complete("030C")
        bench.event("10", "42")
        #expect(bench.sent().last == octets("01 030C 00"))
        makeReady(&bench)
        #expect(bench.answers[start] == .success(.done))
        #expect(bench.ends == [])
    }

    // MARK: A controller that was reset without a word

    @Test func aConnectionThatTheControllerDoesNotKnowIsASignOfIt() {
        var (bench, id) = HostBench.connected()
        let strength = bench.ask(.readSignalStrength(id))
        #expect(bench.sent() == [octets("01 0514 02 4000")])
        bench.complete("0514", "02 4000 00")
        #expect(bench.answers[strength] != nil)
        #expect(bench.notes == [.controllerForgot(id)])
        #expect(bench.others.contains(.disconnected(id, .hardwareFailure)))
        #expect(bench.sent() == [octets("01 030C 00")])
        makeReady(&bench)
        _ = bench.connect()
        #expect(bench.ends == [])
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
    }

    /// The end of the connection was on its way: that says nothing.
    @Test func aConnectionThatHasJustEndedIsNot() {
        var (bench, id) = HostBench.connected()
        bench.ask(.readSignalStrength(id))
        bench.event("05", "00 4000 08")
        _ = bench.sent()
        bench.complete("0514", "02 4000 00")
        #expect(bench.notes == [])
        #expect(bench.sent() == [])
    }
}
