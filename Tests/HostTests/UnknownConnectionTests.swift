import HCI
import TestSupport
import Testing
import Wire

@testable import Host

/// A controller that does not know a connection has ended it without a word that arrived, or was reset without one.
@Suite struct UnknownConnectionTests {
    private let reset = octets("01 030C 00")
    private let forgotten = Status.unknownConnectionIdentifier

    /// A host with the strap on 0x40 and others on the handles after it.
    private func connected(_ count: Int, _ controller: ScriptedController = .legacy) -> (HostBench, [ConnectionID]) {
        var (bench, id) = HostBench.connected(controller)
        var ids = [id]
        for number in 1..<UInt8(count) {
            let address = Address(rawValue: HostBench.strap.address.rawValue + UInt64(number))
            let ticket = bench.ask(.connect(DeviceAddress(.random, address), .heartRate, within: .seconds(30)))
            bench.status(controller.lowEnergyFeatures == "0000000000000000" ? "0D20" : "4320")
            bench.connected(handle: 0x40 + number, peer: [1 + number].hexadecimal + "F4F3F2F1F0")
            if let connection = bench.connection(ticket) { ids.append(connection.id) }
        }
        #expect(ids.count == count)
        _ = bench.sent()
        return (bench, ids)
    }

    // MARK: One connection, or the controller

    /// The news of one end was lost. The other connection, which is asked about, goes on.
    @Test func oneUnknownConnectionEndsAlone() {
        var (bench, ids) = connected(2)
        let strength = bench.ask(.readSignalStrength(ids[0]))
        _ = bench.sent()
        bench.complete("0514", "02 4000 00")
        #expect(bench.failure(strength) != nil)
        #expect(bench.sent() == [octets("01 0514 02 4100")])
        bench.complete("0514", "00 4100 C8")
        #expect(bench.others.contains(.disconnected(ids[0], forgotten)))
        #expect(bench.sent() == [])
        #expect(bench.notes == [])
        let next = bench.ask(.readSignalStrength(ids[1]))
        bench.complete("0514", "00 4100 CE")
        #expect(bench.answers[next] == .success(.signalStrength(-50)))
    }

    @Test func aSecondUnknownConnectionMeansThatTheControllerWasReset() {
        var (bench, ids) = connected(2)
        bench.ask(.readSignalStrength(ids[0]))
        bench.complete("0514", "02 4000 00")
        _ = bench.sent()
        bench.complete("0514", "02 4100 00")
        #expect(bench.sent() == [reset])
        #expect(bench.notes == [.controllerForgot(ids[1])])
        for id in ids { #expect(bench.others.contains(.disconnected(id, .hardwareFailure))) }
        #expect(bench.answerCounts.values.allSatisfy { $0 == 1 })
    }

    /// What was asked about ended before the answer came, or has no answer: that proves nothing, and the next one is asked about.
    @Test(arguments: ["00", nil]) func thatTheOtherConnectionEndsMeanwhileProvesNothing(_ isKnown: String?) {
        var (bench, ids) = connected(3)
        bench.ask(.readSignalStrength(ids[0]))
        bench.complete("0514", "02 4000 00")
        #expect(bench.sent().last == octets("01 0514 02 4100"))
        bench.event("05", "00 4100 08")
        bench.complete("0514", "02 4100 00")
        #expect(bench.sent() == [octets("01 0514 02 4200")])
        bench.complete("0514", (isKnown ?? "02") + "4200 00")
        #expect(bench.sent() == (isKnown == nil ? [reset] : []))
    }

    /// Whichever command about a connection it is that the controller cannot place.
    @Test(arguments: ["change", "reply", "refusal", "key"]) func everyCommandTellsIt(_ command: String) {
        var (bench, ids) = connected(2)
        switch command {
        case "change":
            bench.frame(0x05, "12 01 0800 1800 2800 0000 F401")
            bench.status("1320", "02")
        case "reply":
            bench.event("3E", "06 4000 1800 2800 0000 F401")
            bench.complete("2020", "02 4000")
        case "refusal":
            bench.event("3E", "06 4000 0500 2800 0000 F401")
            bench.complete("2120", "02 4000")
        default:
            bench.event("3E", "05 4000 0000000000000000 0000")
            bench.complete("1B20", "02 4000")
        }
        #expect(bench.sent().last == octets("01 0514 02 4100"))
        bench.complete("0514", "00 4100 C8")
        #expect(bench.others.contains(.disconnected(ids[0], forgotten)))
        #expect(bench.sent() == [])
    }

    /// Where the other connection cannot be asked about, or the controller does not answer that, nothing speaks for a reset.
    @Test(arguments: [false, true]) func withoutAWitnessItEndsAlone(_ hasSignalStrength: Bool) {
        var controller = ScriptedController.extended
        if !hasSignalStrength { controller.supportedCommands[15] = 0x02 }
        var (bench, ids) = connected(2, controller)
        bench.event("3E", "06 4000 1800 2800 0000 F401")
        bench.complete("2020", "02 4000")
        bench.pass(.seconds(2))
        #expect(bench.others.contains(.disconnected(ids[0], forgotten)))
        #expect(!bench.sent().contains(reset))
        #expect(bench.engine.links.count == 1)
    }

    @Test func aConnectionThatIsBeingEndedSaysNothingOfTheController() {
        var (bench, ids) = connected(2)
        let strength = bench.ask(.readSignalStrength(ids[0]))
        let disconnect = bench.ask(.disconnect(ids[0]))
        bench.complete("0514", "02 4000 00")
        _ = bench.sent()
        #expect(bench.failure(strength) != nil)
        #expect(bench.answers[disconnect] == .success(.done))
        bench.status("0604", "02")
        #expect(bench.sent() == [])
        #expect(bench.notes == [])
    }

    // MARK: Whose answer it is

    /// The answer that was waited for too long comes when the next question is open.
    @Test func aLateAnswerAboutAnotherConnectionIsPassedOver() {
        var (bench, ids) = connected(2)
        let late = bench.ask(.readSignalStrength(ids[0]))
        bench.pass(.seconds(2))
        #expect(bench.failure(late) == .command(.unanswered(ReadRSSI.opcode)))
        let strength = bench.ask(.readSignalStrength(ids[1]))
        bench.complete("0514", "00 4000 CE")
        #expect(bench.answers[strength] == nil)
        bench.complete("0514", "00 4100 BA")
        #expect(bench.answers[strength] == .success(.signalStrength(-70)))
        // Nor does it say that the controller does not know this connection.
        let last = bench.ask(.readSignalStrength(ids[1]))
        bench.complete("0514", "02 4000 00")
        #expect(bench.answers[last] == nil)
        #expect(bench.others.allSatisfy { if case .disconnected = $0 { false } else { true } })
    }
}
