import ATT
import GATT
import HCI
import HeartRate
import Host
import Simulator
import Synchronization
import Testing
import Wire

/// A strap that has worked and whose attributes change: it is subscribed to again, or come back to.
@Suite struct RenewalTests {
    /// A strap that tells of a change after 20 measurements in each connection.
    private func changing(_ adjust: (inout StrapPlan) -> Void = { _ in }) -> Scenario {
        let plan = StrapPlan.simulated(1) {
            $0.parameterWish = nil
            $0.databaseChange = .afterMeasurements(20)
            adjust(&$0)
        }
        return Scenario(name: "", summary: "", straps: [plan])
    }

    /// The search for the service that is to be subscribed to again, of a strap with nothing but its heart rate: one such request was
    /// for the first subscription, six were for what else it might have.
    private static let second = 8...8

    // MARK: Coming back

    /// New firmware may be a moment without its service, or refuse while it is busy with itself.
    @Test(arguments: [ErrorCode.attributeNotFound, .unlikelyError])
    func aRefusalInMidSessionEndsTheLinkAndNoMore(_ code: ErrorCode) async throws {
        let refusal = Misconduct.Act.pdu([[0x01], .ofRequest(at: 0, count: 3), [code.rawValue]])
        let watched = try await watch(
            changing {
                $0.offers = [.heartRate, .serviceChanged]
                // Where the one search is refused, the other is tried.
                $0.misconduct =
                    .on(.pdu(.findByTypeValueRequest), turns: Self.second, refusal)
                    + .on(.pdu(.readByGroupTypeRequest), refusal)
            }, for: .seconds(120))
        #expect(watched.error == nil)
        #expect(watched.gaps.count >= 3)
        #expect(watched.gaps.allSatisfy { $0.reason == .linkLost(.terminatedByLocalHost) })
        #expect(watched.measurements.count > 80)
    }

    @Test func noAnswerInMidSessionEndsTheLinkAndNoMore() async throws {
        let watched = try await watch(
            changing {
                $0.offers = [.heartRate, .serviceChanged]
                $0.misconduct = .on(.pdu(.findByTypeValueRequest), turns: Self.second)
            }, for: .seconds(170))
        #expect(watched.error == nil)
        #expect(watched.gaps.filter { if case .linkLost = $0.reason { true } else { false } }.count >= 2)
        #expect(watched.measurements.count > 50)
    }

    /// One that has worked may refuse five times, the refusal in mid-session being the first.
    @Test func aStrapThatRefusesForGoodIsGivenUpAfterFive() async throws {
        let writes = Mutex(0)
        let controller = AnsweringController(SimulatedWorld(changing())) { request in
            guard request.first == 0x12 else { return nil }
            // The measurements, Service Changed and the battery are subscribed to; from then on nothing is.
            let isRefused = writes.withLock { count in
                count += 1
                return count > 3
            }
            return isRefused ? [0x01, 0x12, request[1], request[2], 0x0E] : nil
        }
        let watched = try await withVirtualCentral(over: controller) { await watch($0, .any, for: .seconds(600)) }
        guard case .peer(.refused(.writeRequest, _, .unlikelyError)) = watched.hostError else {
            Issue.record("\(String(describing: watched.error))")
            return
        }
        #expect(watched.states.filter { $0 == "connected" }.count == 5)
        #expect(watched.gaps.count == 1)
        #expect(watched.gaps.first?.from == watched.measurements.last?.moment)
    }

    /// Discovery finds the measurement where Find Information says that it is not: the strap is subscribed to once more, and then
    /// believed where it speaks.
    @Test(arguments: [false, true])
    func aStrapThatContradictsItselfIsNotSubscribedToWithoutEnd(_ tellsOfChanges: Bool) async throws {
        let subscriptions = Mutex(0)
        let scenario = changing {
            $0.databaseChange = nil
            $0.offers = [.heartRate, .serviceChanged]
            guard tellsOfChanges else { return }
            $0.misconduct = .unasked(
                since: .subscription, after: .seconds(12), every: .seconds(1),
                .pdu([[0x1D], .valueHandle(0x2A05), [0x01, 0x00, 0xFF, 0xFF]]))
        }
        let controller = AnsweringController(SimulatedWorld(scenario)) { request in
            if request.first == 0x12, request.suffix(2) == [0x01, 0x00] { subscriptions.withLock { $0 += 1 } }
            // The proof begins at the value and ends at the descriptor behind it; no search for descriptors does.
            guard request.first == 0x04, request[3] == request[1] + 1 else { return nil }
            return [0x01, 0x04, request[1], request[2], 0x0A]
        }
        let watched = try await withVirtualCentral(over: controller) { await watch($0, .any, for: .seconds(300)) }
        #expect(watched.error == nil)
        #expect(watched.states == ["searching", "connecting", "connected", "subscribed"])
        #expect(watched.measurements.count > 280)
        #expect(!watched.details.isEmpty)
        #expect(subscriptions.withLock { $0 } == 2)
    }

    // MARK: What was known of the old handles

    @Test func whatIsKeptIsOfTheNewHandles() async throws {
        let memory = Memory()
        let watched = try await withVirtualCentral(changing(), handles: memory) { central in
            await watch(central, .any, for: .seconds(60))
        }
        #expect(watched.error == nil)
        let known = try #require(memory.load()[Scenario.strap.straps[0].address])
        // What was put in front has moved them.
        let first = Memory()
        _ = try await withVirtualCentral(.strap, handles: first) { await watch($0, .any, for: .seconds(15)) }
        let before = try #require(first.load()[Scenario.strap.straps[0].address])
        #expect(known.characteristic.valueHandle.rawValue == before.characteristic.valueHandle.rawValue + 4)
    }

    @Test func theBatteryIsWatchedOnWhereItNotifies() async throws {
        let watched = try await watch(changing(), for: .seconds(2500))
        #expect(watched.error == nil)
        #expect(distinct(watched.details.map { $0.battery?.percent }) == [91, 90, 89])
        #expect(watched.gaps == [])
    }

    /// Read every half an hour, always where it is by then.
    @Test func theBatteryIsReadWhereItIs() async throws {
        let controller = AnsweringController(SimulatedWorld(changing())) { request in
            // Only the battery's descriptor stands behind these: Service Changed is asked for by 02 00.
            guard request.first == 0x12, request.suffix(2) == [0x01, 0x00], request[1] > 0x20 else { return nil }
            return [0x01, 0x12, request[1], request[2], 0x05]
        }
        let watched = try await withVirtualCentral(over: controller) { await watch($0, .any, for: .seconds(5500)) }
        #expect(watched.error == nil)
        #expect(distinct(watched.details.map { $0.battery?.percent }) == [91, 90, 88, 87])
    }

    /// A change of the attributes while the strap is asked for its details is no refusal to reset the energy.
    @Test(arguments: 1...12)
    func theEnergyIsResetAlsoWhereTheHandlesMove(_ measurements: Int) async throws {
        var options = HeartRateMonitor.Options()
        options.resetsEnergy = true
        let scenario = changing { $0.databaseChange = .afterMeasurements(measurements) }
        let watched = try await watch(scenario, for: .seconds(60), options: options)
        #expect(watched.error == nil)
        #expect(watched.measurements.count > 40)
    }

    private func distinct(_ levels: [UInt8?]) -> [UInt8?] {
        levels.enumerated().filter { $0 == 0 || levels[$0 - 1] != $1 }.map(\.element)
    }
}
