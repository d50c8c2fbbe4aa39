public import HCI
public import Wire

/// Decides what the radio does: scan, initiate a connection, or neither. Few controllers do both at once, and none may be told to
/// initiate while the reply to "stop scanning" is under way, so that one machine holds both.
///
/// It speaks of commands by name; the engine turns them into the legacy or the extended family (Core Vol 4, Part E, 7.8).
public struct Radio: Hashable, Sendable {
    /// What the radio is told to do, one at a time.
    public enum Command: Hashable, Sendable {
        case setScanParameters(ScanParameters)
        case startScan(ScanParameters)
        case stopScan
        case createConnection(DeviceAddress, InitialParameters)
        case cancelConnection
    }

    /// What the radio asks for, in order.
    public enum Action: Hashable, Sendable {
        case command(Command)
        /// Scanning began, or ended because the controller refused it.
        case scanStarted
        case scanFailed(HostError)
        /// The attempt of this ticket ended.
        case connected(Ticket, ConnectionHandle)
        case connectFailed(Ticket, HostError)
        /// A link that nobody wants any more, or never did: disconnect it.
        case abandon(ConnectionHandle)
    }

    /// One wish for a connection.
    struct Attempt: Hashable, Sendable {
        var ticket: Ticket
        var target: DeviceAddress
        var parameters: InitialParameters
        var deadline: Moment
        /// Attempts that ended with 0x3E, Connection Failed to be Established.
        var failures = 0
        /// Whether it has had a turn; it interrupts nobody else's then.
        var hasHadTurn = false
    }

    /// Why an initiation is being cancelled, and so what becomes of the attempt.
    enum Cancellation: Hashable, Sendable {
        case unwanted
        case timedOut
        /// Others wait; this one goes behind them.
        case turnOver
    }

    enum State: Hashable, Sendable {
        /// Can transition to `.settingParameters`, `.creating`.
        case idle
        /// Can transition to `.startingScan`, `.idle`.
        case settingParameters(ScanParameters)
        /// Can transition to `.scanning`, `.idle`.
        case startingScan(ScanParameters)
        /// Can transition to `.stoppingScan`.
        case scanning(ScanParameters, turnEnds: Moment)
        /// Can transition to `.idle`.
        case stoppingScan
        /// The command is sent, its status not here. Can transition to `.initiating`, `.cancelling`, `.idle`.
        case creating(Attempt)
        /// Can transition to `.cancelling`, `.idle`.
        case initiating(Attempt, turnEnds: Moment)
        /// Can transition to `.idle`.
        case cancelling(Attempt, Cancellation, giveUp: Moment)
    }

    /// How often 0x3E is met with another try; on a weak link it is frequent, and the next try often succeeds.
    static let mostFailures = 6
    /// How long one attempt, or the scan, keeps the radio while others wait.
    static let turn: Duration = .seconds(4)
    /// How long the completion of a cancelled attempt is waited for. Some controllers take seconds.
    static let cancelBound: Duration = .seconds(3)

    private(set) var state = State.idle
    private var wantedScan: ScanParameters?
    private var waiting: [Attempt] = []
    /// Whether an attempt has given up its turn since the last scan.
    private var isScanNext = false
    /// Whether the controller cannot be told anything for now.
    private var isSuspended = false
    /// Attempts whose asker went away while the command was on its way.
    private var unwanted: Set<Ticket> = []

    public init() {}

    // MARK: Wishes

    /// Wants scanning with these parameters, or none.
    public mutating func want(scan parameters: ScanParameters?, at now: Moment, into actions: inout [Action]) {
        wantedScan = parameters
        proceed(at: now, into: &actions)
    }

    /// Wants a connection, by `deadline` at the latest.
    public mutating func connect(
        _ ticket: Ticket, to target: DeviceAddress, parameters: InitialParameters, deadline: Moment, at now: Moment,
        into actions: inout [Action]
    ) {
        waiting.append(Attempt(ticket: ticket, target: target, parameters: parameters, deadline: deadline))
        proceed(at: now, into: &actions)
    }

    /// Gives up an attempt. Its ticket is answered with `.cancelled` once the controller has let go of it.
    public mutating func cancel(_ ticket: Ticket, at now: Moment, into actions: inout [Action]) {
        if let index = waiting.firstIndex(where: { $0.ticket == ticket }) {
            waiting.remove(at: index)
            actions.append(.connectFailed(ticket, .cancelled))
        } else if currentTicket == ticket {
            unwanted.insert(ticket)
        }
        proceed(at: now, into: &actions)
    }

    /// Wants nothing any more: no scan, no connection.
    public mutating func stop(at now: Moment, into actions: inout [Action]) {
        wantedScan = nil
        for attempt in waiting { actions.append(.connectFailed(attempt.ticket, .cancelled)) }
        waiting = []
        if let currentTicket { unwanted.insert(currentTicket) }
        proceed(at: now, into: &actions)
    }

    /// The controller is being reset: it does nothing any more. What is wanted of it waits until `resume(at:into:)`, the attempt under
    /// way too, unless its end was decided already.
    public mutating func suspend(into actions: inout [Action]) {
        isSuspended = true
        switch state {
        case .creating(let attempt), .initiating(let attempt, _):
            conclude(attempt, .turnOver, into: &actions)
        case .cancelling(let attempt, let cancellation, _):
            conclude(attempt, cancellation, into: &actions)
        default:
            state = .idle
        }
    }

    /// The controller is ready again.
    public mutating func resume(at now: Moment, into actions: inout [Action]) {
        isSuspended = false
        proceed(at: now, into: &actions)
    }

    /// Whether the controller neither scans nor initiates, nor has been told to.
    public var isIdle: Bool { state == .idle }

    /// Whether the controller scans as it is wanted to.
    public var isScanning: Bool {
        guard case .scanning(let parameters, _) = state else { return false }
        return parameters == wantedScan
    }

    // MARK: What the controller says

    /// The controller answered `command`; `nil` stands for success.
    public mutating func answered(
        _ command: Command, _ failure: HostError?, at now: Moment, into actions: inout [Action]
    ) {
        switch (state, command) {
        case (.settingParameters(let parameters), .setScanParameters) where failure == nil:
            state = .startingScan(parameters)
            actions.append(.command(.startScan(parameters)))
            return
        case (.startingScan(let parameters), .startScan) where failure == nil:
            state = .scanning(parameters, turnEnds: now + Self.turn)
            isScanNext = false
            actions.append(.scanStarted)
        case (.settingParameters, .setScanParameters), (.startingScan, .startScan):
            state = .idle
            wantedScan = nil
            if let failure { actions.append(.scanFailed(failure)) }
        case (.stoppingScan, .stopScan):
            state = .idle
        case (.creating(let attempt), .createConnection):
            if let failure {
                finish(attempt, failure, into: &actions)
            } else {
                state = .initiating(attempt, turnEnds: now + Self.turn)
            }
        default:
            // A cancel's own answer says nothing that the completion does not say better (Core Vol 4, Part E, 7.8.13).
            return
        }
        proceed(at: now, into: &actions)
    }

    /// A connection came to be. Without an attempt for that address it is a stranger's, or came too late.
    public mutating func connected(
        _ handle: ConnectionHandle, to address: Address, at now: Moment, into actions: inout [Action]
    ) {
        guard let attempt = currentAttempt, attempt.target.address == address else {
            actions.append(.abandon(handle))
            return
        }
        if unwanted.contains(attempt.ticket) {
            actions.append(.abandon(handle))
            finish(attempt, .cancelled, into: &actions)
        } else {
            state = .idle
            actions.append(.connected(attempt.ticket, handle))
        }
        proceed(at: now, into: &actions)
    }

    /// A completion with an error status. Its handle and address mean nothing and are not looked at.
    ///
    /// 0x02 is how the end of a cancelled attempt is told (Core Vol 4, Part E, 7.8.13). Where none is being cancelled, it comes too
    /// late for an attempt that was not waited for any longer, and says nothing of the one under way.
    public mutating func connectionFailed(_ status: Status, at now: Moment, into actions: inout [Action]) {
        switch state {
        case .cancelling(let attempt, let cancellation, _):
            conclude(attempt, cancellation, into: &actions)
        case .creating(var attempt), .initiating(var attempt, _):
            guard status != .unknownConnectionIdentifier else { return }
            attempt.failures += 1
            if status.mayBeRetried, attempt.failures < Self.mostFailures, !unwanted.contains(attempt.ticket) {
                state = .idle
                waiting.append(attempt)
            } else {
                finish(attempt, .connectionFailed(status, attempts: attempt.failures), into: &actions)
            }
        default:
            return
        }
        proceed(at: now, into: &actions)
    }

    // MARK: Time

    /// When `advance(to:into:)` will next have something to do.
    public var nextDeadline: Moment? {
        let ofState: Moment? =
            switch state {
            case .initiating(let attempt, let turnEnds):
                othersWait ? min(attempt.deadline, turnEnds) : attempt.deadline
            case .scanning(_, let turnEnds): waiting.isEmpty ? nil : turnEnds
            case .cancelling(_, _, let giveUp): giveUp
            default: nil
            }
        return ([ofState] + waiting.map(\.deadline)).compactMap(\.self).min()
    }

    public mutating func advance(to now: Moment, into actions: inout [Action]) {
        for attempt in waiting where attempt.deadline <= now {
            actions.append(.connectFailed(attempt.ticket, .timedOut(.connecting)))
        }
        waiting.removeAll { $0.deadline <= now }
        if case .cancelling(let attempt, let cancellation, let giveUp) = state, giveUp <= now {
            conclude(attempt, cancellation, into: &actions)
        }
        proceed(at: now, into: &actions)
    }

    // MARK: Steps

    /// Takes the next step towards what is wanted, where the state allows one.
    private mutating func proceed(at now: Moment, into actions: inout [Action]) {
        guard !isSuspended else { return }
        switch state {
        case .idle:
            if !waiting.isEmpty, !(isScanNext && wantedScan != nil) {
                let attempt = waiting.removeFirst()
                state = .creating(attempt)
                actions.append(.command(.createConnection(attempt.target, attempt.parameters)))
            } else if let wantedScan {
                state = .settingParameters(wantedScan)
                actions.append(.command(.setScanParameters(wantedScan)))
            }
        case .scanning(let parameters, let turnEnds)
        where wantedScan != parameters || isDue(waiting, turnEnds: turnEnds, at: now):
            state = .stoppingScan
            actions.append(.command(.stopScan))
        case .initiating(let attempt, let turnEnds):
            guard let reason = cancellation(of: attempt, turnEnds: turnEnds, at: now) else { return }
            state = .cancelling(attempt, reason, giveUp: now + Self.cancelBound)
            actions.append(.command(.cancelConnection))
        default:
            return
        }
    }

    private func cancellation(of attempt: Attempt, turnEnds: Moment, at now: Moment) -> Cancellation? {
        if unwanted.contains(attempt.ticket) { return .unwanted }
        if attempt.deadline <= now { return .timedOut }
        return othersWait && turnEnds <= now ? .turnOver : nil
    }

    /// Whether anybody waits for the radio while an attempt has it.
    private var othersWait: Bool { !waiting.isEmpty || wantedScan != nil }

    /// Whether the scan has to make room: at once for a fresh attempt, and after its turn for one that has had its own.
    private func isDue(_ waiting: [Attempt], turnEnds: Moment, at now: Moment) -> Bool {
        waiting.contains { !$0.hasHadTurn } || (!waiting.isEmpty && turnEnds <= now)
    }

    /// The controller has let go of a cancelled attempt.
    private mutating func conclude(_ attempt: Attempt, _ cancellation: Cancellation, into actions: inout [Action]) {
        if unwanted.contains(attempt.ticket) {
            finish(attempt, .cancelled, into: &actions)
        } else if cancellation == .turnOver {
            state = .idle
            isScanNext = wantedScan != nil
            var attempt = attempt
            attempt.hasHadTurn = true
            waiting.append(attempt)
        } else {
            finish(attempt, .timedOut(.connecting), into: &actions)
        }
    }

    private mutating func finish(_ attempt: Attempt, _ error: HostError, into actions: inout [Action]) {
        state = .idle
        unwanted.remove(attempt.ticket)
        actions.append(.connectFailed(attempt.ticket, error))
    }

    private var currentAttempt: Attempt? {
        switch state {
        case .creating(let attempt), .initiating(let attempt, _), .cancelling(let attempt, _, _): attempt
        default: nil
        }
    }

    private var currentTicket: Ticket? { currentAttempt?.ticket }
}

extension Status {
    /// Whether another try may succeed: the peer was heard and the first packets were lost, or it stopped advertising meanwhile.
    fileprivate var mayBeRetried: Bool {
        self == .failedToBeEstablished || self == .advertisingTimeout
    }
}
