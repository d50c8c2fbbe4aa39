import HCI
import Wire

// What the radio does next.
extension Radio {
    /// Takes the next step towards what is wanted, where the state allows one.
    mutating func proceed(at now: Moment, into actions: inout [Action]) {
        guard !isSuspended else { return }
        switch state {
        case .idle:
            if !(isScanNext && wantedScan != nil), let initiation = takeNextInitiation() {
                begin(initiation, into: &actions)
            } else if let wantedScan {
                begin(wantedScan, into: &actions)
            }
        case .scanning(let parameters, let turnEnds)
        where wantedScan != parameters || randomAddress(for: parameters.ownAddress) != nil
            || hasToMakeRoom(turnEnds: turnEnds, at: now):
            state = .stoppingScan
            actions.append(.command(.stopScan))
        case .initiating(let initiation, let turnEnds):
            let isTurnOver = turnEnds <= now && isLimited(initiation)
            guard isTurnOver || isOutdated(initiation, at: now) else { return }
            cancel(initiation, isTurnOver: isTurnOver, at: now, into: &actions)
        default:
            return
        }
    }

    private mutating func begin(_ scan: ScanParameters, into actions: inout [Action]) {
        if let address = randomAddress(for: scan.ownAddress) {
            state = .addressing(nil, address)
            actions.append(.command(.setRandomAddress(address)))
        } else {
            state = .settingParameters(scan)
            actions.append(.command(.setScanParameters(scan)))
        }
    }

    /// The random address that the controller has to be told first; `nil` where it need not be told any.
    private func randomAddress(for use: OwnAddressUse) -> Address? {
        let address = own.address(for: use)
        return address.kind == .random && address.address != randomAddress ? address.address : nil
    }

    /// Begins with an initiation, or goes on with the address and the list that it needs.
    mutating func begin(_ initiation: Initiation, into actions: inout [Action]) {
        if let address = randomAddress(for: initiation.ownAddress) {
            state = .addressing(initiation, address)
            actions.append(.command(.setRandomAddress(address)))
        } else if !initiation.isListed {
            let target = initiation.targets.first ?? .zero
            create(initiation, by: .createConnection(target, initiation.parameters), into: &actions)
        } else if let command = list.nextCommand(towards: initiation.targets) {
            state = .listing(initiation, command)
            actions.append(.command(command))
        } else {
            create(initiation, by: .createConnectionByList(initiation.parameters), into: &actions)
        }
    }

    private mutating func create(_ initiation: Initiation, by command: Command, into actions: inout [Action]) {
        state = .creating(initiation, command)
        initiatedAs = own.address(for: initiation.ownAddress)
        actions.append(.command(command))
    }

    /// Has the controller end an initiation, its own or one that was thought to be over.
    mutating func cancel(
        _ initiation: Initiation, isTurnOver: Bool, at now: Moment, into actions: inout [Action]
    ) {
        state = .cancelling(initiation, isTurnOver: isTurnOver, giveUp: now + Self.cancelBound)
        actions.append(.command(.cancelConnection))
    }

    // MARK: Whose turn it is

    /// Attempts that could be made now.
    var readyAttempts: [Attempt] { waiting.filter { !linked.contains($0.target.address) } }

    /// Takes out of the queue whom the next initiation is for: the first, all who want the same device, and where the list can be used
    /// as many others as it holds.
    private mutating func takeNextInitiation() -> Initiation? {
        let ready = readyAttempts
        guard let first = ready.first else { return nil }
        let alike = ready.filter { $0.parameters == first.parameters }.map(\.target).firstOfEach
        let isListed = alike.count > 1 && list.capacity > 1 && directRound == 0
        directRound = max(0, directRound - 1)
        let chosen = isListed ? Set(alike.prefix(list.capacity).map(\.address)) : [first.target.address]
        let attempts = waiting.filter { chosen.contains($0.target.address) }
        waiting.removeAll { chosen.contains($0.target.address) }
        return Initiation(attempts: attempts, isListed: isListed)
    }

    /// How long the initiation keeps the radio while others wait, and in any case while the list that it uses is not proven.
    func turn(of initiation: Initiation) -> Duration {
        initiation.isListed && !list.isProven ? list.turn : Self.turn
    }

    /// Whether the initiation has to end with its turn.
    func isLimited(_ initiation: Initiation) -> Bool {
        wantedScan != nil || !readyAttempts.isEmpty || (initiation.isListed && !list.isProven)
    }

    /// Whether the initiation is not what is wanted any more: somebody has lost patience, or somebody new could be in it.
    private func isOutdated(_ initiation: Initiation, at now: Moment) -> Bool {
        if initiation.attempts.contains(where: { $0.isUnwanted || $0.deadline <= now }) { return true }
        guard directRound == 0, initiation.targets.count < list.capacity, list.capacity > 1 else { return false }
        return readyAttempts.contains { !$0.hasHadTurn && $0.parameters == initiation.parameters }
    }

    /// Whether the scan has to make room: at once for a fresh attempt, and after its turn for one that has had its own.
    private func hasToMakeRoom(turnEnds: Moment, at now: Moment) -> Bool {
        let ready = readyAttempts
        return ready.contains { !$0.hasHadTurn } || (!ready.isEmpty && turnEnds <= now)
    }

    // MARK: Ends

    /// The controller does not initiate any more: who still wants a connection waits, behind the others where the turn is over.
    ///
    /// - Parameter now: `nil` where deadlines are looked at later
    mutating func conclude(
        _ initiation: Initiation, isTurnOver: Bool = false, at now: Moment?, into actions: inout [Action]
    ) {
        state = .idle
        var patient: [Attempt] = []
        for attempt in initiation.attempts {
            if attempt.isUnwanted {
                actions.append(.connectFailed(attempt.ticket, .cancelled))
            } else if let now, attempt.deadline <= now {
                actions.append(.connectFailed(attempt.ticket, .timedOut(.connecting)))
            } else {
                patient.append(attempt)
            }
        }
        guard isTurnOver else {
            waiting = patient + waiting
            return
        }
        let wasInVain = initiation.isListed && !list.isProven
        for index in patient.indices {
            patient[index].hasHadTurn = true
            if wasInVain { patient[index].wasListedInVain = true }
        }
        waiting += patient
        isScanNext = wantedScan != nil
        guard wasInVain else { return }
        list.noteVainTurn()
        directRound = min(patient.map(\.target).firstOfEach.count, Self.longestDirectRound)
    }

    /// Nobody's attempt leads to anything.
    mutating func finish(_ initiation: Initiation, _ error: HostError, into actions: inout [Action]) {
        state = .idle
        for attempt in initiation.attempts {
            actions.append(.connectFailed(attempt.ticket, attempt.isUnwanted ? .cancelled : error))
        }
    }
}

extension HostError {
    /// Whether the controller says that it can hold no further connection (Core Vol 1, Part F, 2.9).
    var isConnectionLimit: Bool {
        switch self {
        case .command(.refused(_, .connectionLimitExceeded)), .connectionFailed(.connectionLimitExceeded, _): true
        default: false
        }
    }
}
