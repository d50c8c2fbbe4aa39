import HCI
import Wire

extension HostEngine {
    /// How long a change may take: the controller has to end a connection whose peer does not carry a procedure through within 40 s
    /// (Core Vol 6, Part B, 5.2), so that a completion that comes later than that was lost.
    static let updateBound: Duration = .seconds(45)

    /// How a peer's wish for other connection parameters reaches us.
    enum ParameterRequestWay: Hashable, Sendable {
        /// By L2CAP, which grants valid ones by itself and has told the peer so (Core Vol 3, Part A, 4.20).
        ///
        /// The answer comes first and the update after it: "accepted" is the host's word that it will ask its controller
        /// (4.21), and the peer learns what came of that from the link itself. Waiting for the controller would let a peer
        /// that gives up after its signalling timeout leave, and no PDU could take the word back in any case.
        case signaling
        /// By the controller, which asks us what to answer (Core Vol 4, Part E, 7.7.65.6).
        case controller
    }

    /// What becomes of a wish.
    private enum Grant {
        case told
        /// It waits for the change under way, and is noted when its turn has come.
        case waits
        case untold
    }

    /// Grants what a link can have, however the peer asked for it, and notes what came of it in truth.
    mutating func take(
        _ wanted: HCI.ConnectionParameters, of handle: ConnectionHandle, by way: ParameterRequestWay, at now: Moment,
        into effects: inout [Effect]
    ) {
        // A connection that is to end needs no other parameters.
        guard let link = links[handle], link.ending == nil else { return }
        let grant = wanted.isValid ? grant(wanted, to: link.id, by: way, at: now, into: &effects) : .untold
        note(grant, of: link.id, into: &effects)
        guard !wanted.isValid, way == .controller else { return }
        sendIfOffered(LERemoteConnectionParameterRequestNegativeReply { $0.handle = handle }, .nobodyOn(link.id))
    }

    private func note(_ grant: Grant, of id: ConnectionID, into effects: inout [Effect]) {
        if grant == .waits { return }
        effects.append(.note(.connectionParametersRequested(id, accepted: grant == .told)))
    }

    private mutating func grant(
        _ wanted: HCI.ConnectionParameters, to id: ConnectionID, by way: ParameterRequestWay, at now: Moment,
        into effects: inout [Effect]
    ) -> Grant {
        switch way {
        case .signaling:
            return change(id, to: wanted, at: now, into: &effects)
        case .controller:
            let isTold = sendIfOffered(
                LERemoteConnectionParameterRequestReply {
                    $0.handle = id.handle
                    $0.parameters = wanted
                }, .nobodyOn(id))
            return isTold ? .told : .untold
        }
    }

    /// Has the controller change a connection. It refuses a second change while one is under way: of the wishes that come meanwhile
    /// the last one follows.
    private mutating func change(
        _ id: ConnectionID, to wanted: HCI.ConnectionParameters, at now: Moment, into effects: inout [Effect]
    ) -> Grant {
        if let update = links[id.handle]?.parameterUpdate {
            if update.next != nil { note(.untold, of: id, into: &effects) }
            links[id.handle]?.parameterUpdate?.next = wanted
            return .waits
        }
        let command = LEConnectionUpdate {
            $0.handle = id.handle
            $0.parameters = wanted
        }
        guard hasRoomForUnimportantCommand, sendIfOffered(command, .update(id)) else { return .untold }
        links[id.handle]?.parameterUpdate = Link.ParameterUpdate(giveUp: now + Self.updateBound)
        return .told
    }

    /// A change came to its end, whatever that was; the next wish has its turn.
    mutating func updateEnded(on handle: ConnectionHandle, at now: Moment, into effects: inout [Effect]) {
        guard let link = links[handle], let update = link.parameterUpdate else { return }
        links[handle]?.parameterUpdate = nil
        guard let next = update.next, link.ending == nil else { return }
        note(change(link.id, to: next, at: now, into: &effects), of: link.id, into: &effects)
    }

    /// Waits no longer for the completion of changes that are over by now.
    mutating func giveUpUpdating(at now: Moment, into effects: inout [Effect]) {
        for handle in links.keys.sorted() {
            guard let update = links[handle]?.parameterUpdate, update.giveUp <= now else { continue }
            updateEnded(on: handle, at: now, into: &effects)
        }
    }
}
