import Wire

/// How long to wait before the next try: twice as long each time, up to a bound, and never quite the same for two straps that were
/// lost together.
///
/// Waiting for a strap that is away costs no tries: the controller listens for it. The pauses are for what fails at once, again and
/// again: links that end before a heart rate came, refusals, a controller without a free place.
struct Backoff: Hashable, Sendable {
    static let first: Duration = .milliseconds(500)
    static let longest: Duration = .seconds(30)

    private var failures = 0
    private var generator: SeededGenerator

    /// - Parameter seed: what the pauses follow from, besides the failures
    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The pause after one more failure: between half and all of what it may be by now.
    ///
    /// - Parameter bound: of the pause, where there is little time
    mutating func next(atMost bound: Duration = Self.longest) -> Duration {
        let whole = min(Self.first * (1 << min(failures, 16)), Self.longest, bound)
        failures += 1
        let half = whole.wholeNanoseconds / 2
        return .nanoseconds(half + Int64.random(in: 0...half, using: &generator))
    }

    /// It works again.
    mutating func reset() { failures = 0 }
}
