import ATT
import HCI
import TestSupport
import Testing
import Wire

@testable import Host

/// How a controller is made ready, against octets from the specification (Core Vol 4, Part E, 7.3, 7.4 and 7.8).
@Suite struct InitialisationTests {
    @Test(arguments: [ScriptedController.legacy, .extended, sharedBuffers, withoutAddress])
    func asksInOrderAndOneAtATime(_ controller: ScriptedController) {
        var bench = HostBench()
        let start = bench.ask(.start)
        for step in controller.script {
            let sent = bench.sent()
            #expect(sent.count == 1)
            #expect(sent.first?.prefix(3) == [0x01] + octets(step.opcode)[...])
            #expect(bench.answers[start] == nil)
            bench.complete(step.opcode, step.answer)
        }
        #expect(bench.sent() == [])
        #expect(bench.answers[start] == .success(.done))
        #expect(bench.notes == [])
    }

    private static let sharedBuffers: ScriptedController = {
        var controller = ScriptedController()
        controller.lowEnergyBuffers = "000000"
        return controller
    }()

    private static let withoutAddress: ScriptedController = {
        var controller = ScriptedController()
        controller.publicAddress = "000000000000"
        return controller
    }()

    @Test func nothingIsSentBeforeResetIsAnswered() {
        var bench = HostBench()
        let start = bench.ask(.start)
        #expect(bench.sent() == [octets("01 030C 00")])
        // Whatever else comes belongs to the controller's life before, and so does whatever is wanted.
        bench.event("3E", "01 00 4000 00 01 01F4F3F2F1F0 2700 0000 F401 00")
        bench.event("0E", "01 0000")
        let scan = bench.ask(.scan(isActive: true))
        let connect = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(1)))
        #expect(bench.sent() == [])
        #expect(bench.failure(scan) == .cancelled)
        #expect(bench.failure(connect) == .cancelled)
        #expect(bench.answers[start] == nil)
        bench.complete("030C")
        #expect(bench.sent().map { $0.prefix(3) } == [octets("01 0210")[...]])
    }

    /// Disconnection Complete, Command Complete and Status, Hardware Error, Number Of Completed Packets and LE Meta among them.
    @Test func theEventMaskKeepsWhatTheHostLivesOn() {
        var bench = HostBench()
        bench.ask(.start)
        for step in ScriptedController.legacy.script.prefix(7) { bench.complete(step.opcode, step.answer) }
        #expect(bench.sent().last == octets("01 010C 08 90E8040200800020"))
        bench.complete("010C")
        #expect(bench.sent().last == octets("01 0120 08 1F00000000000000"))
    }

    /// Enhanced Connection Complete (bit 9), Extended Advertising Report (bit 12) and Scan Timeout (bit 16) are added.
    @Test func theLowEnergyEventMaskFollowsTheFeatures() {
        var bench = HostBench()
        bench.ask(.start)
        for step in ScriptedController.extended.script.prefix(8) { bench.complete(step.opcode, step.answer) }
        #expect(bench.sent().last == octets("01 0120 08 1F12010000000000"))
    }

    @Test func aRandomStaticAddressStandsInForNone() {
        var bench = HostBench(.init(staticAddress: Address(rawValue: 0x0102_0304_0506)))
        bench.ask(.start)
        var controller = ScriptedController()
        controller.publicAddress = "000000000000"
        for step in controller.script.dropLast() { bench.complete(step.opcode, step.answer) }
        // The two top bits of a static address are set.
        #expect(bench.sent().last == octets("01 0520 06 0605040302C1"))
    }

    @Test func dataGoesThroughTheClassicBuffersWhereLEHasNone() throws {
        var (bench, id) = HostBench.connected(Self.sharedBuffers)
        // 200 octets need no cutting: the classic buffers take 310.
        bench.ask(.gatt(id, .exchangeMTU))
        bench.att("03 0001")
        _ = bench.sent()
        bench.ask(.gatt(id, .write(0x0010, [UInt8](repeating: 7, count: 200))))
        let sent = bench.sent()
        #expect(sent.count == 1)
        #expect(sent.first?.count == 5 + 4 + 3 + 200)
    }

    // MARK: Commands that fail

    @Test func anOptionalCommandThatIsRefusedIsNotedAndNotFatal() {
        var bench = HostBench()
        let start = bench.ask(.start)
        for step in ScriptedController.legacy.script {
            let isOptional = ["0210", "0110", "0320", "0120"].contains(step.opcode)
            bench.complete(step.opcode, isOptional ? "01" : step.answer)
        }
        #expect(bench.answers[start] == .success(.done))
        #expect(bench.notes.count == 4)
        #expect(
            bench.notes.first
                == .optionalCommandRefused(
                    Opcode(rawValue: 0x1002), .command(.refused(Opcode(rawValue: 0x1002), .unknownCommand))))
    }

    /// What Supported Commands leaves out is not sent, and nothing is said of it.
    @Test func optionalCommandsThatAreNotOfferedAreNotSent() {
        var bench = HostBench()
        let start = bench.ask(.start)
        var controller = ScriptedController.extended
        controller.supportedCommands[14] = 0x20  // no Read Local Version Information
        controller.supportedCommands[15] = 0x02  // no Read RSSI
        for step in controller.script where step.opcode != "0110" {
            #expect(bench.sent().map { $0.prefix(3) } == [[0x01] + octets(step.opcode)[...]])
            bench.complete(step.opcode, step.answer)
        }
        #expect(bench.answers[start] == .success(.done))
        let connect = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(5)))
        bench.status("4320")
        bench.connected()
        guard let id = bench.connection(connect)?.id else {
            Issue.record("not connected")
            return
        }
        _ = bench.sent()
        let strength = bench.ask(.readSignalStrength(id))
        #expect(bench.failure(strength) == .command(.refused(Opcode(rawValue: 0x1405), .unknownCommand)))
        #expect(bench.sent() == [])
        #expect(bench.notes == [])
    }

    @Test func anOptionalCommandUnansweredForTwoSecondsCountsAsRefused() {
        var bench = HostBench()
        let start = bench.ask(.start)
        bench.complete("030C")
        bench.pass(.milliseconds(1999))
        #expect(bench.notes == [])
        bench.pass(.milliseconds(1))
        #expect(bench.notes.count == 1)
        // Its credit is back: the next one is sent, and all the others.
        for step in ScriptedController.legacy.script.dropFirst(2) { bench.complete(step.opcode, step.answer) }
        #expect(bench.answers[start] == .success(.done))
    }

    @Test func aLateAnswerIsNoOneElses() {
        var bench = HostBench()
        bench.ask(.start)
        bench.complete("030C")
        bench.pass(.seconds(2))
        _ = bench.sent()
        bench.complete("0210", "00" + [UInt8](repeating: 0xFF, count: 64).hexadecimal)
        #expect(bench.sent() == [])
        #expect(bench.engine.controller.supportedCommands == SupportedCommands())
    }

    /// A mask that is lost on its way would leave the host deaf to connections. A controller that does not answer twice has none to set.
    @Test func aMaskThatGoesUnansweredIsSetAgainOnce() {
        var bench = HostBench()
        let start = bench.ask(.start)
        let script = ScriptedController.legacy.script
        for step in script.prefix(while: { $0.opcode != "010C" }) { bench.complete(step.opcode, step.answer) }
        let mask = bench.sent().last
        #expect(mask?.starts(with: octets("01 010C")) == true)
        bench.pass(.seconds(2))
        #expect(bench.sent() == [mask])
        bench.pass(.seconds(2))
        #expect(bench.sent().map { $0.prefix(3) } == [octets("01 0120")[...]])
        bench.complete("0120")
        #expect(bench.answers[start] == .success(.done))
    }

    @Test func silenceToResetIsTheEnd() {
        var bench = HostBench()
        bench.ask(.start)
        bench.pass(.seconds(60))
        #expect(bench.ends == [.command(.unanswered(Opcode(rawValue: 0x0C03)))])
        #expect(bench.engine.nextDeadline == nil)
    }

    @Test func aControllerWithoutLowEnergyIsTheEnd() {
        var bench = HostBench()
        bench.ask(.start)
        var controller = ScriptedController()
        controller.features = "FFFE8FFE98FF5987"  // a classic dongle: octet 4 lacks bit 6
        for step in controller.script.prefix(4) { bench.complete(step.opcode, step.answer) }
        #expect(bench.ends == [.withoutLowEnergy])
    }

    @Test(arguments: ["0220", "030C"])
    func aRefusalOfWhatTheHostNeedsIsTheEnd(_ opcode: String) {
        var bench = HostBench()
        bench.ask(.start)
        for step in ScriptedController.legacy.script.prefix(6) {
            bench.complete(step.opcode, step.opcode == opcode ? "03" : step.answer)
        }
        #expect(bench.ends.count == 1)
        #expect(bench.engine.nextDeadline == nil)
    }

    @Test func anAnswerCutShortIsToldAsSuch() {
        var bench = HostBench()
        bench.ask(.start)
        for step in ScriptedController.legacy.script.prefix(5) { bench.complete(step.opcode, step.answer) }
        bench.complete("0220", "00 1B")
        guard case .command(.malformed(Opcode(rawValue: 0x2002), _)) = bench.ends.first else {
            Issue.record("\(bench.ends)")
            return
        }
    }

    @Test func takingTheStartBackEndsAtOnce() {
        var bench = HostBench()
        let start = bench.ask(.start)
        bench.cancel(start)
        #expect(bench.ends == [.cancelled])
        #expect(bench.engine.nextDeadline == nil)
    }

    @Test func theEndOfTheLinkIsTheEnd() {
        var bench = HostBench.ready()
        bench.endLink(.removed)
        bench.endLink(.closed)
        #expect(bench.ends == [.linkEnded(.removed)])
        let scan = bench.ask(.scan(isActive: true))
        #expect(bench.failure(scan) == .linkEnded(.removed))
        #expect(bench.sent() == [])
    }
}
