import HCI
import Host
import Testing

@testable import HeartRate

/// What ends a stream, and what is no more than its end.
@Suite struct StreamPartsTests {
    /// The link drops between two requests: the second is never asked, because the stream has taken its own tasks back by then.
    @Test func whatTheEndTakesBackIsNoFailure() throws {
        var parts = HeartRateMonitor.Parts()
        try parts.take(.success(.measurements))
        #expect(parts.areOver)
        try parts.take(.failure(HostError.cancelled))
        try parts.take(.success(.details(hasResetEnergy: true)))
        #expect(parts.hasResetEnergy)
    }

    @Test func whatIsTakenBackBeforeTheEndIsOne() {
        var parts = HeartRateMonitor.Parts()
        #expect(throws: HostError.cancelled) { try parts.take(.failure(HostError.cancelled)) }
    }

    /// A strap that refused, and left with that, has refused.
    @Test func aRefusalIsToldAlsoAfterTheEnd() throws {
        var parts = HeartRateMonitor.Parts()
        try parts.take(.success(.measurements))
        #expect(throws: HeartRateMonitorError.noControlPoint) {
            try parts.take(.failure(HeartRateMonitorError.noControlPoint))
        }
    }
}
