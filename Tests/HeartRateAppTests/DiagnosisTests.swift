import ATT
import GATT
import HCI
import HCITransport
import Host
import Simulator
import Synchronization
import Testing
import Wire

@testable import HeartRateApp

/// What a diagnosis says of each way in which a device does not talk, on virtual time.
@Suite struct DiagnosisTests {
    private struct Outcome {
        var status: Int32
        var findings: [Finding]

        var verdict: Finding? { findings.last }
        /// The step at which it ended.
        var impasse: Finding? { findings.dropLast().first { $0.result == .failed } }
    }

    private func diagnose(
        _ scenario: Scenario, _ operand: String = "any", duration: Duration? = nil
    ) async throws -> Outcome {
        let selector = try DeviceSelector(operand, command: "diagnose")
        let question = Diagnosis.Question(
            selector: selector, title: selector.title(operand), timeout: .seconds(30), duration: duration)
        let log = FindingLog()
        let loop = try EventLoop()
        let link = VirtualLink(
            SimulatedWorld(scenario), clock: .virtual(start: Timestamp(microseconds: 1_700_000_000_000_000)), on: loop)
        let status = try await withTaskExecutorPreference(LoopTasks(loop)) {
            try await loop.run {
                try await Central.run(over: link) { central in
                    try await Diagnosis(central: central, question: question, tell: log.add).run()
                }
            }
        }
        return Outcome(status: status.rawValue, findings: log.all)
    }

    private func diagnose(_ name: String, _ operand: String = "any") async throws -> Outcome {
        try await diagnose(try #require(Scenario.named(name)), operand)
    }

    // MARK: Devices that talk

    @Test func aGoodStrapIsGoodThroughout() async throws {
        let outcome = try await diagnose("strap")
        #expect(outcome.status == 0)
        #expect(
            outcome.findings.map(\.step) == [
                .seen, .connectable, .advertisedService, .connection, .service, .subscription, .heartRate, .link,
                .verdict,
            ])
        #expect(outcome.findings.allSatisfy { $0.result == .ok && $0.advice == nil })
        #expect(outcome.verdict?.detail.contains("bpm") == true)
    }

    @Test(arguments: [
        "two-services", "twin-services", "zero", "indicated", "early-notification", "mute-details", "wide",
        "late-and-rare",
        // Those that only one way of searching does not work with.
        "no-search-by-value", "previous-response", "end-zero", "end-early",
    ])
    func oddStrapsThatWorkAreSaidToWork(_ name: String) async throws {
        let outcome = try await diagnose(name)
        #expect(outcome.status == 0, "\(outcome.findings)")
        #expect(outcome.verdict?.result == .ok)
    }

    @Test func whoDoesNotAdvertiseTheServiceIsLookedIntoAllTheSame() async throws {
        let outcome = try await diagnose("unannounced", "Simulated H7 0001")
        #expect(outcome.status == 0)
        let advertised = outcome.findings.first { $0.step == .advertisedService }
        #expect(advertised?.result == .unknown)
        #expect(advertised?.advice?.contains("broadcast") == true)
    }

    @Test func aWeakLinkIsTriedAgainAndTold() async throws {
        var scenario = try #require(Scenario.named("shaky"))
        scenario.straps[0].departure?.times = 1
        let outcome = try await diagnose(scenario)
        #expect(outcome.status == 0)
        #expect(outcome.findings.first { $0.step == .connection }?.detail.contains("after 2 attempts") == true)
    }

    // MARK: Devices that do not

    @Test(
        arguments: [
            // Scenario, step, status, a word of the verdict, a word of the advice
            ("no-heart-rate", .service, 76, "180D", "broadcast"),
            ("taken", .connectable, 69, "cannot be connected", "Another device has it"),
            ("vanishing", .connection, 69, "No connection", "signal is weak"),
            ("occupied", .service, 69, "Low Resources", "no room for another link"),
            ("leaves-services", .service, 69, "Remote User Terminated", "not worn"),
            ("leaves-subscribing", .subscription, 69, "does not last", "not worn"),
            ("vanishes-subscribing", .subscription, 69, "does not last", "out of reach"),
            ("mute", .service, 69, "does not answer", "battery"),
            ("mute-write", .subscription, 69, "does not answer", "battery"),
            ("refusing", .subscription, 76, "paired", "paired devices only"),
            ("refusing-0f", .subscription, 76, "paired", "paired devices only"),
            ("refusing-08", .subscription, 76, "paired", "paired devices only"),
            ("refuses-everything", .subscription, 76, "paired", "paired devices only"),
            ("refusing-03", .subscription, 76, "0x03", "broadcast"),
            ("refusing-80", .subscription, 76, "0x80", "broadcast"),
            ("no-configuration", .subscription, 76, "2902", "firmware"),
            ("read-only", .subscription, 76, "2A37", "firmware"),
            ("no-measurement", .subscription, 76, "2A37", "firmware"),
            ("characteristics-length-0", .subscription, 76, "breaks the protocol", "firmware"),
            ("no-measurements", .heartRate, 69, "silent", "broadcast"),
            ("off-at-once", .link, 69, "not worn", "Wear it"),
            ("stuck", .heartRate, 69, "stuck", "battery"),
        ] as [(String, Finding.Step, Int32, String, String)])
    func eachFaultIsNamedWithItsRemedy(
        _ name: String, _ step: Finding.Step, _ status: Int32, _ word: String, _ remedy: String
    ) async throws {
        let operand = name == "no-heart-rate" ? "Simulated H7 0001" : "any"
        let outcome = try await diagnose(name, operand)
        #expect(outcome.impasse?.step == step, "\(outcome.findings)")
        #expect(outcome.status == status)
        #expect(outcome.verdict?.step == .verdict)
        #expect(outcome.verdict?.result == .failed)
        #expect(outcome.verdict?.detail.contains(word) == true, "\(String(describing: outcome.verdict))")
        #expect(outcome.verdict?.advice?.contains(remedy) == true, "\(String(describing: outcome.verdict))")
    }

    @Test func whatEndsTheLinkAfterAWhileIsSeenWithADuration() async throws {
        let scenario = try #require(Scenario.named("invalid-parameters"))
        let short = try await diagnose(scenario)
        #expect(short.status == 0)
        let long = try await diagnose(scenario, duration: .seconds(120))
        #expect(long.impasse?.step == .link)
        #expect(long.status == 69)
        #expect(long.verdict?.advice?.contains("connection parameters") == true)
        let pairing = try await diagnose(try #require(Scenario.named("wants-pairing")), duration: .seconds(120))
        #expect(pairing.status == 76)
        #expect(pairing.verdict?.detail.contains("paired") == true)
    }

    @Test func whoGetsStuckLaterIsSeenWithADuration() async throws {
        let scenario = try #require(Scenario.named("frozen"))
        #expect(try await diagnose(scenario).status == 0)
        let outcome = try await diagnose(scenario, duration: .seconds(60))
        #expect(outcome.status == 69)
        #expect(outcome.verdict?.detail.contains("stuck") == true)
    }

    @Test func whoStopsInTheMiddleIsTold() async throws {
        var scenario = Scenario.strap
        scenario.straps[0].misconduct = Misconduct([Misconduct.Rule(.measurement, [], turns: 6...Int.max)])
        let outcome = try await diagnose(scenario, duration: .seconds(60))
        #expect(outcome.impasse?.step == .heartRate)
        #expect(outcome.verdict?.detail.contains("after 5 measurements") == true)
    }

    /// Diagnosing tries as often as connecting does: what connects is not said not to.
    @Test func aWeakLinkIsTriedAsOftenAsElsewhere() async throws {
        var scenario = Scenario.strap
        scenario.straps[0].departure = .init(
            .atConnection, .vanishing, returnsAfter: .milliseconds(300), times: Central.mostFalseStarts - 1)
        let outcome = try await diagnose(scenario)
        #expect(outcome.status == 0)
        #expect(outcome.findings.contains { $0.detail.contains("after \(Central.mostFalseStarts) attempts") })
    }

    /// Whatever wants to be paired is said to, by each command.
    @Test func theSameCodesMeanPairingEverywhere() {
        for code in UInt8.min...UInt8.max {
            let status = Status(rawValue: code)
            let refusal = GATTError.refused(request: .writeRequest, handle: 0x0012, code: ErrorCode(rawValue: code))
            for error in [HostError.peer(refusal), .disconnected(status)] {
                let isDiagnosed = Impasse(.link, error, habit: nil).gist == "The device wants to be paired"
                #expect(Failure(error).remedy?.contains("paired") ?? false == isDiagnosed, "\(error)")
            }
        }
    }

    // MARK: Adapters that fail

    /// Hardware Failure is how the host ends links whose controller has failed: it says nothing of the device, nor of the distance.
    @Test func anAdapterThatFailsIsNotTheDevicesFault() {
        let impasse = Impasse(.link, .disconnected(.hardwareFailure), habit: nil)
        let failure = Failure(.disconnected(.hardwareFailure), peer: "the device")
        #expect(impasse.gist == "The adapter failed")
        #expect(impasse.status == .unavailable)
        for text in [impasse.finding.detail, failure.message] { #expect(text.contains("adapter"), "\(text)") }
        for advice in [impasse.finding.advice, failure.remedy] {
            #expect(advice?.contains("Unplug it") == true)
            #expect(advice?.contains("near") == false)
        }
    }

    // MARK: Devices that are not there

    @Test func anAbsentDeviceIsToldWithThoseThatMayBeMeant() async throws {
        let address = try await diagnose("straps", "C0:00:5E:00:53:0F")
        #expect(address.status == 69)
        #expect(address.impasse?.step == .seen)
        #expect(address.impasse?.detail.contains("C0:00:5E:00:53:01") == true)
        let name = try await diagnose("straps", "Simulated H7 002")
        #expect(name.impasse?.detail.contains("'Simulated H7 0002'") == true)
        #expect(name.verdict?.advice?.contains("worn") == true)
    }

    @Test func silenceOnTheAirIsTheAdaptersOrNobodys() async throws {
        let outcome = try await diagnose(Scenario(name: "", summary: "", straps: []))
        #expect(outcome.status == 69)
        #expect(outcome.verdict?.detail.contains("hears nothing") == true)
        #expect(outcome.verdict?.advice?.contains("adapter") == true)
    }
}

/// Has child tasks run on the loop, whose virtual clock jumps when it has nothing to run.
private final class LoopTasks: TaskExecutor {
    private let loop: EventLoop

    init(_ loop: EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job) }
}

private final class FindingLog: Sendable {
    private let findings = Mutex<[Finding]>([])

    @Sendable func add(_ finding: Finding) { findings.withLock { $0.append(finding) } }

    var all: [Finding] { findings.withLock { $0 } }
}
