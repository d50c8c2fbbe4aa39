import Synchronization
import Wire

/// What is heard of a strap, shared by the task that hears and the one that watches the clock. Tells of it in order.
final class Ear: Sendable {
    private struct State {
        var freshness: Freshness
        /// Values that could be read.
        var legible = 0
        /// Ends with the next value that can be read.
        var beat: AsyncStream<Void>.Continuation?
        /// Ends when something is heard.
        var voice: AsyncStream<Void>.Continuation?

        mutating func noteBeat() {
            legible += 1
            beat?.finish()
            beat = nil
        }
    }

    private let state: Mutex<State>
    private let emit: @Sendable (HeartRateEvent) -> Void

    init(since now: Moment, emit: @escaping @Sendable (HeartRateEvent) -> Void) {
        state = Mutex(State(freshness: Freshness(since: now)))
        self.emit = emit
    }

    var lastFresh: Moment { state.withLock { $0.freshness.lastFresh } }

    /// How many values were heard that could be read. What cannot is told, and is no sign of a strap that works.
    var legible: Int { state.withLock { $0.legible } }

    var nextDeadline: Moment { state.withLock { $0.freshness.nextDeadline } }

    /// Ends with the next value that can be read. Only one waits for it.
    func nextBeat() -> AsyncStream<Void> {
        let (stream, beat) = AsyncStream.makeStream(of: Void.self)
        state.withLock { $0.beat = beat }
        return stream
    }

    func hear(_ value: [UInt8], at moment: Moment) {
        let measurement = HeartRateMeasurement(decoding: value)
        state.withLock { state in
            if measurement.isLegible { state.noteBeat() }
            state.voice?.finish()
            state.voice = nil
            state.freshness.heard(measurement, at: moment).forEach(tell)
            emit(.measurement(measurement, moment))
        }
    }

    func miss(_ count: Int) { state.withLock { $0.freshness.missed(count) } }

    /// Tells the time.
    ///
    /// - Returns: what ends when something is heard, where nothing has been for long
    func advance(to now: Moment, due: Moment) -> AsyncStream<Void>? {
        state.withLock { state in
            state.freshness.advance(to: now, due: due).forEach(tell)
            guard state.freshness.isSilent else { return nil }
            let (stream, voice) = AsyncStream.makeStream(of: Void.self)
            state.voice = voice
            return stream
        }
    }

    private func tell(_ finding: Freshness.Finding) {
        switch finding {
        case .stale(let staleness): emit(.stale(staleness))
        case .gap(let gap): emit(.gap(gap))
        }
    }
}

extension HeartRateMeasurement {
    /// Whether it tells a heart rate, or properly that there is none. A fault behind the rate takes nothing from it.
    fileprivate var isLegible: Bool { beatsPerMinute != nil || malformed == nil }
}
