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
    /// A look at the clock that comes so late was not to be had sooner: the machine was asleep, or this program stopped.
    static let latest: Duration = .seconds(5)

    private var lastHeard: Moment
    private var repetition = Repetition()
    /// When to look at the clock next, unless silence was told already.
    private(set) var nextDeadline: Moment
    /// Whether nothing has come for so long that it was told.
    private(set) var isSilent = false
    /// Whether the clock was looked at too late since the last measurement.
    private var wasLate = false
    /// Measurements that came and were not read in time, since the last one that was.
    private var missed = 0

    /// - Parameter now: when measurements began to be possible
    init(since now: Moment) {
        lastHeard = now
        nextDeadline = now + Self.longestSilence
    }

    /// When the heart rate was last known to be true.
    var lastFresh: Moment { isFrozen ? repetition.since : lastHeard }

    /// Whether what comes is a repetition and no measurement.
    var isFrozen: Bool { repetition.isStuck }

    /// So many measurements were not read in time.
    mutating func missed(_ count: Int) { missed += count }

    /// A measurement came.
    mutating func heard(_ measurement: HeartRateMeasurement, at moment: Moment) -> [Finding] {
        var findings: [Finding] = []
        if let reason = reasonOfGap(until: moment) {
            findings.append(.gap(.init(from: lastFresh, to: moment, reason: reason)))
            repetition = Repetition()
        }
        lastHeard = moment
        nextDeadline = moment + Self.longestSilence
        isSilent = false
        wasLate = false
        missed = 0
        compare(measurement, at: moment, into: &findings)
        return findings
    }

    private func reasonOfGap(until moment: Moment) -> HeartRateEvent.Gap.Reason? {
        if missed > 0 { return .readerTooSlow(missed) }
        guard moment - lastHeard > Self.longestSilence else { return nil }
        // Nobody was there to tell of the silence. The clock may just have had no time to, which is no sleep.
        let isSleep = wasLate || moment - nextDeadline >= Self.latest
        return isSilent || !isSleep ? .silence : .suspended
    }

    private mutating func compare(
        _ measurement: HeartRateMeasurement, at moment: Moment, into findings: inout [Finding]
    ) {
        let before = repetition
        repetition.take(measurement, at: moment)
        switch (before.isStuck, repetition.isStuck) {
        case (true, false): findings.append(.gap(.init(from: before.since, to: moment, reason: .frozen)))
        case (false, true): findings.append(.stale(.init(kind: .frozen, since: repetition.since, noticed: moment)))
        default: break
        }
    }

    /// Tells the time.
    ///
    /// - Parameter due: when it should have been told
    mutating func advance(to now: Moment, due: Moment) -> [Finding] {
        if now - due >= Self.latest {
            wasLate = true
            nextDeadline = max(nextDeadline, now + Self.longestSilence)
        }
        guard nextDeadline <= now, !isSilent else { return [] }
        isSilent = true
        return [.stale(.init(kind: .silent, since: lastHeard, noticed: now))]
    }
}
