public import HCI
public import Wire

/// A controller that is a value, behind a link.
public actor VirtualLink: ControllerLink {
    /// Which time the controller lives in.
    public enum Clock: Sendable {
        /// The machine's.
        case real
        /// One that jumps to the next deadline whenever the loop has nothing to do, so that a day takes seconds. It starts at
        /// `Moment.zero`, which is this time in civil terms.
        case virtual(start: Timestamp)
    }

    /// The thread this link lives on.
    public nonisolated let loop: EventLoop
    public nonisolated var executor: any SerialExecutor { loop }
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private let clock: Clock
    private var virtualNow = Moment.zero
    private var controller: any VirtualController
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

    public nonisolated var civilTime: Timestamp {
        guard case .virtual(let start) = clock else { return SystemClock.civilTime }
        return assumeIsolated { start + ($0.virtualNow - .zero) }
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
        virtualNow = max(virtualNow, next)
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
        guard !outbox.isEmpty, !isDeliveryDue else { return }
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
    }
}
