import HCI
import Wire

extension HostEngine {
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

    /// Grants what a link can have, however the peer asked for it, and notes what came of it in truth.
    mutating func take(
        _ wanted: HCI.ConnectionParameters, of handle: ConnectionHandle, by way: ParameterRequestWay,
        into effects: inout [Effect]
    ) {
        // A connection that is to end needs no other parameters.
        guard let link = links[handle], link.ending == nil else { return }
        let isGranted = wanted.isValid && grant(wanted, to: link.id, by: way)
        effects.append(.note(.connectionParametersRequested(link.id, accepted: isGranted)))
        guard !wanted.isValid, way == .controller else { return }
        sendIfOffered(LERemoteConnectionParameterRequestNegativeReply { $0.handle = handle }, .nobody)
    }

    /// - Returns: whether the controller will be told
    private mutating func grant(
        _ wanted: HCI.ConnectionParameters, to id: ConnectionID, by way: ParameterRequestWay
    ) -> Bool {
        switch way {
        case .signaling:
            return change(id, to: wanted)
        case .controller:
            return sendIfOffered(
                LERemoteConnectionParameterRequestReply {
                    $0.handle = id.handle
                    $0.parameters = wanted
                }, .nobody)
        }
    }

    /// Has the controller change a connection. It refuses a second change while one is under way: of the wishes that come meanwhile
    /// the last one follows.
    private mutating func change(_ id: ConnectionID, to wanted: HCI.ConnectionParameters) -> Bool {
        guard links[id.handle]?.parameterUpdate == nil else {
            links[id.handle]?.parameterUpdate?.next = wanted
            return true
        }
        let command = LEConnectionUpdate {
            $0.handle = id.handle
            $0.parameters = wanted
        }
        guard hasRoomForUnimportantCommand, sendIfOffered(command, .update(id)) else { return false }
        links[id.handle]?.parameterUpdate = Link.ParameterUpdate()
        return true
    }

    /// A change came to its end, whatever that was; the next wish has its turn.
    mutating func updateEnded(on handle: ConnectionHandle) {
        guard let link = links[handle], let update = link.parameterUpdate else { return }
        links[handle]?.parameterUpdate = nil
        if let next = update.next, link.ending == nil { _ = change(link.id, to: next) }
    }
}
