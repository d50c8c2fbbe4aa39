import HCI
import Host
import Synchronization
import Wire

/// What a strap sends while its link lasts.
extension HeartRateMonitor {
    /// A strap whose measurements come.
    struct Streaming {
        let target: DeviceAddress
        let peer: Peer
        let subscription: Subscription
        /// The connection as it was told last; `nil` where it has ended already, with values that wait to be handed on.
        let connection: Connection?
    }

    /// How a stream ended.
    struct End {
        var status: Status
        /// When the heart rate was last known to be true.
        var lastFresh: Moment
        var hasMeasured: Bool
        var hasResetEnergy: Bool
    }

    /// What one of the tasks of a stream comes to.
    enum Part {
        case other
        case measurements
        case details(hasResetEnergy: Bool)
    }

    /// What the tasks of a stream have come to so far.
    struct Parts {
        private(set) var hasResetEnergy = false
        /// Whether no more measurements come, so that the other tasks are taken back.
        private(set) var areOver = false

        /// Takes in how one of the tasks ended.
        ///
        /// - Throws: why it failed. That it was taken back is no failure once all are: it was in the middle of something.
        mutating func take(_ part: Result<Part, any Error>) throws {
            switch part {
            case .success(.other): return
            case .success(.details(let isReset)): hasResetEnergy = isReset
            case .success(.measurements): areOver = true
            case .failure(HostError.cancelled) where areOver: return
            case .failure(let error): throw error
            }
        }
    }

    /// Hands on measurements until the link ends, and meanwhile reads what else the strap tells.
    func stream(_ streaming: Streaming, resetsEnergy: Bool) async throws -> End {
        let peer = streaming.peer
        let (firstBeat, beats) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let ear = await Ear(since: central.now, firstBeat: beats, emit: emit)
        do {
            let hasResetEnergy = try await withThrowingTaskGroup(of: Part.self) { group in
                group.addTask {
                    await wait(for: firstBeat)
                    let hasReset = try await readDetails(
                        streaming.subscription, of: peer, resetsEnergy: resetsEnergy)
                    return .details(hasResetEnergy: hasReset)
                }
                group.addTask {
                    try await handOn(streaming.subscription, of: peer, to: ear)
                    return .measurements
                }
                group.addTask {
                    await watch(ear, of: peer)
                    return .other
                }
                group.addTask {
                    await tellChanges(of: peer, since: streaming.connection)
                    return .other
                }
                defer { group.cancelAll() }
                var parts = Parts()
                while let part = await group.nextResult() {
                    try parts.take(part)
                    if parts.areOver { group.cancelAll() }
                }
                return parts.hasResetEnergy
            }
            try Task.checkCancellation()
            guard let status = await peer.ending else {
                await tell(.disconnected(streaming.target, nil))
                throw await central.ending ?? HostError.cancelled
            }
            return End(
                status: status, lastFresh: ear.lastFresh, hasMeasured: ear.hasHeard, hasResetEnergy: hasResetEnergy)
        } catch {
            await peer.disconnect()
            throw error is CancellationError ? HostError.cancelled : error
        }
    }

    /// Tells the state of the link again whenever its numbers change: the MTU is agreed on after the subscription, and straps ask for
    /// other parameters some seconds later.
    private func tellChanges(of peer: Peer, since told: Connection?) async {
        var told = told
        for await connection in await peer.changes where connection != told {
            told = connection
            await tell(.subscribed(connection))
        }
    }

    /// How long the first measurement is waited for before other things are asked of the strap: without contact some send none.
    private static let firstBeatPatience: Duration = .seconds(10)

    private func wait(for firstBeat: AsyncStream<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in firstBeat {} }
            group.addTask { try? await central.wait(Self.firstBeatPatience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Hands on measurements until the link ends. Where the strap's attributes change meanwhile, it is subscribed to again.
    private func handOn(_ subscription: Subscription, of peer: Peer, to ear: Ear) async throws {
        var subscription = subscription
        while true {
            await handOn(subscription, to: ear)
            guard let again = try await subscribeAgain(to: peer) else { return }
            subscription = again
        }
    }

    /// `nil` where the link has ended.
    private func subscribeAgain(to peer: Peer) async throws -> Subscription? {
        let connection = await peer.connection
        guard connection != nil, !Task.isCancelled else { return nil }
        do {
            return try await subscribe(to: peer)
        } catch let error as HostError {
            guard case .disconnected = error else { throw error }
            return nil
        }
    }

    private func handOn(_ subscription: Subscription, to ear: Ear) async {
        for await delivery in subscription.notifications {
            switch delivery {
            case .value(let notification): ear.hear(notification.value, at: notification.moment)
            case .gap(let count): ear.miss(count)
            }
        }
    }

    /// Tells when nothing comes any more though the link lasts.
    private func watch(_ ear: Ear, of peer: Peer) async {
        while true {
            let due = ear.nextDeadline
            guard (try? await central.wait(due - central.now)) != nil else { return }
            guard let voice = await ear.advance(to: central.now, due: due) else { continue }
            await ask(after: peer, until: voice)
        }
    }

    /// How often a strap that is silent is asked after.
    private static let askingPeriod: Duration = .seconds(60)

    /// Asks the controller now and then whether the link lasts, until something is heard: one that was reset without a word knows the
    /// connection no more, which its answer shows.
    private func ask(after peer: Peer, until voice: AsyncStream<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in voice {} }
            group.addTask {
                repeat {
                    _ = try? await peer.signalStrength()
                } while (try? await central.wait(Self.askingPeriod)) != nil
            }
            await group.next()
            group.cancelAll()
        }
    }
}

/// What is heard of a strap, shared by the task that hears and the one that watches the clock. Tells of it in order.
private final class Ear: Sendable {
    private struct State {
        var freshness: Freshness
        var hasHeard = false
        /// Ends when something is heard.
        var voice: AsyncStream<Void>.Continuation?
    }

    private let state: Mutex<State>
    /// Ends with the first measurement.
    private let firstBeat: AsyncStream<Void>.Continuation
    private let emit: @Sendable (HeartRateEvent) -> Void

    init(
        since now: Moment, firstBeat: AsyncStream<Void>.Continuation, emit: @escaping @Sendable (HeartRateEvent) -> Void
    ) {
        state = Mutex(State(freshness: Freshness(since: now)))
        self.firstBeat = firstBeat
        self.emit = emit
    }

    var lastFresh: Moment { state.withLock { $0.freshness.lastFresh } }

    var hasHeard: Bool { state.withLock { $0.hasHeard } }

    var nextDeadline: Moment { state.withLock { $0.freshness.nextDeadline } }

    func hear(_ value: [UInt8], at moment: Moment) {
        let measurement = HeartRateMeasurement(decoding: value)
        state.withLock { state in
            state.hasHeard = true
            state.voice?.finish()
            state.voice = nil
            state.freshness.heard(measurement, at: moment).forEach(tell)
            emit(.measurement(measurement, moment))
        }
        firstBeat.finish()
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

extension HeartRateEvent.Gap.Reason {
    /// Why a link ended, as the cause of a gap.
    init(endOfLink status: Status) {
        self = status == .lostWithController ? .adapterReset : .linkLost(status)
    }
}
