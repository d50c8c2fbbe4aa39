import HCI
import Host
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
        /// Why: the link ended by itself, or was given up because of this.
        var cause: HostError
        /// How long values could come.
        var lasted: Duration
        /// When the heart rate was last known to be true.
        var lastFresh: Moment
        var hasMeasured: Bool
        var hasResetEnergy: Bool
    }

    /// What came of hearing a strap.
    private struct Hearing {
        var hasResetEnergy = false
        /// Why it could not be subscribed to again though its link lasted, if that is how it ended.
        var failure: HostError?
    }

    /// What one of the tasks of a subscription comes to.
    enum Part {
        case measurements
        case details(hasResetEnergy: Bool)
    }

    /// What the tasks of a subscription have come to so far.
    struct Parts {
        private(set) var hasResetEnergy = false
        /// Whether no more measurements come, so that the other tasks are taken back.
        private(set) var areOver = false

        /// Takes in how one of the tasks ended.
        ///
        /// - Throws: why it failed. That it was taken back is no failure once all are: it was in the middle of something.
        mutating func take(_ part: Result<Part, any Error>) throws {
            switch part {
            case .success(.details(let isReset)): hasResetEnergy = isReset
            case .success(.measurements): areOver = true
            case .failure(HostError.cancelled) where areOver: return
            case .failure(let error): throw error
            }
        }
    }

    /// Hands on measurements until the link ends, and meanwhile reads what else the strap tells. A link to a strap that cannot be
    /// subscribed to any more is ended.
    func stream(_ streaming: Streaming, resetsEnergy: Bool) async throws -> End {
        let peer = streaming.peer
        let start = await central.now
        let ear = Ear(since: start, emit: emit)
        do {
            let hearing = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await watch(ear, of: peer) }
                group.addTask { await tellChanges(of: peer, since: streaming.connection) }
                defer { group.cancelAll() }
                return try await hear(streaming, with: ear, resetsEnergy: resetsEnergy)
            }
            try Task.checkCancellation()
            if hearing.failure != nil { await peer.disconnect() }
            guard let status = await peer.ending else {
                await tell(.disconnected(streaming.target, nil))
                throw await central.ending ?? HostError.cancelled
            }
            return await End(
                status: status, cause: hearing.failure ?? .disconnected(status), lasted: central.now - start,
                lastFresh: ear.lastFresh, hasMeasured: ear.legible > 0, hasResetEnergy: hearing.hasResetEnergy)
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

    // MARK: Hearing

    /// Hears a strap until its link ends. Where its attributes change meanwhile it is subscribed to again, and all that was known of
    /// them is found out anew.
    private func hear(_ streaming: Streaming, with ear: Ear, resetsEnergy: Bool) async throws -> Hearing {
        let peer = streaming.peer
        var subscription = streaming.subscription
        var hearing = Hearing()
        var backoff = Backoff(seed: options.seed)
        while true {
            let before = ear.legible
            let hasReset = try await hear(
                subscription, of: peer, with: ear, resetsEnergy: resetsEnergy && !hearing.hasResetEnergy)
            if hasReset { hearing.hasResetEnergy = true }
            if ear.legible > before {
                backoff.reset()
            } else {
                // It may end each subscription before it has sent anything.
                await wait(backoff.next(), orUntilTheEndOf: peer)
            }
            guard await peer.connection != nil, !Task.isCancelled else { return hearing }
            do {
                subscription = try await subscribeAgain(to: peer)
            } catch HostError.disconnected {
                return hearing
            } catch let error as HostError {
                hearing.failure = error
                return hearing
            }
        }
    }

    /// Hears a strap until the subscription ends, and meanwhile reads what else it tells.
    ///
    /// - Returns: whether the energy was reset
    private func hear(
        _ subscription: Subscription, of peer: Peer, with ear: Ear, resetsEnergy: Bool
    ) async throws -> Bool {
        let firstBeat = ear.nextBeat()
        return try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask {
                await wait(Self.firstBeatPatience, orUntilTheEndOf: firstBeat)
                let hasReset = try await readDetails(subscription, of: peer, resetsEnergy: resetsEnergy)
                return .details(hasResetEnergy: hasReset)
            }
            group.addTask {
                await handOn(subscription, to: ear)
                return .measurements
            }
            defer { group.cancelAll() }
            var parts = Parts()
            while let part = await group.nextResult() {
                try parts.take(part)
                if parts.areOver { group.cancelAll() }
            }
            return parts.hasResetEnergy
        }
    }

    /// How long the first measurement is waited for before other things are asked of the strap: without contact some send none.
    private static let firstBeatPatience: Duration = .seconds(10)

    private func wait(_ duration: Duration, orUntilTheEndOf peer: Peer) async {
        await wait(duration, orUntilTheEndOf: peer.changes)
    }

    private func wait<Element: Sendable>(_ duration: Duration, orUntilTheEndOf stream: AsyncStream<Element>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in stream {} }
            group.addTask { try? await central.wait(duration) }
            await group.next()
            group.cancelAll()
        }
    }

    /// How long subscribing again may take: a search among attributes that change without end has none.
    private static let renewalPatience: Duration = .seconds(60)

    private func subscribeAgain(to peer: Peer) async throws -> Subscription {
        try await central.within(central.now + Self.renewalPatience, .subscribing) { try await subscribe(to: peer) }
    }

    private func handOn(_ subscription: Subscription, to ear: Ear) async {
        for await delivery in subscription.notifications {
            switch delivery {
            case .value(let notification): ear.hear(notification.value, at: notification.moment)
            case .gap(let count): ear.miss(count)
            }
        }
    }

    // MARK: Silence

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

extension HeartRateEvent.Gap.Reason {
    /// Why a link ended, as the cause of a gap.
    init(endOfLink status: Status) {
        self = status == .lostWithController ? .adapterReset : .linkLost(status)
    }
}
