import HeartRate
import Synchronization
import Wire

/// Books the time of a heart-rate monitor's run: every moment from the first measurement on is either measured or in a gap, exactly
/// once. Keeps nothing else, so that a week of it takes no memory.
final class Ledger: Sendable {
    struct Account: Sendable {
        var measurements = 0
        var gaps = 0
        var subscriptions = 0
        var measured: Duration = .zero
        var missed: Duration = .zero
        /// Up to where the time is booked.
        var booked: Moment?
        var begin: Moment?
        /// What does not fit together, the first ones.
        var faults: [String] = []

        var total: Duration { begin.flatMap { begin in booked.map { $0 - begin } } ?? .zero }

        mutating func note(_ fault: String) { if faults.count < 10 { faults.append(fault) } }
    }

    private let state = Mutex(Account())

    var account: Account { state.withLock { $0 } }

    func take(_ event: HeartRateEvent) {
        state.withLock { account in
            switch event {
            case .measurement(_, let moment): account.measured(at: moment)
            case .gap(let gap): account.missed(gap)
            case .link(.subscribed, _): account.subscriptions += 1
            default: break
            }
        }
    }
}

extension Ledger.Account {
    fileprivate mutating func measured(at moment: Moment) {
        measurements += 1
        guard let booked else {
            begin = moment
            booked = moment
            return
        }
        if moment < booked { note("a measurement at \(moment), booked up to \(booked)") }
        if moment - booked > .seconds(10) { note("nothing from \(booked) to \(moment), and no gap") }
        measured += moment - booked
        self.booked = moment
    }

    fileprivate mutating func missed(_ gap: HeartRateEvent.Gap) {
        guard let booked else { return }
        gaps += 1
        // A link that was lost before its first measurement has the end of the gap before as its last moment.
        if gap.from != booked { note("a gap from \(gap.from), booked up to \(booked)") }
        missed += gap.to - booked
        self.booked = gap.to
    }
}
