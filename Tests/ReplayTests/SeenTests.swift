import Capture
import HCI
import Replay
import TestSupport
import Testing
import Wire

/// What the host in a recording saw.
@Suite struct SeenTests {
    @Test func aRideInAFewLines() throws {
        let ride = try Recording(contentsOf: Fixtures.path("captures/SYNTHETIC_bumble_hr_mtu23.btsnoop"))
        let seen = ride.seen()
        #expect(seen.heartRates.count == 10)
        #expect(seen.links.map(\.report.state) == [.connecting, .connected, .subscribed, .disconnected])
    }
}
