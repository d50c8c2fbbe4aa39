import HCI
import HeartRate
import Host
import SMP
import Simulator
import Testing

/// Straps that demand protection, as the heart-rate monitor sees them: it needs nobody's help but where a passkey is asked for.
@Suite struct ProtectedMonitorTests {
    private static let names = (Scenario.protected + Scenario.bonded).map(\.name)
        .filter {
            !["out-of-band", "legacy-out-of-band", "short-key", "forgetful", "new-battery", "directed"].contains($0)
        }

    @Test(arguments: names) func streams(_ name: String) async throws {
        let scenario = try #require(Scenario.named(name))
        let watched = try await withVirtualCentral(scenario, pairing: .attended()) { central in
            await watch(central, .any, for: .seconds(150))
        }
        #expect(watched.error == nil)
        #expect(watched.measurements.count >= 120, "\(watched.states)")
        #expect(!watched.details.isEmpty)
    }

    /// The link is lost again and again, and the strap has another address each time: it is paired with once.
    @Test(arguments: ["rotating", "rotating-public", "rotating-unresolved"])
    func aRotatingStrapIsPairedWithOnce(_ name: String) async throws {
        let scenario = try #require(Scenario.named(name))
        let (watched, bonds) = try await withVirtualCentral(scenario) { central in
            let watched = await watch(central, .any, for: .seconds(300))
            return (watched, await central.bonds)
        }
        #expect(watched.error == nil)
        #expect(watched.states.filter { $0 == "subscribed" }.count >= 5)
        #expect(watched.measurements.count >= 220)
        #expect(Set(watched.subscribed.map(\.peer)).count == 1)
        #expect(Set(watched.subscribed.map(\.airAddress)).count >= 4)
        #expect(bonds.count == 1)
    }

    /// It works until its keys are gone: then the user is told, and nothing is paired anew behind anybody's back.
    @Test(arguments: ["forgetful", "new-battery"]) func aForgottenBondEndsIt(_ name: String) async throws {
        let scenario = try #require(Scenario.named(name))
        let watched = try await withVirtualCentral(scenario) { central in
            await watch(central, .any, for: .seconds(300))
        }
        #expect(watched.hostError == .security(.keyMissing))
        #expect(watched.measurements.count >= 25)
        #expect(watched.states.filter { $0 == "subscribed" }.count == 1)
    }
}
