import ATT
import GATT
import HCI
import L2CAP
import SMP
import Wire

extension HostEngine {
    // MARK: Reaching a link

    /// Lets `change` act on a connection, or answers the ticket that there is none.
    mutating func actOnLink(
        _ id: ConnectionID, _ ticket: Ticket, at now: Moment, into effects: inout [Effect],
        _ change: (inout Link, inout [Link.Effect]) -> Void
    ) {
        guard links[id.handle]?.id == id else {
            effects.append(.answer(ticket, .failure(.disconnected(.unknownConnectionIdentifier))))
            return
        }
        act(on: id.handle, at: now, into: &effects, change)
    }

    /// Lets `change` act on the connection of `handle`, if there is one, and carries out what comes of it.
    mutating func act(
        on handle: ConnectionHandle, at now: Moment, into effects: inout [Effect],
        _ change: (inout Link, inout [Link.Effect]) -> Void
    ) {
        guard let index = links.index(forKey: handle) else { return }
        var actions: [Link.Effect] = []
        change(&links.values[index], &actions)
        for action in actions { carryOut(action, on: handle, at: now, into: &effects) }
    }

    private mutating func carryOut(
        _ action: Link.Effect, on handle: ConnectionHandle, at now: Moment, into effects: inout [Effect]
    ) {
        // A controller that has been told to end the connection may have done so.
        let isEnding = links[handle]?.ending != nil
        switch action {
        case .frame(let frame): if !isEnding { send(frame, on: handle, at: now, into: &effects) }
        case .updateConnection(let parameters): take(parameters, of: handle, by: .signaling, at: now, into: &effects)
        case .disconnect(let reason): disconnect(handle, reason, at: now)
        case .encrypt(let key): if !isEnding { encrypt(handle, with: key) }
        case .bonded(let bond): keep(bond, of: handle, at: now, into: &effects)
        case .secured(let isPaired): secured(handle, isPaired: isPaired, at: now, into: &effects)
        case .notSecured(let failure, let isOfPairing):
            notSecured(handle, failure, isOfPairing: isOfPairing, at: now, into: &effects)
        case .answerWhenSent(let ticket): answerWhenSent(ticket, on: handle, at: now, into: &effects)
        case .host(let effect): effects.append(effect)
        }
    }

    /// A peer that asks faster than it lets us answer loses its connection: what does not fit may be our own request, whose answer
    /// would be waited for in vain.
    private mutating func send(
        _ frame: BasicFrame, on handle: ConnectionHandle, at now: Moment, into effects: inout [Effect]
    ) {
        var isTaken = true
        actOnData(into: &effects) { data, packets in
            do throws(ACLCredits.Refusal) {
                try data.enqueue(frame.encoded, on: handle, into: &packets)
                return nil
            } catch {
                isTaken = false
                return .dataRefused(error)
            }
        }
        guard !isTaken else { return }
        disconnect(handle, .remoteLowResources, at: now)
        act(on: handle, at: now, into: &effects) { link, effects in
            link.abandonRequests(.disconnected(.terminatedByLocalHost), into: &effects)
        }
    }

    /// Has a connection's GATT client do something. Values that nobody acknowledges could fill all places, so that the peer's own
    /// requests would go unanswered: they have half of them.
    mutating func request(
        _ request: GATTRequest, of id: ConnectionID, _ ticket: Ticket, at now: Moment, into effects: inout [Effect]
    ) {
        if case .writeWithoutResponse = request, data.waiting(on: id.handle) >= data.limit / 2 {
            effects.append(.answer(ticket, .failure(.peer(.notSent(.queueFull)))))
            return
        }
        actOnLink(id, ticket, at: now, into: &effects) { link, effects in
            link.request(request, ticket: ticket, at: now, into: &effects)
        }
    }

    /// Lets `change` act on the data flow and hands over what may be sent; it may return something to note.
    mutating func actOnData(
        into effects: inout [Effect], _ change: (inout ACLCredits, inout [[UInt8]]) -> Note?
    ) {
        var packets: [[UInt8]] = []
        let note = change(&data, &packets)
        effects += packets.map { .transmit($0) }
        if let note { effects.append(.note(note)) }
        answerSent(into: &effects)
        disconnectSent()
    }

    // MARK: Beginning and end

    /// Connects, or shares the connection that there is. One that is about to end has to be gone before.
    mutating func connect(
        to target: DeviceAddress, _ parameters: InitialParameters, within duration: Duration, _ ticket: Ticket,
        at now: Moment, into effects: inout [Effect]
    ) {
        let identity = identities.identity(of: target)
        let target = identity ?? target.plain
        if let link = links.values.first(where: { $0.connection.peer.address == target.address && $0.ending == nil }) {
            effects.append(.answer(ticket, .success(.connected(link.connection))))
            return
        }
        var parameters = parameters
        if parameters.ownAddress == nil { parameters.ownAddress = connectingAddress(to: identity) }
        if !parameters.usesBond, let identity { bondless[ticket] = identity }
        renewPrivateAddressIfDue(at: now, into: &effects)
        if let identity, identities[identity]?.identityResolvingKey != nil,
            !privacy.list.recognises(identity)
        {
            let seeker = Seeker(target: identity, parameters: parameters, deadline: now + duration)
            return seek(seeker, ticket, at: now, into: &effects)
        }
        actOnRadio(at: now, into: &effects) { radio, actions in
            radio.connect(
                ticket, to: target, parameters: parameters, deadline: now + duration, at: now, into: &actions)
        }
    }

    /// A connection came about, whoever wanted it.
    ///
    /// - Parameter radioAddress: the address that was connected to
    mutating func connected(
        _ connection: Connection, reachedAt radioAddress: Address, at now: Moment, into effects: inout [Effect]
    ) {
        let handle = connection.id.handle
        strangers.removeAll { $0 + Self.disconnectBound <= now }
        guard strangers.count < Self.mostStrangers else {
            return recoverFromStrangers(at: now, into: &effects)
        }
        // A controller that gives a handle again has ended the connection before, whether we heard of it or not. What waits for the last
        // connection to end waits for the new one.
        let link = Link(
            connection, reachedAt: radioAddress, securedBy: makeSecurityManager(of: connection), serving: ownDatabase)
        let before = links.updateValue(link, forKey: handle)
        if let before { end(before, .unspecifiedError, at: now, into: &effects) }
        data.connected(handle)
        actOnRadio(at: now, into: &effects) { radio, actions in
            radio.connected(handle, to: radioAddress, at: now, into: &actions)
        }
        // Not to one that is to go again.
        guard links[handle]?.ending == nil else { return }
        joinSeekers(of: connection, into: &effects)
        let usesBond = !bondless.values.contains(connection.peer)
        act(on: handle, at: now, into: &effects) { link, effects in
            link.secureByBond(usesBond, at: now, into: &effects)
        }
        bondless = bondless.filter { $0.value != connection.peer }
    }

    /// A connection ended: its credits come back, everybody who waits for it is told.
    mutating func disconnected(
        _ handle: ConnectionHandle, _ status: Status, at now: Moment, into effects: inout [Effect]
    ) {
        guard let link = links.removeValue(forKey: handle) else { return }
        end(link, status, at: now, into: &effects)
    }

    private mutating func end(_ link: Link, _ status: Status, at now: Moment, into effects: inout [Effect]) {
        let handle = link.id.handle
        var link = link
        // One that hangs up instead of showing that it knows the key has learnt as much as by failing.
        if link.securityManager.isOpenToGuesses {
            attempts.failed(with: link.connection.peer, .peerRefused(.unspecifiedReason), at: now)
        }
        actOnData(into: &effects) { data, packets in
            data.disconnected(handle, into: &packets)
            return nil
        }
        abandonUnsent(on: handle, status, into: &effects)
        var actions: [Link.Effect] = []
        link.disconnected(status, at: now, into: &actions)
        for case .host(let effect) in actions { effects.append(effect) }
        let address = link.radioAddress
        actOnRadio(at: now, into: &effects) { radio, actions in
            radio.disconnected(from: address, at: now, into: &actions)
        }
    }

    /// Asks the controller to end a connection; what it reports, or the bound, ends it here.
    mutating func disconnect(_ handle: ConnectionHandle, _ reason: Status, at now: Moment) {
        guard let link = links[handle], link.ending == nil else { return }
        links[handle]?.ending = Link.Ending(tickets: [], giveUp: now + Self.disconnectBound)
        sendDisconnect(link.id, reason)
    }

    /// Ends a connection whose user is done with it, once the peer has what it was sent before: the last key of a pairing, say, or
    /// why there is none.
    private mutating func disconnectOnceSent(_ handle: ConnectionHandle, at now: Moment) {
        guard let link = links[handle], link.ending == nil, !isSent(on: handle) else {
            return disconnect(handle, .remoteUserTerminated, at: now)
        }
        let end = now + Self.delayBound
        links[handle]?.ending = Link.Ending(tickets: [], giveUp: end + Self.disconnectBound, delayEnd: end)
    }

    /// Whether the peer has acknowledged all that was sent to it.
    private func isSent(on handle: ConnectionHandle) -> Bool {
        data.waiting(on: handle) == 0 && data.inFlight(on: handle) == 0
    }

    /// Disconnects those whose peers have what was sent to them.
    private mutating func disconnectSent() {
        for handle in links.keys.sorted() where links[handle]?.ending?.delayEnd != nil && isSent(on: handle) {
            sendDelayedDisconnect(on: handle)
        }
    }

    /// Disconnects those whose peers have not acknowledged that in time.
    mutating func disconnectDelayed(at now: Moment) {
        for handle in links.keys.sorted() {
            guard let end = links[handle]?.ending?.delayEnd, end <= now else { continue }
            sendDelayedDisconnect(on: handle)
        }
    }

    private mutating func sendDelayedDisconnect(on handle: ConnectionHandle) {
        guard let link = links[handle] else { return }
        links[handle]?.ending?.delayEnd = nil
        sendDisconnect(link.id, .remoteUserTerminated)
    }

    mutating func sendDisconnect(_ id: ConnectionID, _ reason: Status, try number: Int = 1) {
        send(
            Disconnect {
                $0.handle = id.handle
                $0.reason = reason
            }, .disconnect(id, try: number))
    }

    mutating func disconnect(_ id: ConnectionID, _ ticket: Ticket, at now: Moment, into effects: inout [Effect]) {
        guard links[id.handle]?.id == id else {
            effects.append(.answer(ticket, .success(.done)))
            return
        }
        disconnectOnceSent(id.handle, at: now)
        links[id.handle]?.ending?.tickets.append(ticket)
    }

    /// Ends what the controller does not end in time.
    mutating func giveUpDisconnecting(at now: Moment, into effects: inout [Effect]) {
        for handle in links.keys.sorted() {
            guard let link = links[handle], let ending = link.ending, ending.giveUp <= now else { continue }
            effects.append(.note(.disconnectUnanswered(link.id)))
            disconnected(handle, .terminatedByLocalHost, at: now, into: &effects)
        }
    }

    // MARK: The end of everything

    mutating func stop(_ ticket: Ticket, at now: Moment, into effects: inout [Effect]) {
        if case .initialising(_, nil) = phase {
            // A controller that was just reset neither scans nor holds a connection.
            finish(stop: ticket, into: &effects)
            return
        }
        guard case .ready = phase else {
            effects.append(.answer(ticket, .success(.done)))
            return
        }
        for waiting in scan.starting + waits.keys.sorted() + listeningSeekers {
            effects.append(.answer(waiting, .failure(.cancelled)))
        }
        scan.starting = []
        waits = [:]
        seekers = [:]
        phase = .stopping(ticket, giveUp: now + Self.stopBound)
        scan.relaxAt = nil
        actOnRadio(at: now, into: &effects) { radio, actions in radio.stop(at: now, into: &actions) }
        for handle in links.keys.sorted() { disconnect(handle, .remoteUserTerminated, at: now) }
        finishStopping(into: &effects)
    }

    /// Answers the stop once nothing is left.
    mutating func finishStopping(into effects: inout [Effect]) {
        guard case .stopping(let ticket, _) = phase, links.isEmpty, radio.isIdle else { return }
        finish(stop: ticket, into: &effects)
    }

    /// Whatever still waits is told that it is over; the owner answers what a controller that does not react leaves open.
    mutating func finish(stop ticket: Ticket, into effects: inout [Effect]) {
        effects.append(.answer(ticket, .success(.done)))
        phase = .failed(.linkEnded(.closed))
        forgetEverything()
    }
}
