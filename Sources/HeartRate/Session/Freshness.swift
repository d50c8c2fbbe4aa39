import Wire

/// Tells whether the measurements of a strap are fresh, whatever its link says: a link may last while nothing comes, and a strap that
/// is stuck sends its last value for ever.
struct Freshness: Hashable, Sendable {
    /// What came of an input, in order.
    enum Finding: Hashable, Sendable {
        case stale(HeartRateEvent.Staleness)
        case gap(HeartRateEvent.Gap)
    }

    /// The longest time between two measurements that is no gap: straps send one a second, some every five.
    static let longestSilence: Duration = .seconds(10)
    /// How long a measurement with RR intervals may be repeated to the octet. The time between beats is told in 1/1024 s, and no heart
    /// keeps it for half a minute, not even a paced one as a strap measures it.
    static let longestSameIntervals: Duration = .seconds(30)
    /// The same where the heart rate stands alone: a whole number, smoothed, that may well stay the same in sleep.
    static let longestSameRate: Duration = .seconds(600)
    /// Fewer repetitions than this say nothing, however far apart.
    static let fewestRepetitions = 5
    /// A look at the clock that comes so late was not to be had sooner: the machine was asleep, or this program stopped.
    static let latest: Duration = .seconds(5)

    /// A measurement that repeats itself.
    private struct Repetition: Hashable, Sendable {
        var value: [UInt8]
        var since: Moment
        var count = 0
        var isTold = false
    }

    private var lastHeard: Moment
    private var repetition: Repetition?
    /// When to look at the clock next, unless silence was told already.
    private(set) var nextDeadline: Moment
    /// Whether nothing has come for so long that it was told.
    private(set) var isSilent = false
    /// Measurements that came and were not read in time, since the last one that was.
    private var missed = 0

    /// - Parameter now: when measurements began to be possible
    init(since now: Moment) {
        lastHeard = now
        nextDeadline = now + Self.longestSilence
    }

    /// When the heart rate was last known to be true.
    var lastFresh: Moment { isFrozen ? repetition?.since ?? lastHeard : lastHeard }

    /// Whether what comes is a repetition and no measurement.
    var isFrozen: Bool { repetition?.isTold ?? false }

    /// So many measurements were not read in time.
    mutating func missed(_ count: Int) { missed += count }

    /// A measurement came.
    mutating func heard(_ measurement: HeartRateMeasurement, at moment: Moment) -> [Finding] {
        var findings: [Finding] = []
        if let reason = reasonOfGap(until: moment) {
            findings.append(.gap(.init(from: lastFresh, to: moment, reason: reason)))
            repetition = nil
        }
        lastHeard = moment
        nextDeadline = moment + Self.longestSilence
        isSilent = false
        missed = 0
        compare(measurement, at: moment, into: &findings)
        return findings
    }

    private func reasonOfGap(until moment: Moment) -> HeartRateEvent.Gap.Reason? {
        if missed > 0 { return .readerTooSlow(missed) }
        guard moment - lastHeard > Self.longestSilence else { return nil }
        // Silence that nobody was there to tell of.
        return isSilent ? .silence : .suspended
    }

    private mutating func compare(
        _ measurement: HeartRateMeasurement, at moment: Moment, into findings: inout [Finding]
    ) {
        guard var same = repetition, same.value == measurement.raw else {
            if isFrozen { findings.append(.gap(.init(from: lastFresh, to: moment, reason: .frozen))) }
            // Without a heart rate there is nothing to be stuck at.
            repetition =
                measurement.beatsPerMinute == nil ? nil : Repetition(value: measurement.raw, since: moment)
            return
        }
        same.count += 1
        let longest = measurement.intervals.isEmpty ? Self.longestSameRate : Self.longestSameIntervals
        if !same.isTold, same.count >= Self.fewestRepetitions, moment - same.since >= longest {
            same.isTold = true
            findings.append(.stale(.init(kind: .frozen, since: same.since, noticed: moment)))
        }
        repetition = same
    }

    /// Tells the time.
    ///
    /// - Parameter due: when it should have been told
    mutating func advance(to now: Moment, due: Moment) -> [Finding] {
        if now - due >= Self.latest { nextDeadline = max(nextDeadline, now + Self.longestSilence) }
        guard nextDeadline <= now, !isSilent else { return [] }
        isSilent = true
        return [.stale(.init(kind: .silent, since: lastHeard, noticed: now))]
    }
}
