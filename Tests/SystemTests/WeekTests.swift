import HCI
import HeartRate
import Host
import Simulator
import TestSupport
import Testing
import Wire

/// A strap whose link is lost every few minutes, for a week of virtual time in `make check`, a day of it in `make test`. In a process
/// of its own, so that its memory is its own.
@Suite struct WeekTests {
    @Test func daysOfLostLinks() async {
        await #expect(processExitsWith: .success) {
            let (account, growth) = try await monitorLosingLinks(for: .seconds(WeekTests.span))
            #expect(account.faults == [])
            #expect(account.measured + account.missed == account.total)
            #expect(account.total > .seconds(WeekTests.span - 60))
            // Lost about every four minutes; each time it came back.
            #expect(account.gaps > WeekTests.span / 400)
            #expect(account.subscriptions > account.gaps)
            #expect(account.missed < account.total / 10)
            // A measurement a second while there is a link, give or take one at either end.
            let expected = Int(account.measured / .seconds(1))
            #expect(abs(account.measurements - expected) <= 2 * account.gaps)
            #expect(growth < 8 << 20)
        }
    }

    /// In seconds.
    static let span = (effort > 1 ? 7 : 1) * 24 * 3600
}

/// Monitors for so long; gives the books, and how much the memory has grown since the first hour.
private func monitorLosingLinks(
    for duration: Duration
) async throws -> (account: Ledger.Account, growth: Int) {
    let strap = StrapPlan.simulated(1) {
        $0.departure = .init(.after(.seconds(240)), .vanishing, returnsAfter: .seconds(7))
    }
    let scenario = Scenario(name: "", summary: "", straps: [strap])
    return try await withVirtualCentral(scenario) { central in
        let ledger = Ledger()
        let monitor = HeartRateMonitor(central: central) { ledger.take($0) }
        let growth = try await withThrowingTaskGroup(of: Int?.self) { group in
            group.addTask {
                try await monitor.run(.target(strap.address))
                return nil
            }
            group.addTask {
                try await central.wait(.seconds(3600))
                let before = residentOctets()
                try await central.wait(duration - .seconds(3600))
                return residentOctets() - before
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        return (ledger.account, growth ?? .max)
    }
}
