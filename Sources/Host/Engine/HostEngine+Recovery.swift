import HCI
import Wire

extension HostEngine {
    /// How often a controller may fail within `recoveryPeriod` before it is given up.
    static let mostRecoveries = 3
    static let recoveryPeriod: Duration = .seconds(60)

    /// The controller reported a failure of its own (Core Vol 4, Part E, 7.7.16): it is reset and made ready again. Its connections
    /// are over; what was wanted of the radio is still wanted, and goes on when the controller is ready.
    mutating func recover(from code: UInt8, at now: Moment, into effects: inout [Effect]) {
        recover(
            code, or: .controllerFailed(code: code), noting: .controllerReset(code: code), at: now, into: &effects)
    }

    /// The controller knows nothing of connections whose end it never told: it was reset without a word, and has forgotten the masks
    /// and the host's address besides.
    mutating func recoverFromForgetting(_ id: ConnectionID, at now: Moment, into effects: inout [Effect]) {
        recover(0, or: .controllerFailed(code: 0), noting: .controllerForgot(id), at: now, into: &effects)
    }

    /// The controller did not answer a command to its radio, so that nobody knows what the radio does. One that does not answer Reset
    /// either is given up there.
    mutating func recoverFromSilence(_ opcode: HCI.Opcode, at now: Moment, into effects: inout [Effect]) {
        recover(0, or: .command(.unanswered(opcode)), noting: .controllerSilent(opcode), at: now, into: &effects)
    }

    /// The controller tells of connections that nobody asked for, one after the other: what it says of its connections is worth nothing.
    mutating func recoverFromStrangers(at now: Moment, into effects: inout [Effect]) {
        recover(0, or: .controllerFailed(code: 0), noting: .controllerConnectsStrangers, at: now, into: &effects)
    }

    /// - Parameter error: why the controller is given up, if it fails too often
    private mutating func recover(
        _ code: UInt8, or error: HostError, noting note: Note, at now: Moment, into effects: inout [Effect]
    ) {
        recoveries.removeAll { $0 + Self.recoveryPeriod <= now }
        guard phase.canBeginAnew, recoveries.count < Self.mostRecoveries else {
            fail(error, into: &effects)
            return
        }
        recoveries.append(now)
        effects.append(.note(note))
        phase = .initialising(Initialisation(), phase.starter)
        forgetController(code, at: now, into: &effects)
        send(Reset(), .initialisation(.reset))
    }

    private mutating func forgetController(_ code: UInt8, at now: Moment, into effects: inout [Effect]) {
        actOnRadio(at: now, into: &effects) { radio, actions in radio.suspend(into: &actions) }
        endFragments(at: now, into: &effects)
        for case .signalStrength(_, let ticket) in dropCommands().map(\.asker) {
            effects.append(.answer(ticket, .failure(.controllerFailed(code: code))))
        }
        // First the buffers, so that the end of one connection does not send what waits on another.
        data = ACLCredits()
        for handle in links.keys.sorted() { disconnected(handle, .lostWithController, at: now, into: &effects) }
        strangers = []
        controller = Controller()
        privacy.list = ResolvingList()
        hasUsedExtendedCommands = false
    }
}

extension HostEngine.Phase {
    /// Whether a controller that fails now is made ready again. A failure before it was ready is one more, not the end.
    fileprivate var canBeginAnew: Bool {
        switch self {
        case .initialising, .ready: true
        case .asleep, .stopping, .failed: false
        }
    }

    /// Who waits for the controller to be ready for the first time, and goes on waiting.
    fileprivate var starter: Ticket? {
        if case .initialising(_, let ticket) = self { ticket } else { nil }
    }
}
