import ATT
import GATT
import HCI
import HeartRate
import Host
import SMP
import Simulator
import Testing
import Wire

/// The heart-rate monitor and the central, as the program uses them, over the simulated world on virtual time.
@Suite struct MonitorTests {
    private func scenario(_ adjust: (inout StrapPlan) -> Void) -> Scenario {
        Scenario(name: "", summary: "", straps: [.simulated(1, adjust)])
    }

    @Test func tellsEverythingInOrder() async throws {
        let watched = try await watch(.strap, for: .seconds(70))
        #expect(watched.error == nil)
        #expect(watched.states == ["searching", "connecting", "connected", "subscribed"])
        #expect(watched.measurements.count >= 60)
        #expect(watched.gaps == [])
        let moments = watched.measurements.map(\.moment)
        #expect(moments == moments.sorted())
        // Nothing is measured before the link is told to be subscribed.
        let first = try #require(watched.events.firstIndex { if case .measurement = $0 { true } else { false } })
        let subscribed = try #require(
            watched.events.firstIndex { if case .link(.subscribed, _) = $0 { true } else { false } })
        #expect(subscribed < first)
    }

    @Test func knowsTheWholeStrap() async throws {
        let watched = try await watch(.strap, for: .seconds(20))
        #expect(watched.details.count == 1)
        let details = try #require(watched.details.first)
        #expect(details.information.manufacturer == "hr-raw simulator")
        #expect(details.information.model == "Simulated H7")
        #expect(details.information.firmware == "1.0.0")
        #expect(details.sensorLocation == .chest)
        #expect(details.battery?.percent == 91)
    }

    /// The simulated battery falls by one every 20 minutes, and says so.
    @Test func tellsTheDetailsAgainWhenTheBatteryChanges() async throws {
        let watched = try await watch(.strap, for: .seconds(2500))
        #expect(watched.details.map { $0.battery?.percent } == [91, 90, 89])
        #expect(watched.states.last == "subscribed")
        #expect(watched.measurements.count > 2400)
    }

    @Test func comesBackAfterALostLinkAndTellsTheGap() async throws {
        let watched = try await watch(.dropping, for: .seconds(150))
        #expect(watched.error == nil)
        let round = ["disconnected 8", "reconnecting", "connecting", "connected", "subscribed"]
        #expect(watched.states.starts(with: ["searching", "connecting", "connected", "subscribed"] + round + round))
        #expect(watched.gaps.count >= 2)
        for gap in watched.gaps {
            #expect(gap.reason == .linkLost(.connectionTimeout))
            let before = watched.measurements.last { $0.moment <= gap.from }
            #expect(before?.moment == gap.from)
            #expect(!watched.measurements.contains { $0.moment > gap.from && $0.moment < gap.to })
            // The strap stays away for 3 s, and its end is noticed after the supervision timeout.
            #expect(gap.to - gap.from > .seconds(3))
        }
    }

    @Test func tellsTheGapAlsoWhenTheStrapDoesNotComeBack() async throws {
        let scenario = try #require(Scenario.named("vanishing-stream"))
        let watched = try await watch(scenario, for: .seconds(120))
        // The last one may be lost with the link.
        #expect((4...5).contains(watched.measurements.count))
        #expect(watched.gaps.count == 1)
        #expect(watched.gaps.first?.from == watched.measurements.last?.moment)
    }

    @Test func endsWithALostLinkWhereItIsToldTo() async throws {
        var options = HeartRateMonitor.Options()
        options.reconnects = false
        let watched = try await watch(.dropping, for: .seconds(150), options: options)
        #expect(watched.hostError == .disconnected(.connectionTimeout))
        #expect(watched.states.last == "disconnected 8")
    }

    // MARK: Energy

    @Test func resetsTheEnergyOnce() async throws {
        var options = HeartRateMonitor.Options()
        options.resetsEnergy = true
        let (before, after) = try await withVirtualCentral(.strap) { [options] central in
            let before = await watch(central, .any, for: .seconds(900))
            return (before, await watch(central, .any, for: .seconds(60), options: options))
        }
        #expect(after.error == nil)
        let expended = try #require(before.measurements.compactMap(\.measurement.energyExpended).last)
        let expendedSince = try #require(after.measurements.compactMap(\.measurement.energyExpended).last)
        #expect(expended > 20)
        #expect(expendedSince < expended / 2)
    }

    @Test func aStrapWithoutEnergyToResetEndsWithThat() async throws {
        let scenario = try #require(Scenario.named("bare"))
        var options = HeartRateMonitor.Options()
        options.resetsEnergy = true
        let watched = try await watch(scenario, for: .seconds(60), options: options)
        #expect(watched.error as? HeartRateMonitorError == .noControlPoint)
    }

    @Test(arguments: 5...9)
    func aLinkLostBeforeTheResetIsNoRefusal(_ request: Int) async throws {
        let scenario = scenario {
            $0.departure = .init(.atRequest(request), .vanishing, returnsAfter: .seconds(1), times: 1)
        }
        var options = HeartRateMonitor.Options()
        options.resetsEnergy = true
        let watched = try await watch(scenario, for: .seconds(60), options: options)
        #expect(watched.error == nil)
        #expect(watched.states.filter { $0 == "subscribed" }.count == 2)
        #expect(watched.details.count == 1)
    }

    /// Two short links say nothing of the hours that follow.
    @Test func aStrapThatWasLostTwiceIsAskedAgainLater() async throws {
        let scenario = scenario {
            $0.departure = .init(.atRequest(6), .leaving(.remoteUserTerminated), returnsAfter: .seconds(1), times: 2)
        }
        let watched = try await watch(scenario, for: .seconds(180))
        #expect(watched.error == nil)
        #expect(watched.details.last?.information.manufacturer == "hr-raw simulator")
        #expect(watched.details.last?.battery?.percent == 91)
    }

    /// It leaves each time it is asked: the pauses between the questions grow.
    @Test func aStrapThatLeavesWhenAskedIsAskedLessAndLess() async throws {
        let scenario = try #require(Scenario.named("leaves-details"))
        let watched = try await watch(scenario, for: .seconds(6 * 3600))
        #expect(watched.error == nil)
        #expect((3...12).contains(watched.gaps.count))
        #expect(watched.measurements.count > 6 * 3600 - 300)
    }

    // MARK: Straps that are difficult

    @Test(arguments: ["sleepy", "shaky", "crowd", "leaving-discovery", "no-contact", "wide", "bare", "slow", "legacy"])
    func streamsInTheEnd(_ name: String) async throws {
        // The one that leaves in mid-discovery does so each time.
        var scenario = try #require(Scenario.named(name))
        if name == "leaving-discovery" { scenario.straps[0].departure?.times = 2 }
        let watched = try await watch(scenario, for: .seconds(90))
        #expect(watched.error == nil)
        #expect(watched.measurements.count >= 30)
    }

    @Test(arguments: [
        ("vanishing-discovery", HostError.disconnected(.connectionTimeout)),
        ("mute", .timedOut(.subscribing)),
        ("no-heart-rate", .timedOut(.searching)),
    ])
    func givesUpInTime(_ name: String, _ error: HostError) async throws {
        let scenario = try #require(Scenario.named(name))
        let watched = try await watch(scenario, for: .seconds(300))
        #expect(watched.hostError == error)
        #expect(watched.measurements.isEmpty)
    }

    @Test func aStrapThatNeverStaysIsGivenUpInTime() async throws {
        let scenario = try #require(Scenario.named("vanishing"))
        let watched = try await watch(scenario, for: .seconds(300))
        switch watched.hostError {
        case .disconnected(.failedToBeEstablished), .timedOut(.connecting): break
        default: Issue.record("\(String(describing: watched.error))")
        }
    }

    @Test func aRefusalIsNotTriedAgain() async throws {
        let scenario = try #require(Scenario.named("refusing"))
        let watched = try await watch(scenario, for: .seconds(300))
        // It wants to be paired, and cannot.
        #expect(watched.hostError == .security(.peerRefused(.pairingNotSupported)))
        #expect(watched.states == ["searching", "connecting", "connected"])
    }

    @Test func aSilentControllerIsTold() async throws {
        let scenario = try #require(Scenario.named("silent"))
        await #expect(throws: HostError.command(.unanswered(Opcode(rawValue: 0x0C03)))) {
            try await withVirtualCentral(scenario) { _ in }
        }
    }

    // MARK: Several

    @Test func listensToFourStrapsAtOnce() async throws {
        let watched = try await withVirtualCentral(.straps) { central in
            await withTaskGroup(of: Watched.self) { group in
                for strap in Scenario.straps.straps {
                    // The kind of the address is found out by scanning.
                    group.addTask { await watch(central, .address(strap.address.address), for: .seconds(60)) }
                }
                return await group.reduce(into: [Watched]()) { $0.append($1) }
            }
        }
        #expect(watched.count == 4)
        for one in watched {
            #expect(one.error == nil)
            #expect(one.measurements.count >= 40)
        }
    }

    /// A strap that is not there has its turns and no more: the others are found and connected all the same.
    @Test func anAbsentStrapDoesNotKeepTheOthersWaiting() async throws {
        let absent = DeviceAddress(.random, Address(rawValue: 0xF0F1_F2F3_F4FF))
        let (present, missing) = try await withVirtualCentral(.strap) { central in
            async let missing = watch(central, .target(absent), for: .seconds(60))
            async let present = watch(central, .any, for: .seconds(60))
            return await (present, missing)
        }
        #expect(present.error == nil)
        #expect(present.measurements.count >= 40)
        #expect(missing.hostError == .timedOut(.connecting))
    }

    // MARK: Giving up

    @Test(arguments: Array(stride(from: 0, through: 3000, by: 100)))
    func canBeTakenBackAtAnyTime(_ milliseconds: Int) async throws {
        let watched = try await watch(.strap, for: .milliseconds(Int64(milliseconds)))
        #expect(watched.error == nil)
    }
}
