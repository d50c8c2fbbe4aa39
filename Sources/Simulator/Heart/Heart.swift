import HeartRate
import Wire

/// A heart that beats on its own time line, so that its intervals add up to the time that passes.
///
/// Beats fall on whole ticks of 1/1024 s, the unit in which sensors tell intervals: no rounding adds up.
struct Heart: Hashable, Sendable {
    private let plan: HeartPlan
    private let noise: Noise
    /// The moment of tick 0.
    private let start: Moment
    /// The last beat.
    private var tick: Int64 = 0
    private var count: UInt64 = 0

    init(_ plan: HeartPlan, noise: Noise, start: Moment) {
        self.plan = plan
        self.noise = noise
        self.start = start
    }

    /// The intervals that end by `now`, the oldest first; of many, the last `limit`.
    mutating func beat(until now: Moment, limit: Int) -> [RRInterval] {
        skip(to: now)
        var intervals: [RRInterval] = []
        while true {
            let interval = nextInterval
            guard moment(of: tick + Int64(interval.ticks)) <= now else { break }
            tick += Int64(interval.ticks)
            count &+= 1
            intervals.append(interval)
            if intervals.count >= 2 * limit { intervals.removeFirst(intervals.count - limit) }
        }
        return intervals.suffix(limit)
    }

    /// Passes over the hours in which nobody listened, without counting their beats one by one.
    private mutating func skip(to now: Moment) {
        let last = now.nanoseconds(since: start) / 9_765_625 * 10
        let hour: Int64 = 3600 * 1024
        if last - tick > hour { tick = last - 60 * 1024 }
    }

    /// From the last beat to the next: slow waves of effort, breathing, and chance.
    private var nextInterval: RRInterval {
        let seconds = Double(tick) / 1024
        let effort = 0.7 * wave(seconds / 310) + 0.3 * wave(seconds / 67)
        let rate = max(plan.rate + plan.swing * effort, 20)
        let breath = wave(seconds / 4.1)
        let variation = 1 + plan.variability * (0.6 * breath + 0.4 * noise.deviation(count))
        return RRInterval(ticks: UInt16(clamping: Int((1024 * 60 / rate * variation).rounded())))
    }

    private func moment(of tick: Int64) -> Moment { start.later(by: tick * 9_765_625 / 10) }
}
