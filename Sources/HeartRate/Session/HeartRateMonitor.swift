public import HCI
public import Host
public import Wire

/// Keeps one strap's heart rate coming: finds it, connects, subscribes, reads what it says of itself, and comes back after a lost link.
public struct HeartRateMonitor: Sendable {
    /// Which strap.
    public enum Wanted: Hashable, Sendable {
        case target(DeviceAddress)
        /// An address whose kind is found out by scanning.
        case address(Address)
        /// The first strap with exactly this name.
        case name(String)
        /// The first that advertises the Heart Rate service.
        case any
    }

    /// How to behave.
    public struct Options: Hashable, Sendable {
        /// How long finding, connecting and subscribing may take, together, the first time. A link that ends before a heart rate came
        /// counts as a try, unless it lasted longer than this: then the strap was there, and merely not worn.
        public var timeout: Duration = .seconds(30)
        /// Whether a lost link is connected again, for as long as it takes.
        public var reconnects = true
        /// Whether the energy that the strap counts is set back to zero at the start.
        public var resetsEnergy = false
        /// What the pauses between tries follow from: another number for each strap, so that several do not keep step.
        public var seed: UInt64 = 0

        public init() {}
    }

    let central: Central
    let options: Options
    /// Learnt in one link, heeded in the next.
    let tact = Tact()
    let claims: StrapClaims
    let owner: Int
    let emit: @Sendable (HeartRateEvent) -> Void

    /// - Parameters:
    ///   - claims: what the monitors of one run share, so that each finds a strap of its own
    ///   - owner: tells this monitor from the others among them
    ///   - emit: told of everything that happens, in order; called from the tasks of `run(_:)`
    public init(
        central: Central, options: Options = Options(), claims: StrapClaims = StrapClaims(), owner: Int = 0,
        emit: @escaping @Sendable (HeartRateEvent) -> Void
    ) {
        self.central = central
        self.options = options
        self.claims = claims
        self.owner = owner
        self.emit = emit
    }

    /// Runs until the task is cancelled or the strap is given up.
    ///
    /// - Throws: `HostError`: the strap was not found in time or left each time before a heart rate came, it refused or broke the
    ///   protocol, the controller is gone, or the link was lost and `reconnects` is false
    public func run(_ wanted: Wanted) async throws {
        let wanted = await central.recognise(wanted)
        var perseverance = await Perseverance(since: central.now, limit: options.timeout, seed: options.seed)
        var streaming = try await establish(wanted, &perseverance)
        var resetsEnergy = options.resetsEnergy
        while true {
            let end = try await stream(streaming, resetsEnergy: resetsEnergy)
            if end.hasResetEnergy { resetsEnergy = false }
            await tell(.disconnected(streaming.target, end.status))
            guard options.reconnects else { throw end.cause }
            await tell(.reconnecting(streaming.target))
            do {
                if !perseverance.linkEnded(end) { try await pause(after: end.cause, &perseverance) }
                streaming = try await establish(wanted, knownAt: streaming.target, &perseverance)
            } catch {
                // What was missed until now was missed, though nothing more will come.
                await tellGap(since: end)
                throw error
            }
            await tellGap(since: end)
        }
    }

    private func tellGap(since end: End) async {
        await emit(.gap(.init(from: end.lastFresh, to: central.now, reason: .init(endOfLink: end.status))))
    }

    func tell(_ link: HeartRateEvent.LinkState) async {
        await emit(.link(link, central.now))
    }

    // MARK: Getting there

    /// How long one attempt to connect lasts where there is no deadline.
    private static let patience: Duration = .seconds(3600)
    /// The same where a search may find the strap under another address.
    private static let patienceBeforeSearch: Duration = .seconds(30)

    /// Finds, connects and subscribes, again after each failure that may pass, for as long as `perseverance` lasts.
    ///
    /// - Parameter lastTarget: where it was the last time, if ever
    private func establish(
        _ wanted: Wanted, knownAt lastTarget: DeviceAddress? = nil, _ perseverance: inout Perseverance
    ) async throws -> Streaming {
        var target = lastTarget.flatMap { wanted.mayHaveLeft($0) && $0.isPrivate ? nil : $0 }
        let deadline = perseverance.deadline
        while true {
            do {
                let known = try await target.orFind { try await find(wanted, by: deadline) }
                target = known
                await tell(.connecting(known))
                let patience = wanted.mayHaveLeft(known) ? Self.patienceBeforeSearch : Self.patience
                return try await subscribe(to: known, within: patience, by: deadline)
            } catch let error as HostError {
                guard await central.ending == nil, !Task.isCancelled else { throw error }
                if let known = target, wanted.mayHaveLeft(known) { target = nil }
                try await pause(after: error, &perseverance)
            }
        }
    }

    /// Waits before the next try.
    ///
    /// - Throws: what is to be told of the strap, where there is none
    private func pause(after error: HostError, _ perseverance: inout Perseverance) async throws {
        try await central.wait(perseverance.pause(after: error, at: central.now))
    }

    private func find(_ wanted: Wanted, by deadline: Moment?) async throws -> DeviceAddress {
        if case .target(let target) = wanted { return target }
        await tell(.searching)
        return try await central.within(deadline, .searching) { [central, claims, owner] in
            try await central.find(wanted) { claims.claim($0.address, for: owner) }
        }
    }

    private func subscribe(
        to target: DeviceAddress, within patience: Duration, by deadline: Moment?
    ) async throws -> Streaming {
        let now = await central.now
        let remaining = deadline.map { min($0 - now, patience) } ?? patience
        let peer = try await central.connect(to: target, within: remaining)
        do {
            if let connection = await peer.connection { await tell(.connected(connection)) }
            let subscription = try await central.within(deadline, .subscribing) {
                try await subscribe(to: peer)
            }
            let connection = await peer.connection
            if let connection { await tell(.subscribed(connection)) }
            return Streaming(target: target, peer: peer, subscription: subscription, connection: connection)
        } catch {
            await tellEnd(of: peer)
            await peer.disconnect()
            throw error
        }
    }

    func subscribe(to peer: Peer) async throws -> Subscription {
        try await peer.subscribe(service: HeartRateUUID.heartRateService, characteristic: HeartRateUUID.measurement)
    }

    /// Tells that the link ended while the strap was being subscribed to, if it did.
    private func tellEnd(of peer: Peer) async {
        let status = await peer.ending
        let hasControllerGone = await central.ending != nil
        guard status != nil || hasControllerGone else { return }
        await tell(.disconnected(peer.target, status))
    }
}

extension HeartRateMonitor.Wanted {
    /// Whether the strap may be found under another address than the one that it had: private addresses change, others with a new
    /// battery or firmware. By 'any' no other strap is meant than the one that was found.
    fileprivate func mayHaveLeft(_ target: DeviceAddress) -> Bool {
        switch self {
        case .name: true
        case .any: target.isPrivate
        case .target, .address: false
        }
    }
}

extension DeviceAddress {
    /// Whether the device changes it from time to time (Core Vol 6, Part B, 1.3.2.2).
    fileprivate var isPrivate: Bool { randomness == .resolvable || randomness == .nonResolvable }
}

extension DeviceAddress? {
    fileprivate func orFind(_ find: () async throws -> DeviceAddress) async throws -> DeviceAddress {
        if let self { return self }
        return try await find()
    }
}
