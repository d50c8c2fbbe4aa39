public import HCI
public import Wire

// What the controller says.
extension Radio {
    /// The controller told how many entries its filter accept list has.
    public mutating func learn(listSize: Int) { list.learn(size: listSize) }

    /// The controller answered `command`; `nil` stands for success.
    public mutating func answered(
        _ command: Command, _ failure: HostError?, at now: Moment, into actions: inout [Action]
    ) {
        // A cancel's own answer says nothing that the completion does not say better (Core Vol 4, Part E, 7.8.13).
        guard command == state.awaited else { return }
        switch state {
        case .addressing(let initiation, let address):
            addressed(initiation, as: address, failure, at: now, into: &actions)
        case .settingParameters(let parameters) where failure == nil:
            state = .startingScan(parameters)
            actions.append(.command(.startScan(parameters)))
            return
        case .startingScan(let parameters) where failure == nil:
            state = .scanning(parameters, turnEnds: now + Self.turn)
            isScanNext = false
            actions.append(.scanStarted)
        case .settingParameters, .startingScan:
            state = .idle
            wantedScan = nil
            if let failure { actions.append(.scanFailed(failure)) }
        case .stoppingScan:
            state = .idle
        case .listing(let initiation, _):
            list.answered(command, failure)
            goOnListing(initiation, at: now, into: &actions)
        case .creating(let initiation, _):
            if let failure {
                refused(initiation, failure, at: now, into: &actions)
            } else {
                hasClearedWay = false
                state = .initiating(initiation, turnEnds: now + turn(of: initiation))
            }
        case .idle, .scanning, .initiating, .cancelling:
            return
        }
        proceed(at: now, into: &actions)
    }

    /// What the address is for is looked at anew: another may have the turn by now. Without the address nothing is done: any other
    /// would tell who the host is. A controller that is at something that it was told to give up is told so again, once.
    private mutating func addressed(
        _ initiation: Initiation?, as address: Address, _ failure: HostError?, at now: Moment,
        into actions: inout [Action]
    ) {
        if let failure, failure.isDisallowed, !hasClearedWay {
            hasClearedWay = true
            let nobodys = Initiation(attempts: [], isListed: false)
            return cancel(initiation ?? nobodys, isTurnOver: false, at: now, into: &actions)
        }
        hasClearedWay = false
        if failure == nil { randomAddress = address }
        switch (initiation, failure) {
        case (let initiation?, nil): conclude(initiation, at: now, into: &actions)
        case (let initiation?, let failure?): finish(initiation, failure, into: &actions)
        case (nil, nil): state = .idle
        case (nil, let failure?):
            state = .idle
            wantedScan = nil
            actions.append(.scanFailed(failure))
        }
    }

    /// The controller tells how an initiation ended whose command it has not answered yet.
    private func settleCreating(into actions: inout [Action]) {
        if case .creating(_, let command) = state { actions.append(.settled(command)) }
    }

    /// The list is as it should be, or what it is for has changed meanwhile.
    private mutating func goOnListing(_ initiation: Initiation, at now: Moment, into actions: inout [Action]) {
        let isAsPlanned =
            initiation.targets.count <= list.capacity
            && initiation.attempts.allSatisfy { !$0.isUnwanted && $0.deadline > now }
        guard isAsPlanned else { return conclude(initiation, at: now, into: &actions) }
        begin(initiation, into: &actions)
    }

    /// The controller refused to initiate. Perhaps it still does, since a cancel was lost on its way: another one clears the way, once.
    /// With the list that may be the list's fault, unless it says that it has no place at all.
    private mutating func refused(
        _ initiation: Initiation, _ failure: HostError, at now: Moment, into actions: inout [Action]
    ) {
        if failure.isDisallowed, !hasClearedWay {
            hasClearedWay = true
            cancel(initiation, isTurnOver: false, at: now, into: &actions)
            return
        }
        hasClearedWay = false
        if initiation.isListed, !failure.isConnectionLimit {
            list.giveUp()
            conclude(initiation, at: now, into: &actions)
        } else {
            finish(initiation, failure, into: &actions)
        }
    }

    /// A connection came to be. It answers all who want that device; where nobody does, it is a stranger's, or came too late.
    public mutating func connected(
        _ handle: ConnectionHandle, to address: Address, at now: Moment, into actions: inout [Action]
    ) {
        linked.insert(address)
        let current = state.initiation.flatMap { $0.holds(address) ? $0 : nil }
        var lucky = current?.attempts.filter { $0.target.address == address } ?? []
        lucky += waiting.filter { $0.target.address == address }
        waiting.removeAll { $0.target.address == address }
        if lucky.allSatisfy(\.isUnwanted) { actions.append(.abandon(handle)) }
        for attempt in lucky {
            actions.append(
                attempt.isUnwanted
                    ? .connectFailed(attempt.ticket, .cancelled) : .connected(attempt.ticket, handle))
        }
        if let current {
            settleCreating(into: &actions)
            fulfilled(current, by: address, lucky, at: now, into: &actions)
        }
        proceed(at: now, into: &actions)
    }

    /// The initiation has led to a connection; those that it did not reach go on waiting.
    private mutating func fulfilled(
        _ initiation: Initiation, by address: Address, _ lucky: [Attempt], at now: Moment, into actions: inout [Action]
    ) {
        listedFailures = 0
        if initiation.isListed {
            list.prove()
            directRound = 0
        } else if lucky.contains(where: \.wasListedInVain) {
            list.doubt()
        }
        var rest = initiation
        rest.attempts.removeAll { $0.target.address == address }
        conclude(rest, at: now, into: &actions)
    }

    /// A connection ended, so that its device can be connected to again.
    public mutating func disconnected(from address: Address, at now: Moment, into actions: inout [Action]) {
        linked.remove(address)
        proceed(at: now, into: &actions)
    }

    /// A completion with an error status. Its handle and address mean nothing and are not looked at.
    ///
    /// 0x02 is how the end of a cancelled attempt is told (Core Vol 4, Part E, 7.8.13). Where none is being cancelled, it comes too
    /// late for an attempt that was not waited for any longer, and says nothing of the one under way.
    public mutating func connectionFailed(_ status: Status, at now: Moment, into actions: inout [Action]) {
        switch state {
        case .cancelling(let initiation, let isTurnOver, _):
            conclude(initiation, isTurnOver: isTurnOver, at: now, into: &actions)
        case .creating(let initiation, _), .initiating(let initiation, _):
            guard status != .unknownConnectionIdentifier else { return }
            settleCreating(into: &actions)
            failed(initiation, status, at: now, into: &actions)
        default:
            return
        }
        proceed(at: now, into: &actions)
    }

    private mutating func failed(
        _ initiation: Initiation, _ status: Status, at now: Moment, into actions: inout [Action]
    ) {
        if initiation.isListed, status != .connectionLimitExceeded {
            // Whom of them it concerns is not told. Direct attempts find out if it goes on.
            listedFailures += 1
            if listedFailures >= Self.mostFailures {
                listedFailures = 0
                directRound = initiation.targets.count
            }
            conclude(initiation, at: now, into: &actions)
            return
        }
        var again = initiation
        again.attempts = []
        for var attempt in initiation.attempts {
            attempt.failures += 1
            if attempt.isUnwanted || (status.mayBeRetried && attempt.failures < Self.mostFailures) {
                again.attempts.append(attempt)
            } else {
                actions.append(
                    .connectFailed(attempt.ticket, .connectionFailed(status, attempts: attempt.failures)))
            }
        }
        // Behind the others: one whose link does not come about must not keep them waiting.
        let others = waiting
        waiting = []
        conclude(again, at: now, into: &actions)
        waiting = others + waiting
    }
}

extension HostError {
    /// Whether the controller does what excludes the command (Core Vol 1, Part F, 2.12).
    fileprivate var isDisallowed: Bool {
        if case .command(.refused(_, .commandDisallowed)) = self { true } else { false }
    }
}

extension Status {
    /// Whether another try may succeed: the peer was heard and the first packets were lost, or it stopped advertising meanwhile.
    fileprivate var mayBeRetried: Bool {
        self == .failedToBeEstablished || self == .advertisingTimeout
    }
}
