public import HCI
import Wire

extension Central {
    /// Connects, hands the peer to `body`, and disconnects when `body` is done.
    ///
    /// A connection that turns out never to have been one (0x3E: nothing came from the peer) is tried again a few times, with
    /// `body` started anew.
    ///
    /// - Parameter duration: how long the connecting may take, with all its tries; what `body` does has no limit
    /// - Throws: `HostError` where no connection comes about, else what `body` throws
    public func withConnection<Result: Sendable>(
        to target: DeviceAddress, parameters: InitialParameters = .heartRate, within duration: Duration = .seconds(30),
        _ body: (Peer) async throws -> Result
    ) async throws -> Result {
        let deadline = now + duration
        var attempts = 0
        while true {
            attempts += 1
            let peer = try await connect(to: target, parameters: parameters, within: deadline - now)
            do {
                let result = try await body(peer)
                await peer.disconnect()
                return result
            } catch HostError.disconnected(.failedToBeEstablished) where attempts < Self.mostFalseStarts {
                continue
            } catch {
                await peer.disconnect()
                throw error
            }
        }
    }

    /// How often in a row a connection may turn out never to have been one (0x3E) before that is the answer: as often as the
    /// controller itself may say so while it connects.
    public static var mostFalseStarts: Int { Radio.mostFailures }

    /// Connects, or shares the connection that somebody else has or is waiting for; it lasts until all have left. Whoever calls this
    /// disconnects, too; `withConnection(to:parameters:within:_:)` does it by itself.
    ///
    /// - Parameter parameters: those of the first who wants the peer count
    public func connect(
        to target: DeviceAddress, parameters: InitialParameters = .heartRate, within duration: Duration = .seconds(30)
    ) async throws(HostError) -> Peer {
        let (ticket, answer) = try await askWithTicket(.connect(target, parameters, within: duration))
        guard case .connected(let connection) = answer else { throw answer.isOfAnotherKind }
        return Peer(central: self, id: connection.id, user: ticket, target: connection.peer)
    }

    /// One user has done with a connection: his streams end, and with the last one's leave the connection.
    func leave(_ id: ConnectionID, _ user: Ticket) async {
        guard peers.leave(id, user) else { return }
        _ = try? await ask(.disconnect(id), canBeCancelled: false)
    }

    func changes(of id: ConnectionID, _ user: Ticket) -> AsyncStream<Connection> { peers.changes(of: id, user) }

    // MARK: Asking for a user of a connection

    /// Puts a user's request to the engine, or shares what another user's has brought.
    func ask(
        _ request: HostEngine.GATTRequest, of id: ConnectionID, for user: Ticket
    ) async throws(HostError) -> (ticket: Ticket, answer: HostEngine.Answer) {
        guard !peers.hasLeft(id, user) else { throw .disconnected(.terminatedByLocalHost) }
        guard let matter = request.sharedMatter else { return try await askWithTicket(.gatt(id, request)) }
        return try await waitForAnswer { ticket in
            share(request, .init(connection: id, matter: matter), .init(ticket: ticket, user: user))
        } cancel: { central, ticket in
            central.stopSharing(ticket)
        }
    }

    private func share(_ request: HostEngine.GATTRequest, _ key: SharingDesk.Key, _ asker: SharingDesk.Asker) {
        switch sharing.join(key, asker) {
        case .isFirst:
            let ticket = nextTicket()
            sharing.begin(key, ticket, for: asker)
            put(.gatt(key.connection, request), ticket)
        case .waits(let source):
            if let source { peers.open(source, for: asker) }
        case .isAnswered(let known, let source):
            if let source { peers.open(source, for: asker) }
            answer(asker.ticket, .success(known))
        }
    }

    private func stopSharing(_ asker: Ticket) {
        switch sharing.leave(asker) {
        case .nothing: return
        case .answer: answer(asker, .failure(.cancelled))
        case .cancel(let ticket): takeBack(ticket)
        }
    }

    /// Puts a request that is answered by a subscription, and fetches the stream of its values.
    func subscribe(
        _ id: ConnectionID, for user: Ticket, _ request: HostEngine.GATTRequest
    ) async throws(HostError) -> (subscription: Subscription, basis: HandleBasis) {
        let (ticket, answer) = try await ask(request, of: id, for: user)
        guard case .subscribed(let characteristic, let basis) = answer, let stream = peers.takeStream(of: ticket) else {
            throw answer.isOfAnotherKind
        }
        return (Subscription(characteristic: characteristic, notifications: stream), basis)
    }

    func tune(_ id: ConnectionID, _ tuning: LinkTuning, for user: Ticket) async throws(HostError) {
        guard !peers.hasLeft(id, user) else { throw .disconnected(.terminatedByLocalHost) }
        _ = try await ask(.tune(id, tuning))
    }

    func readSignalStrength(of id: ConnectionID, for user: Ticket) async throws(HostError) -> HostEngine.Answer {
        guard !peers.hasLeft(id, user) else { throw .disconnected(.terminatedByLocalHost) }
        return try await ask(.readSignalStrength(id))
    }
}
