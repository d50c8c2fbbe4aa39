import HCI
import Host
import Simulator
import Wire

/// Looks on while a trial runs, and holds the host to what it promises at any time.
struct Inspector {
    private let plan: TrialPlan
    /// What should not have been.
    private(set) var objections: [String] = []
    /// The most entries that all the host's tables and queues had together.
    private(set) var mostEntries = 0
    /// Whether the host sent data before it was given the news of a connection's end that was under way.
    var hasCrossed = false
    /// Since when host and controller know different connections.
    private var disagreement: Moment?
    private static let longestDisagreement: Duration = .seconds(30)

    /// More than any trial's callers can need: what grows beyond it would grow without bound.
    private static let mostEntries = 700
    private static let mostObjections = 8

    init(_ plan: TrialPlan) { self.plan = plan }

    mutating func object(_ text: String, at now: Moment) {
        guard objections.count < Self.mostObjections else { return }
        objections.append("\(Duration.nanoseconds(now.nanoseconds)): \(text)")
    }

    /// Compares what the host holds with what the controller says, at a moment at which nobody has anything to do.
    mutating func look(at census: Central.Census, _ controller: FaultyController, at now: Moment) {
        mostEntries = max(mostEntries, census.entries)
        if census.entries > Self.mostEntries { object("\(census.entries) entries: \(census)", at: now) }
        if census.strayAnswers > 0 { object("\(census.strayAnswers) answers that nobody waits for", at: now) }
        if census.engine.connections.contains(where: { $0.buffers < 0 }) || census.engine.buffersInUse ?? 0 < 0 {
            object("fewer than no packets in the buffers: \(census.engine)", at: now)
        }
        guard controller.isSettled, census.engine.isReady else { return }
        compareConnections(census.engine, controller, at: now)
        compareBuffers(census.engine, controller, at: now)
    }

    /// Both know the same connections.
    private mutating func compareConnections(
        _ census: HostEngine.Census, _ controller: FaultyController, at now: Moment
    ) {
        let spoiling = Fault.spoilingConnections.union([.restart, .hardwareError])
        guard controller.faultsSinceReset.isDisjoint(with: spoiling) else { return }
        guard !controller.mayBeMasked else { return }
        let known = census.connections.map(\.id.handle)
        let real = controller.world.connections.sorted()
        guard known != real else {
            disagreement = nil
            return
        }
        // Commands that are late or lost take a while.
        let since = disagreement ?? now
        disagreement = since
        let isHampered = controller.hasHad(Fault.hamperingCommands)
        if now - since > (isHampered ? Self.longestDisagreement : .zero) {
            object("the host knows the connections \(known), the controller \(real), since \(since - .zero)", at: now)
        }
    }

    /// Both count the same packets in the controller's buffers, always.
    private mutating func compareBuffers(
        _ census: HostEngine.Census, _ controller: FaultyController, at now: Moment
    ) {
        guard controller.faultsSinceReset.isDisjoint(with: Fault.spoilingBuffers), !controller.hasCrossed, !hasCrossed,
            let counted = census.buffersInUse
        else { return }
        let real = controller.world.buffersInUse
        if counted != real {
            object("the host counts \(counted) packets in the buffers, the controller \(real)", at: now)
        }
        for held in census.connections {
            let real = controller.world.buffersInUse(on: held.id.handle)
            if held.buffers != real { object("\(held), \(real) there", at: now) }
        }
    }

    /// What may be left when all is over.
    mutating func lookBack(at census: Central.Census, _ controller: FaultyController, at now: Moment) {
        if census.entries > 0 { object("left over at the end: \(census)", at: now) }
        if census.strayAnswers > 0 { object("\(census.strayAnswers) answers that nobody waits for", at: now) }
        let breaches = controller.world.offences.filter { !isExcused($0) }
        if !breaches.isEmpty { object("rules of HCI that the host broke: \(breaches)", at: now) }
    }

    /// Commands about a connection, or the coming about of one.
    private static let crossing: Set<Opcode> = [
        Disconnect.opcode, ReadRSSI.opcode, LEConnectionUpdate.opcode, LESetDataLength.opcode, LESetPHY.opcode,
        LERemoteConnectionParameterRequestReply.opcode, LERemoteConnectionParameterRequestNegativeReply.opcode,
        LELongTermKeyRequestNegativeReply.opcode, LECreateConnectionCancel.opcode,
        LEEnableEncryption.opcode,
    ]

    /// Whether the host could not know better: the news was on its way, or lost.
    private func isExcused(_ offence: Offence) -> Bool {
        switch offence {
        // These may cross the news that the connection ended, or came about. `HandleWatch` sees what the host was told.
        case .refusedCommand(let opcode, _) where Self.crossing.contains(opcode): true
        case .dataOnUnknownHandle: true
        // Some controllers claim more than they know, and the host goes on without.
        case .refusedCommand(_, .unknownCommand): true
        // A completion that comes twice says of the next attempt, too, that it is over, and that its command has been answered.
        case .refusedCommand(_, .connectionAlreadyExists):
            plan.faults.holds(Fault.hamperingCommands.union([.restart, .lostConnection, .lateEvent, .doubledEvent]))
        case .refusedCommand(_, .commandDisallowed):
            plan.faults.holds(Fault.spoilingCommands.union([.restart, .doubledEvent, .strayCompletion]))
        case .refusedCommand:
            plan.faults.holds(Fault.spoilingCommands.union([.restart]))
        case .dataWithoutBuffer:
            plan.faults.holds([
                .garbledEvent, .doubledCompletion, .restart, .hardwareError, .lostConnection, .lostDisconnection,
            ])
        case .commandWithoutCredit:
            plan.faults.holds(Fault.hamperingCommands.union([.restart, .doubledEvent]))
        case .malformedPacket, .malformedCommand, .brokenFrame: false
        }
    }
}

extension FaultyController {
    /// Whether the command that has the controller tell of connections may have been lost, and its second try, too.
    var mayBeMasked: Bool { occurrences[.lostCommand, default: 0] > 1 }

    func hasHad(_ faults: Set<Fault>) -> Bool { occurrences.keys.contains { faults.contains($0) } }
}
