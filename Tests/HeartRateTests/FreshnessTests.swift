import TestSupport
import Testing
import Wire

@testable import HeartRate

/// When a heart rate is stale though the link lasts (a dead battery's last value recorded to the end of the ride is what it is for).
@Suite struct FreshnessTests {
    private let start = Moment(nanoseconds: 1_000_000_000)

    private func moment(_ seconds: Int) -> Moment { start + .seconds(seconds) }

    /// 72 bpm with contact; with RR intervals where some are given.
    private func measurement(_ rate: UInt8 = 72, _ intervals: String = "") -> HeartRateMeasurement {
        HeartRateMeasurement(decoding: octets((intervals.isEmpty ? "06" : "16") + [rate].hexadecimal + intervals))
    }

    @Test func aMeasurementASecondIsFresh() {
        var freshness = Freshness(since: start)
        for second in 1...1000 {
            #expect(freshness.advance(to: moment(second), due: moment(second)) == [])
            #expect(freshness.heard(measurement(UInt8(60 + second % 50)), at: moment(second)) == [])
        }
        #expect(freshness.lastFresh == moment(1000))
    }

    @Test func silenceIsToldOnceAndItsEndIsAGap() {
        var freshness = Freshness(since: start)
        #expect(freshness.heard(measurement(), at: moment(1)) == [])
        #expect(freshness.nextDeadline == moment(11))
        #expect(freshness.advance(to: moment(10), due: moment(10)) == [])
        #expect(
            freshness.advance(to: moment(11), due: moment(11)) == [
                .stale(.init(kind: .silent, since: moment(1), noticed: moment(11)))
            ])
        #expect(freshness.isSilent)
        #expect(freshness.advance(to: moment(71), due: moment(71)) == [])
        #expect(
            freshness.heard(measurement(), at: moment(100)) == [
                .gap(.init(from: moment(1), to: moment(100), reason: .silence))
            ])
        #expect(!freshness.isSilent)
    }

    @Test func nothingAtAllIsSilenceToo() {
        var freshness = Freshness(since: start)
        #expect(
            freshness.advance(to: moment(10), due: moment(10)) == [
                .stale(.init(kind: .silent, since: start, noticed: moment(10)))
            ])
    }

    /// The timer should have told of silence long ago: the machine slept. Which of the two wakes first is anybody's guess.
    @Test(arguments: [false, true])
    func aMachineThatSleptIsNoSilentStrap(_ timerFirst: Bool) {
        var freshness = Freshness(since: start)
        _ = freshness.heard(measurement(), at: moment(1))
        if timerFirst { #expect(freshness.advance(to: moment(3600), due: moment(11)) == []) }
        #expect(
            freshness.heard(measurement(), at: moment(3600)) == [
                .gap(.init(from: moment(1), to: moment(3600), reason: .suspended))
            ])
    }

    /// The measurement came a moment after the timer was due and was seen before it: no machine slept.
    @Test(arguments: [11, 12, 15]) func aLateMeasurementIsNoSleep(_ second: Int) {
        var freshness = Freshness(since: start)
        _ = freshness.heard(measurement(), at: moment(1))
        let late = moment(second) + .milliseconds(1)
        #expect(
            freshness.heard(measurement(), at: late) == [
                .gap(.init(from: moment(1), to: late, reason: .silence))
            ])
    }

    /// It slept and woke, the strap was late once more: the sleep is over with the next measurement.
    @Test func aSleepCausesOneGap() {
        var freshness = Freshness(since: start)
        _ = freshness.heard(measurement(), at: moment(1))
        _ = freshness.advance(to: moment(3600), due: moment(11))
        _ = freshness.heard(measurement(), at: moment(3601))
        #expect(
            freshness.heard(measurement(), at: moment(3613)) == [
                .gap(.init(from: moment(3601), to: moment(3613), reason: .silence))
            ])
    }

    @Test func aStrapThatStaysSilentAfterTheSleepIsTold() {
        var freshness = Freshness(since: start)
        #expect(freshness.advance(to: moment(3600), due: moment(10)) == [])
        #expect(
            freshness.advance(to: moment(3610), due: moment(3610)) == [
                .stale(.init(kind: .silent, since: start, noticed: moment(3610)))
            ])
    }

    @Test func theSameIntervalsAgainAndAgainAreFrozen() {
        var freshness = Freshness(since: start)
        let stuck = measurement(72, "0003 1003")
        for second in 1...30 { #expect(freshness.heard(stuck, at: moment(second)) == []) }
        #expect(
            freshness.heard(stuck, at: moment(31)) == [
                .stale(.init(kind: .frozen, since: moment(1), noticed: moment(31)))
            ])
        #expect(freshness.heard(stuck, at: moment(32)) == [])
        #expect(freshness.isFrozen)
        #expect(freshness.lastFresh == moment(1))
        #expect(
            freshness.heard(measurement(72, "0103"), at: moment(40)) == [
                .gap(.init(from: moment(1), to: moment(40), reason: .frozen))
            ])
        #expect(freshness.lastFresh == moment(40))
    }

    /// In deep sleep a smoothed heart rate stays the same for minutes.
    @Test func aSteadyRateWithoutIntervalsIsNot() {
        var freshness = Freshness(since: start)
        for second in 1...600 { #expect(freshness.heard(measurement(48), at: moment(second)) == []) }
        #expect(
            freshness.heard(measurement(48), at: moment(601)) == [
                .stale(.init(kind: .frozen, since: moment(1), noticed: moment(601)))
            ])
    }

    @Test func fewRepetitionsSayNothing() {
        var freshness = Freshness(since: start)
        for second in stride(from: 9, through: 45, by: 9) {
            #expect(freshness.heard(measurement(72, "0003"), at: moment(second)) == [])
        }
    }

    /// No heart rate is no value to be stuck at: a strap without contact says so for hours.
    @Test func noHeartRateIsNeverFrozen() {
        var freshness = Freshness(since: start)
        for second in 1...3600 {
            #expect(freshness.heard(HeartRateMeasurement(decoding: [0x04, 0x00]), at: moment(second)) == [])
        }
    }

    @Test func aFrozenStrapThatFallsSilentHasOneGap() {
        var freshness = Freshness(since: start)
        let stuck = measurement(72, "0003")
        for second in 1...31 { _ = freshness.heard(stuck, at: moment(second)) }
        _ = freshness.advance(to: moment(41), due: moment(41))
        #expect(
            freshness.heard(stuck, at: moment(50)) == [
                .gap(.init(from: moment(1), to: moment(50), reason: .silence))
            ])
    }

    @Test func whatWasNotReadInTimeIsAGap() {
        var freshness = Freshness(since: start)
        _ = freshness.heard(measurement(), at: moment(1))
        freshness.missed(4)
        freshness.missed(2)
        #expect(
            freshness.heard(measurement(), at: moment(60)) == [
                .gap(.init(from: moment(1), to: moment(60), reason: .readerTooSlow(6)))
            ])
    }
}

@Suite struct BackoffTests {
    @Test func pausesGrowToABoundAndDiffer() {
        var one = Backoff(seed: 1)
        var other = Backoff(seed: 2)
        let pauses = (0..<10).map { _ in one.next() }
        for (index, pause) in pauses.enumerated() {
            let whole = min(Backoff.first * (1 << index), Backoff.longest)
            #expect(pause >= whole / 2 && pause <= whole)
        }
        #expect(pauses.contains { $0 > .seconds(15) })
        #expect(pauses != (0..<10).map { _ in other.next() })
        one.reset()
        #expect(one.next() <= Backoff.first)
        #expect(one.next(atMost: .milliseconds(100)) <= .milliseconds(100))
    }

    @Test func theSameSeedPausesTheSame() {
        var one = Backoff(seed: 7)
        var other = Backoff(seed: 7)
        #expect((0..<100).map { _ in one.next() } == (0..<100).map { _ in other.next() })
    }
}
