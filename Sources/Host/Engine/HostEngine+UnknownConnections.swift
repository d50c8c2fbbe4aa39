import HCI
import Wire

// A connection that the controller does not know has ended without that the news arrived; or the controller was reset without a word
// and knows none of its connections. Another connection, the witness, tells which.
extension HostEngine {
    /// Looks whether a command was refused because the controller does not know the connection that it is about.
    mutating func look(
        whetherUnknown token: Token, _ outcome: CommandOutcome, at now: Moment, into effects: inout [Effect]
    ) {
        guard outcome.meansUnknownConnection, let id = token.asker.connection, let link = links[id.handle],
            link.id == id
        else { return }
        guard case .ready = phase, link.ending == nil else {
            // It may have ended just now, as it was to: that says nothing of the controller.
            disconnected(id.handle, .unknownConnectionIdentifier, at: now, into: &effects)
            return
        }
        if case .witness = token.asker {
            recoverFromForgetting(id, at: now, into: &effects)
        } else {
            examine(id, at: now, into: &effects)
        }
    }

    /// The controller has told of a connection's witness what it knows.
    mutating func heard(
        _ witness: ConnectionID, of unknown: ConnectionID, _ outcome: CommandOutcome, at now: Moment,
        into effects: inout [Effect]
    ) {
        guard case .ready = phase, links[unknown.handle]?.id == unknown else { return }
        if links[witness.handle]?.id != witness {
            // It ended meanwhile, which proves nothing.
            examine(unknown, at: now, into: &effects)
        } else if !outcome.meansUnknownConnection {
            disconnected(unknown.handle, .unknownConnectionIdentifier, at: now, into: &effects)
        }
    }

    /// Finds out whether only this connection is unknown, by the signal strength of the oldest other one. Where there is no other,
    /// a reset harms nobody; where there is no such command, the others are found out one by one.
    private mutating func examine(_ unknown: ConnectionID, at now: Moment, into effects: inout [Effect]) {
        let others = links.values.filter { $0.ending == nil && $0.id != unknown }
        guard let witness = others.map(\.id).min(by: { $0.generation < $1.generation }) else {
            recoverFromForgetting(unknown, at: now, into: &effects)
            return
        }
        guard sendIfOffered(ReadRSSI { $0.handle = witness.handle }, .witness(witness, of: unknown)) else {
            disconnected(unknown.handle, .unknownConnectionIdentifier, at: now, into: &effects)
            return
        }
    }
}

extension CommandOutcome {
    /// Whether the controller refused because it does not know the connection.
    fileprivate var meansUnknownConnection: Bool {
        switch self {
        case .completed(let octets): octets.first == Status.unknownConnectionIdentifier.rawValue
        case .status(let status): status == .unknownConnectionIdentifier
        case .silent: false
        }
    }
}
