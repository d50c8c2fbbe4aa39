import Host
import SMP
import Wire

/// How long a strap is tried, after which pauses, and what is told in the end: until the first limit, and, once it has worked, for as
/// long as it takes.
struct Perseverance: Hashable, Sendable {
    /// The longest pause between tries where there is a deadline.
    private static let longestPauseInTime: Duration = .seconds(4)

    private let limit: Duration
    /// Until when a heart rate has to come: a strap may agree to all that it is asked, and leave. `nil` once that matters no more.
    private(set) var deadline: Moment?
    private var backoff: Backoff
    private var refusals = Refusals()
    /// What ended the last link. Where the time runs out while a strap is searched or connected to, it says more.
    private var lastEnd: HostError?

    /// - Parameters:
    ///   - now: when the first try begins
    ///   - limit: how long a heart rate may take, the first time
    ///   - seed: what the pauses follow from
    init(since now: Moment, limit: Duration, seed: UInt64) {
        self.limit = limit
        deadline = now + limit
        backoff = Backoff(seed: seed)
    }

    /// A link on which values could come has ended.
    ///
    /// - Returns: whether it may be made anew at once
    mutating func linkEnded(_ end: HeartRateMonitor.End) -> Bool {
        lastEnd = end.cause
        guard end.hasMeasured else {
            // A strap that stays and tells nothing is merely not worn.
            if end.lasted > limit { deadline = nil }
            return false
        }
        deadline = nil
        backoff.reset()
        refusals = Refusals()
        return end.cause.mayPass
    }

    /// The pause before the next try.
    ///
    /// - Throws: what is to be told where there is none
    mutating func pause(after error: HostError, at now: Moment) throws(HostError) -> Duration {
        if case .disconnected = error { lastEnd = error }
        // One that never worked is given up with its first refusal.
        guard deadline == nil ? refusals.allowAnother(after: error) : error.mayPass else { throw verdict(error) }
        let pause = backoff.next(atMost: deadline == nil ? Backoff.longest : Self.longestPauseInTime)
        if let deadline, now + pause >= deadline { throw verdict(error) }
        return pause
    }

    /// What is told of a strap that is given up with this.
    private func verdict(_ error: HostError) -> HostError {
        guard deadline != nil, let lastEnd else { return error }
        switch error {
        case .timedOut, .security(.tooSoon): return lastEnd
        default: return error
        }
    }
}
