public import HCI
public import Wire

/// Decides what the radio does: scan, initiate connections, or neither. Few controllers do both at once, and none may be told to
/// initiate while the reply to "stop scanning" is under way, so that one machine holds both.
///
/// Several devices that are wanted at the same time are waited for in one initiation, with the filter accept list, so that one
/// that is absent keeps nobody waiting; where the controller has no such list they take turns.
///
/// It speaks of commands by name; the engine turns them into the legacy or the extended family (Core Vol 4, Part E, 7.8).
public struct Radio: Hashable, Sendable {
    /// What the radio is told to do, one at a time.
    public enum Command: Hashable, Sendable {
        case setScanParameters(ScanParameters)
        case startScan(ScanParameters)
        case stopScan
        /// Connect to this device.
        case createConnection(DeviceAddress, InitialParameters)
        /// Connect to whoever on the filter accept list advertises first.
        case createConnectionByList(InitialParameters)
        case cancelConnection
        case readListSize
        case clearList
        case addToList(DeviceAddress)
        case removeFromList(DeviceAddress)
        /// What follows is done under this address.
        case setRandomAddress(Address)
    }

    /// What the radio asks for, in order.
    public enum Action: Hashable, Sendable {
        case command(Command)
        /// What this command was to lead to came about: it was begun, whether its own answer comes or not.
        case settled(Command)
        /// Scanning began, or ended because the controller refused it.
        case scanStarted
        case scanFailed(HostError)
        /// The attempt of this ticket ended.
        case connected(Ticket, ConnectionHandle)
        case connectFailed(Ticket, HostError)
        /// A link that nobody wants any more, or never did: disconnect it.
        case abandon(ConnectionHandle)
    }

    enum State: Hashable, Sendable {
        /// Can transition to `.addressing`, `.settingParameters`, `.listing`, `.creating`.
        case idle
        /// The address is being set under which the scan, or this initiation, is to be made: that is not allowed while either goes on.
        /// Can transition to `.idle`.
        case addressing(Initiation?, Address)
        /// Can transition to `.startingScan`, `.idle`.
        case settingParameters(ScanParameters)
        /// Can transition to `.scanning`, `.idle`.
        case startingScan(ScanParameters)
        /// Can transition to `.stoppingScan`.
        case scanning(ScanParameters, turnEnds: Moment)
        /// Can transition to `.idle`.
        case stoppingScan
        /// The filter accept list is being changed, which is not allowed while it is in use. Can transition to `.creating`, `.idle`.
        case listing(Initiation, Command)
        /// The command is sent, its status not here. Can transition to `.initiating`, `.cancelling`, `.idle`.
        case creating(Initiation, Command)
        /// Can transition to `.cancelling`, `.idle`.
        case initiating(Initiation, turnEnds: Moment)
        /// Can transition to `.idle`.
        case cancelling(Initiation, isTurnOver: Bool, giveUp: Moment)

        /// The command whose answer is waited for. An answer to any other was due earlier, and says nothing of it.
        var awaited: Command? {
            switch self {
            case .settingParameters(let parameters): .setScanParameters(parameters)
            case .startingScan(let parameters): .startScan(parameters)
            case .stoppingScan: .stopScan
            case .addressing(_, let address): .setRandomAddress(address)
            case .listing(_, let command), .creating(_, let command): command
            case .idle, .scanning, .initiating, .cancelling: nil
            }
        }

        /// What is being initiated, or prepared or given up.
        var initiation: Initiation? {
            get {
                switch self {
                case .listing(let initiation, _), .creating(let initiation, _), .initiating(let initiation, _),
                    .cancelling(let initiation, _, _):
                    initiation
                case .addressing(let initiation, _): initiation
                default: nil
                }
            }
            set {
                guard let newValue else { return }
                switch self {
                case .addressing(_, let address): self = .addressing(newValue, address)
                case .listing(_, let command): self = .listing(newValue, command)
                case .creating(_, let command): self = .creating(newValue, command)
                case .initiating(_, let turnEnds): self = .initiating(newValue, turnEnds: turnEnds)
                case .cancelling(_, let isTurnOver, let giveUp):
                    self = .cancelling(newValue, isTurnOver: isTurnOver, giveUp: giveUp)
                default: return
                }
            }
        }
    }

    /// How often 0x3E is met with another try; on a weak link it is frequent, and the next try often succeeds.
    static let mostFailures = 6
    /// How long one initiation, or the scan, keeps the radio while others wait.
    static let turn: Duration = .seconds(4)
    /// How long the completion of a cancelled attempt is waited for. Some controllers take seconds.
    static let cancelBound: Duration = .seconds(3)
    /// How many direct attempts come between two turns of a list that is not proven.
    static let longestDirectRound = 4

    var state = State.idle
    var wantedScan: ScanParameters?
    /// Between which addresses of the host the scan and each attempt choose.
    var own = OwnAddresses()
    /// The random address that the controller was told last.
    var randomAddress: Address?
    /// The address of the last initiation that was begun.
    var initiatedAs = DeviceAddress.zero
    /// In the order of their turns.
    var waiting: [Attempt] = []
    var list = AcceptList()
    /// Devices that are connected; nobody can connect to them again meanwhile.
    var linked: Set<Address> = []
    /// Whether an initiation has given up its turn since the last scan.
    var isScanNext = false
    /// Whether the controller cannot be told anything for now.
    var isSuspended = false
    /// Direct attempts to come before the list is tried again.
    var directRound = 0
    /// Whether an attempt that the controller may still be making was cancelled, since it last began with one.
    var hasClearedWay = false
    /// Completions with an error in a row while the list was used: whom they concern is not told.
    var listedFailures = 0

    public init() {}

    // MARK: Wishes

    /// Wants scanning with these parameters, or none.
    public mutating func want(scan parameters: ScanParameters?, at now: Moment, into actions: inout [Action]) {
        wantedScan = parameters
        proceed(at: now, into: &actions)
    }

    /// Wants a connection, by `deadline` at the latest. Who wants the same device as somebody else shares the connection.
    public mutating func connect(
        _ ticket: Ticket, to target: DeviceAddress, parameters: InitialParameters, deadline: Moment, at now: Moment,
        into actions: inout [Action]
    ) {
        let target = DeviceAddress(target.kind.withoutIdentity, target.address)
        let attempt = Attempt(ticket: ticket, target: target, parameters: parameters, deadline: deadline)
        if let initiation = state.initiation, initiation.targets.contains(target) {
            state.initiation?.attempts.append(attempt)
        } else {
            waiting.append(attempt)
        }
        proceed(at: now, into: &actions)
    }

    /// Gives up an attempt. Its ticket is answered with `.cancelled`, once the controller has let go of it where nobody else wants the
    /// same device.
    public mutating func cancel(_ ticket: Ticket, at now: Moment, into actions: inout [Action]) {
        if let index = waiting.firstIndex(where: { $0.ticket == ticket }) {
            waiting.remove(at: index)
            actions.append(.connectFailed(ticket, .cancelled))
        } else if let initiation = state.initiation,
            let index = initiation.attempts.firstIndex(where: { $0.ticket == ticket })
        {
            let target = initiation.attempts[index].target
            if initiation.attempts.contains(where: { $0.target == target && $0.ticket != ticket && !$0.isUnwanted }) {
                state.initiation?.attempts.remove(at: index)
                actions.append(.connectFailed(ticket, .cancelled))
            } else {
                state.initiation?.attempts[index].isUnwanted = true
            }
        }
        proceed(at: now, into: &actions)
    }

    /// Another private address is to be used from now on. A connection that is waited for is still made with the one before: nothing
    /// is sent under it until the peer is heard.
    public mutating func renew(privateAddress: Address?, at now: Moment, into actions: inout [Action]) {
        own.private = privateAddress
        proceed(at: now, into: &actions)
    }

    /// Wants nothing any more: no scan, no connection.
    public mutating func stop(at now: Moment, into actions: inout [Action]) {
        wantedScan = nil
        for attempt in waiting { actions.append(.connectFailed(attempt.ticket, .cancelled)) }
        waiting = []
        if var initiation = state.initiation {
            for index in initiation.attempts.indices { initiation.attempts[index].isUnwanted = true }
            state.initiation = initiation
        }
        proceed(at: now, into: &actions)
    }

    /// The controller is being reset: it does nothing any more. What is wanted of it waits until `resume(usingList:at:into:)`, the
    /// attempts under way too, unless nobody wants them any more.
    public mutating func suspend(into actions: inout [Action]) {
        isSuspended = true
        hasClearedWay = false
        list = AcceptList()
        randomAddress = nil
        directRound = 0
        if let initiation = state.initiation {
            conclude(initiation, at: nil, into: &actions)
        } else {
            state = .idle
        }
    }

    /// The controller is ready, or ready again.
    ///
    /// - Parameters:
    ///   - usesList: whether it offers the commands of the filter accept list
    ///   - own: the host's addresses; a random identity has been set already
    public mutating func resume(
        usingList usesList: Bool, as own: OwnAddresses, at now: Moment, into actions: inout [Action]
    ) {
        isSuspended = false
        self.own = own
        randomAddress = own.identity.kind == .random ? own.identity.address : nil
        list = AcceptList()
        if !usesList { list.giveUp() }
        proceed(at: now, into: &actions)
    }

    /// Whether the controller neither scans nor initiates, nor has been told to.
    public var isIdle: Bool { state == .idle }

    /// Attempts that wait or are under way, and devices that are taken for connected.
    var entryCount: Int { waiting.count + (state.initiation?.attempts.count ?? 0) + linked.count }

    /// Whether the controller scans as it is wanted to.
    public var isScanning: Bool {
        guard case .scanning(let parameters, _) = state else { return false }
        return parameters == wantedScan
    }

    // MARK: Time

    /// When `advance(to:into:)` will next have something to do.
    public var nextDeadline: Moment? {
        let ofState: Moment? =
            switch state {
            case .initiating(let initiation, let turnEnds):
                isLimited(initiation) ? min(initiation.deadline ?? turnEnds, turnEnds) : initiation.deadline
            case .scanning(_, let turnEnds): readyAttempts.isEmpty ? nil : turnEnds
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
        if case .cancelling(let initiation, let isTurnOver, let giveUp) = state, giveUp <= now {
            conclude(initiation, isTurnOver: isTurnOver, at: now, into: &actions)
        }
        proceed(at: now, into: &actions)
    }
}
