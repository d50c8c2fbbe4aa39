public import HCI
public import Wire

/// A controller that is a value, behind a link.
public actor VirtualLink: ControllerLink {
    /// Which time the controller lives in.
    public enum Clock: Sendable {
        /// The machine's.
        case real
        /// One that jumps to the next deadline whenever the loop has nothing to do, so that a day takes seconds. It starts at
        /// `Moment.zero`, which is this time in civil terms, and goes in whole microseconds, as captures do: what was recorded
        /// replays at the same moments.
        case virtual(start: Timestamp)
    }

    /// The thread this link lives on.
    public nonisolated let loop: EventLoop
    public nonisolated var executor: any SerialExecutor { loop }
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private let clock: Clock
    private var virtualNow = Moment.zero
    /// The controller as it is now.
    public private(set) var controller: any VirtualController
    /// Packets on their way to the owner. It gets them later, never within its own call.
    private var outbox: [[UInt8]] = []
    private var isDeliveryDue = false
    private var ownerDeadline: Moment?
    private var alarm: LoopAlarm?
    private var idler: LoopIdler?
    private weak var owner: (any ControllerLinkOwner)?

    public init(_ controller: any VirtualController, clock: Clock = .real, on loop: EventLoop) {
        self.controller = controller
        self.clock = clock
        self.loop = loop
    }

    public nonisolated var now: Moment {
        if case .real = clock { return loop.now }
        return assumeIsolated { $0.virtualNow }
    }

    public nonisolated func civilTime(at moment: Moment) -> Timestamp {
        switch clock {
        case .real: loop.civilTime(at: moment)
        case .virtual(let start): start + (moment - .zero)
        }
    }

    public nonisolated func perform(_ work: @escaping @Sendable () -> Void) {
        loop.reactor.post(work)
    }

    public nonisolated func activate(_ owner: any ControllerLinkOwner) {
        assumeIsolated { $0.start(for: owner) }
    }

    public nonisolated func transmit(_ packet: [UInt8]) {
        assumeIsolated { $0.receive(packet) }
    }

    public nonisolated func setAlarm(_ moment: Moment?) {
        assumeIsolated { $0.setOwnerDeadline(moment) }
    }

    public nonisolated func shutDown() {
        assumeIsolated { $0.close() }
    }
}

extension VirtualLink {
    /// Puts another controller in the place of the present one, or the same changed; `nil` leaves it.
    public func update(_ change: (any VirtualController, Moment) -> (any VirtualController)?) {
        guard let changed = change(controller, now) else { return }
        controller = changed
        settle()
    }

    private func start(for owner: any ControllerLinkOwner) {
        self.owner = owner
        switch clock {
        case .real:
            alarm = LoopAlarm(on: loop) { [weak self] moment in
                self?.assumeIsolated { $0.reached(moment) }
            }
        case .virtual:
            idler = LoopIdler(on: loop) { [weak self] in
                self?.assumeIsolated { $0.jump() } ?? false
            }
        }
        reached(now)
    }

    private func close() {
        owner = nil
        alarm = nil
        idler = nil
        outbox = []
    }

    private func receive(_ packet: [UInt8]) {
        guard owner != nil else { return }
        controller.receive(packet, at: now, into: &outbox)
        settle()
    }

    private func setOwnerDeadline(_ moment: Moment?) {
        ownerDeadline = moment
        settle()
    }

    /// Goes to the next deadline. Answers whether there was one.
    private func jump() -> Bool {
        guard owner != nil, let next = nextDeadline else { return false }
        virtualNow = max(virtualNow, next.atWholeMicrosecond)
        reached(virtualNow)
        return true
    }

    private var nextDeadline: Moment? {
        guard let mine = controller.nextDeadline, let other = ownerDeadline else {
            return controller.nextDeadline ?? ownerDeadline
        }
        return min(mine, other)
    }

    private func reached(_ moment: Moment) {
        if let deadline = controller.nextDeadline, deadline <= moment {
            controller.advance(to: moment, into: &outbox)
        }
        // What the controller did comes first: the owner may be waiting for just that.
        settle()
        if let deadline = ownerDeadline, deadline <= moment {
            ownerDeadline = nil
            loop.reactor.post { [weak self] in
                self?.assumeIsolated { $0.owner?.linkAlarm(at: $0.now) }
            }
        }
        alarm?.set(nextDeadline)
    }

    /// Looks after what a call has left: packets to deliver and a new deadline.
    private func settle() {
        alarm?.set(nextDeadline)
        guard !outbox.isEmpty || controller.end != nil, !isDeliveryDue else { return }
        isDeliveryDue = true
        loop.reactor.post { [weak self] in
            self?.assumeIsolated { $0.deliver() }
        }
    }

    private func deliver() {
        isDeliveryDue = false
        let packets = outbox
        outbox = []
        for packet in packets { owner?.linkReceived(packet, at: now) }
        guard let end = controller.end, outbox.isEmpty, let owner else { return }
        close()
        owner.linkEnded(end)
    }
}

extension Moment {
    /// This moment, or the next one with no nanoseconds beside its microseconds.
    fileprivate var atWholeMicrosecond: Moment {
        let excess = nanoseconds % 1000
        return excess <= 0 ? self : self + .nanoseconds(1000 - excess)
    }
}
