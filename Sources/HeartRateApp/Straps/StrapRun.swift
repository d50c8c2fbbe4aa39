import HCI
import HeartRate
import Host
import Synchronization
import Wire

/// What `connect` has seen of its straps so far, and what that means for the output and for the end.
///
/// Events come from the tasks of several monitors; everything is kept behind one lock, so that lines keep the order of events.
final class StrapRun: Sendable {
    /// One strap as the user called it, and what is known of it.
    struct Strap {
        var name: String
        var device: DeviceAddress?
        var hasDetails = false
        /// Whether its measurements come just now.
        var isSubscribed = false
        /// How far it has come; `nil` before it is looked for.
        var link: HeartRateEvent.LinkState?
        /// Why its last link ended.
        var ending: Status?
        var lastHeard: Moment?
        /// How its heart rate is stale though the link lasts.
        var staleness: HeartRateEvent.Staleness?
        /// The adapter went away while the strap's heart rate came; the gap is told when it comes again.
        var awaitsAdapter = false
        var givenUp: ExitStatus?
    }

    private struct State {
        var straps: [Strap]
        var count = 0
        var outputError: OutputError?
        /// Those who wait for the end.
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private let state: Mutex<State>
    private let printer: StrapPrinter
    private let console: Console
    /// Measurements that are enough; `nil` for no end.
    private let limit: Int?

    init(_ names: [String], printer: StrapPrinter, console: Console, limit: Int?) {
        state = Mutex(State(straps: names.map { Strap(name: $0) }))
        self.printer = printer
        self.console = console
        self.limit = limit
    }

    // MARK: Events

    /// Takes an event of one strap and prints it.
    ///
    /// - Parameter clock: what the civil clock showed at a moment
    func take(_ event: HeartRateEvent, from index: Int, clock: (Moment) -> Timestamp) {
        state.withLock { state in
            guard state.outputError == nil else { return }
            do throws(OutputError) {
                try take(event, from: index, clock: clock, &state)
            } catch {
                state.outputError = error
            }
            tellEnd(&state)
        }
    }

    private func take(
        _ event: HeartRateEvent, from index: Int, clock: (Moment) -> Timestamp, _ state: inout State
    ) throws(OutputError) {
        switch event {
        case .link(let link, _):
            state.straps[index].device = link.device ?? state.straps[index].device
        case .details:
            state.straps[index].hasDetails = true
        case .measurement(_, let moment):
            if let limit, state.count >= limit { return }
            state.count += 1
            try tellAdapterGap(index, until: moment, clock: clock, &state)
            state.straps[index].lastHeard = moment
        case .stale(let staleness):
            state.straps[index].staleness = staleness
        case .gap:
            state.straps[index].staleness = nil
        }
        try printer.print(event, of: state.straps[index], clock: clock)
        // Only now, so that the printer sees what is new in the event.
        if case .link(let link, _) = event { state.straps[index].note(link) }
    }

    /// After the adapter came back, tells in which time measurements may have been missed.
    private func tellAdapterGap(
        _ index: Int, until moment: Moment, clock: (Moment) -> Timestamp, _ state: inout State
    ) throws(OutputError) {
        guard state.straps[index].awaitsAdapter else { return }
        state.straps[index].awaitsAdapter = false
        guard let lastHeard = state.straps[index].lastHeard else { return }
        let gap = HeartRateEvent.Gap(from: lastHeard, to: moment, reason: .adapterLost)
        try printer.print(.gap(gap), of: state.straps[index], clock: clock)
    }

    // MARK: Ends

    /// A strap is given up: says why and goes on with the others.
    func giveUp(_ index: Int, _ failure: Failure) {
        console.messages.failure(failure)
        state.withLock { state in
            state.straps[index].givenUp = failure.status
            tellEnd(&state)
        }
    }

    func isGivenUp(_ index: Int) -> Bool { state.withLock { $0.straps[index].givenUp != nil } }

    /// The strap that was found for a name or for 'any': after the adapter came back the same is wanted, not any other. A private
    /// address is none to come back to: it may have changed.
    func device(_ index: Int) -> DeviceAddress? {
        guard let device = state.withLock({ $0.straps[index].device }) else { return nil }
        return device.randomness == nil || device.randomness == .static ? device : nil
    }

    /// Gives one element when nothing more is wanted. Each reader has a stream of its own: a cancelled one ends its stream for good,
    /// and a run goes on after the adapter was away.
    func ends() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        state.withLock { state in
            state.waiting.append(continuation)
            tellEnd(&state)
        }
        return stream
    }

    private func tellEnd(_ state: inout State) {
        guard isOver(state) else { return }
        for waiting in state.waiting { waiting.yield() }
        state.waiting = []
    }

    private func isEnough(_ state: State) -> Bool { limit.map { state.count >= $0 } ?? false }

    private func isOver(_ state: State) -> Bool {
        if state.outputError != nil { return true }
        if state.straps.allSatisfy({ $0.givenUp != nil }) { return true }
        // What a strap says of itself is waited for only while it can still come.
        return isEnough(state) && state.straps.allSatisfy { $0.hasDetails || !$0.isSubscribed || $0.givenUp != nil }
    }

    /// How the run ends.
    ///
    /// - Parameter isCutOff: whether `--duration` ended it, so that a strap that never told its heart rate was not found in time
    /// - Throws: `OutputError`, or the `ExitStatus` of what has been reported
    func finish(isCutOff: Bool) throws {
        let (straps, outputError, isEnough) = state.withLock { ($0.straps, $0.outputError, self.isEnough($0)) }
        if let outputError { throw outputError }
        if let status = straps.lazy.compactMap(\.givenUp).first, !isEnough { throw status }
        guard isCutOff, let missed = straps.first(where: { $0.lastHeard == nil }) else { return }
        let (state, remedy) = missed.progress
        throw Failure(
            .unavailable, "no heart rate came from \(missed.name) before the time was over: \(state)", remedy: remedy)
    }
}

extension StrapRun.Strap {
    mutating func note(_ link: HeartRateEvent.LinkState) {
        self.link = link
        switch link {
        case .subscribed: isSubscribed = true
        case .disconnected(_, let status):
            isSubscribed = false
            ending = status
            staleness = nil
            if status == nil { awaitsAdapter = true }
        case .searching, .connecting, .connected, .reconnecting: break
        }
    }

    /// How far it has come, and what to try, where it never told its heart rate.
    var progress: (state: String, remedy: String) {
        let diagnosis = "hr-raw diagnose finds out what stands in the way; --duration may be longer."
        switch link {
        case nil: return ("the adapter took all of it to get ready", "--duration may be longer.")
        case .searching:
            return (
                "it was not heard",
                "Is it worn, switched on and near? A strap that another device is connected to does not show up."
            )
        case .subscribed: return ("it is subscribed to and sends nothing", diagnosis)
        case .connected, .connecting, .reconnecting, .disconnected:
            // Where links end again and again, why they do says more than how far the last one has come.
            if let ending { return ("its link ended: \(ending)", diagnosis) }
            if case .connected = link { return ("it is connected and has not finished answering", diagnosis) }
            return ("it does not answer when it is called", diagnosis)
        }
    }
}

extension HeartRateEvent.LinkState {
    /// The strap that it is about, once that is known.
    var device: DeviceAddress? {
        switch self {
        case .searching: nil
        case .connecting(let device), .reconnecting(let device), .disconnected(let device, _): device
        case .connected(let connection), .subscribed(let connection): connection.peer
        }
    }
}
