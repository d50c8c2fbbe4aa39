import Cryptography
import HCI
import Host
import Simulator
import Wire

/// The way from a central to a disturbed world, on a clock that jumps to the next deadline whenever the loop has nothing to do.
actor TrialLink: ControllerLink {
    nonisolated let loop: TrialLoop
    nonisolated var executor: any SerialExecutor { loop }
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private nonisolated let isVerbose: Bool
    /// The world, its clock and what passes between it and the host.
    private(set) var controller: FaultyController
    private var clock: TrialClock
    private(set) var transcript: Transcript
    private(set) var inspector: Inspector
    private var handles = HandleWatch()
    /// The controller's buffers.
    private let buffers: Int

    /// Packets on their way to the owner. It gets them later, never within its own call.
    private var outbox: [[UInt8]] = []
    /// Of these, what the owner gets now and has not got yet.
    private var undelivered: ArraySlice<[UInt8]> = []
    private var isDeliveryDue = false
    private var ownerDeadline: Moment?
    private var hasEnded = false
    private weak var owner: Central?

    init(_ plan: TrialPlan, transcript: Transcript, on loop: TrialLoop) {
        self.loop = loop
        let world = SimulatedWorld(plan.scenario, seed: plan.seed, toolbox: SeededToolbox(seed: plan.seed))
        controller = FaultyController(world, plan.faults)
        clock = TrialClock(jumps: plan.clockJumps)
        inspector = Inspector(plan)
        let places = plan.scenario.controller
        buffers = max(places.lowEnergyBuffers.count, places.classicBuffers.count)
        self.transcript = transcript
        isVerbose = transcript.isPrinting
    }

    // MARK: ControllerLink

    nonisolated var now: Moment { assumeIsolated { $0.clock.now } }

    nonisolated func civilTime(at moment: Moment) -> Timestamp {
        assumeIsolated { link in link.clock.civilTime + (moment - link.clock.now) }
    }

    nonisolated func perform(_ work: @escaping @Sendable () -> Void) { loop.post(work) }

    nonisolated func activate(_ owner: any ControllerLinkOwner) {
        assumeIsolated { link in
            link.owner = owner as? Central
            link.reached(link.clock.now)
        }
    }

    nonisolated func transmit(_ packet: [UInt8]) { assumeIsolated { $0.receive(packet) } }

    nonisolated func setAlarm(_ moment: Moment?) { assumeIsolated { $0.ownerDeadline = moment } }

    nonisolated func shutDown() {
        assumeIsolated { link in
            link.owner = nil
            link.outbox = []
        }
    }

    // MARK: Time

    /// Looks at what all is like, then goes to the next deadline. Answers whether there was one before the clock's end.
    func jump() -> Bool {
        inspect()
        var earliest = controller.nextDeadline ?? .distantFuture
        if let ownerDeadline { earliest = min(earliest, ownerDeadline) }
        guard owner != nil, clock.jump(to: earliest) else { return false }
        reached(clock.now)
        return true
    }

    private func inspect() {
        guard let owner else { return }
        inspector.look(at: owner.assumeIsolated { $0.census }, controller, at: clock.now)
    }

    private func reached(_ moment: Moment) {
        if let deadline = controller.nextDeadline, deadline <= moment {
            controller.advance(to: moment, into: &outbox)
        }
        // What the controller did comes first: the owner may be waiting for just that.
        settle()
        if let deadline = ownerDeadline, deadline <= moment {
            ownerDeadline = nil
            loop.post { [weak self] in self?.assumeIsolated { $0.owner?.linkAlarm(at: $0.clock.now) } }
        }
    }

    // MARK: Packets

    private func receive(_ packet: [UInt8]) {
        guard owner != nil else { return }
        transcript.note(.sent, packet, at: clock.now)
        if let handle = handles.unknownHandle(of: packet) {
            inspector.object("data for \(handle), of which the host was told that it ended", at: clock.now)
        }
        controller.receive(packet, at: clock.now, into: &outbox)
        if packet.first == PacketType.acl.rawValue,
            (undelivered + outbox).contains(where: FaultyController.isDisconnection)
        {
            inspector.hasCrossed = true
        }
        settle()
    }

    private func settle() {
        guard !outbox.isEmpty, !isDeliveryDue else { return }
        isDeliveryDue = true
        loop.post { [weak self] in self?.assumeIsolated { $0.deliver() } }
    }

    private func deliver() {
        isDeliveryDue = false
        let packets = outbox
        outbox = []
        undelivered = packets[...]
        while let packet = undelivered.popFirst() {
            transcript.note(.received, packet, at: clock.now)
            handles.tell(packet)
            owner?.linkReceived(packet, at: clock.now)
        }
    }

    // MARK: What callers tell

    /// Notes something that a caller saw.
    nonisolated func note(_ text: @autoclosure () -> String, _ numbers: Int64...) {
        let words = isVerbose ? text() : ""
        assumeIsolated { $0.transcript.note(numbers, words, at: $0.clock.now) }
    }

    /// Something that must not be.
    nonisolated func object(_ text: String) {
        assumeIsolated { $0.inspector.object(text, at: $0.clock.now) }
    }

    /// What is left of everything, now that all callers are gone.
    nonisolated func lookBack(at central: Central) {
        let census = central.assumeIsolated { $0.census }
        assumeIsolated { $0.inspector.lookBack(at: census, $0.controller, at: $0.clock.now) }
    }

    /// Whether the host can hear of connections, and send. Buffers whose completion is lost stay in use as long as their connection, and all connections share
    /// them.
    nonisolated var isUsable: Bool {
        assumeIsolated { link in
            if link.controller.mayBeMasked { return false }
            let lost = [Fault.lostCompletion, .lostDataToPeer].reduce(0) {
                $0 + link.controller.occurrences[$1, default: 0]
            }
            return lost == 0 || link.buffers > 4 * lost
        }
    }

    /// Whether the host had reason to give the controller up: a command went unanswered, or the controller failed once more than a host
    /// has to bear.
    nonisolated var isBeyondRepair: Bool {
        assumeIsolated { link in
            link.controller.hasHad(Fault.spoilingCommands.union([.restart]))
                || link.controller.occurrences[.hardwareError, default: 0] > Self.mostFailures
        }
    }

    /// Failures of its own within a minute that a controller may have.
    private static let mostFailures = 3

    /// Whether the callers' time is over.
    nonisolated var isOver: Bool {
        get { assumeIsolated { $0.hasEnded } }
        set { assumeIsolated { $0.hasEnded = newValue } }
    }

    /// How much longer than asked for anything may have taken, for the clock has jumped.
    nonisolated var jumped: Duration { assumeIsolated { $0.clock.jumped } }
}

extension Moment {
    fileprivate static let distantFuture = Moment(nanoseconds: .max)
}
