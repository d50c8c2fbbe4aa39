import Synchronization

/// What may be asked of a strap besides its heart rate, and when: one that has left twice in a row rather than answer, or has not
/// answered at all, is asked again only where its link has lasted, later each time, for its heart rate is worth more than its name.
final class Tact: Sendable {
    private static let mostCutOffs = 2
    private static let firstRest: Duration = .seconds(60)
    private static let longestRest: Duration = .seconds(86400)

    private struct State {
        /// Links in a row that ended before all was answered.
        var cutOffs = 0
        var known = StrapDetails()
        var isTold = false
    }

    private let state = Mutex(State())

    /// How long a link must have lasted before anything is asked on it.
    var rest: Duration {
        let extra = state.withLock { $0.cutOffs } - Self.mostCutOffs
        guard extra >= 0 else { return .zero }
        return min(Self.firstRest * (1 << min(extra, 16)), Self.longestRest)
    }

    /// What the strap has said of itself so far, in whichever link.
    var known: StrapDetails { state.withLock { $0.known } }

    /// The link ended before all was answered.
    func wasCutOff(knowing details: StrapDetails) {
        state.withLock { state in
            state.cutOffs += 1
            state.known = details
        }
    }

    /// All was answered, be it by refusals.
    func wasAnswered(_ details: StrapDetails) { state.withLock { $0 = State(known: details, isTold: true) } }

    /// What is known, for those who wait for it, where nothing more is asked for now; `nil` once it was told.
    func takeUntold() -> StrapDetails? {
        state.withLock { state in
            guard !state.isTold else { return nil }
            state.isTold = true
            return state.known
        }
    }
}
