import Wire

/// Virtual time, with the leaps that a machine makes that slept, and those of a civil clock that is set.
struct TrialClock {
    /// A leap of the clock.
    struct Jump: Hashable, Sendable {
        /// When, from the start.
        var at: Duration
        /// How far both clocks go on at once.
        var by: Duration
        /// How far the civil clock is set besides, forward or back.
        var setting: Duration
    }

    private(set) var now = Moment.zero
    private var setting = Duration.zero
    private var jumps: [Jump]
    /// How far the clock has leapt altogether.
    private(set) var jumped = Duration.zero

    /// No trial lasts longer.
    static let end = Moment.zero + .seconds(4 * 3600)

    init(jumps: [Jump]) { self.jumps = jumps.sorted { $0.at < $1.at } }

    var civilTime: Timestamp { Timestamp(microseconds: 1_700_000_000_000_000) + (now - .zero) + setting }

    /// Goes on to `moment`, and further where a leap is due by then. Answers whether that is before the end of all trials.
    mutating func jump(to moment: Moment) -> Bool {
        guard moment <= Self.end else { return false }
        now = max(now, moment)
        while let next = jumps.first, Moment.zero + next.at <= now {
            jumps.removeFirst()
            now = now + next.by
            jumped += next.by
            setting += next.setting
        }
        return true
    }
}
