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

    private static var mostFalseStarts: Int { 5 }

    /// Connects. Whoever calls this disconnects, too; `withConnection(to:parameters:within:_:)` does it by itself.
    public func connect(
        to target: DeviceAddress, parameters: InitialParameters = .heartRate, within duration: Duration = .seconds(30)
    ) async throws(HostError) -> Peer {
        let answer = try await ask(.connect(target, parameters, within: duration))
        guard case .connected(let connection) = answer else { throw answer.isOfAnotherKind }
        return Peer(central: self, id: connection.id, target: connection.peer)
    }

    func changes(of id: ConnectionID) -> AsyncStream<Connection> { peers.changes(of: id) }

    func subscribe(
        _ id: ConnectionID, _ request: HostEngine.GATTRequest
    ) async throws(HostError) -> Subscription {
        let (ticket, answer) = try await askWithTicket(.gatt(id, request))
        guard case .subscribed(let handle) = answer, let stream = peers.takeStream(of: ticket) else {
            throw answer.isOfAnotherKind
        }
        return Subscription(valueHandle: handle, notifications: stream)
    }
}
