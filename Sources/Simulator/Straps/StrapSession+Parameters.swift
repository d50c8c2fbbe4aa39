import HCI
import L2CAP
import Wire

// The wish for other connection parameters. A strap that does not get them leaves.
extension StrapSession {
    /// What became of it.
    enum Wish: Hashable {
        /// Can transition to asked.
        case waiting(until: Moment)
        /// Asked, or promised and not yet done. Can transition to settled.
        case asked(patience: Moment)
        case settled

        var nextDeadline: Moment? {
            switch self {
            case .waiting(let until): until
            case .asked(let patience): patience
            case .settled: nil
            }
        }

        /// The identifier of the strap's one request on the signalling channel.
        static let identifier: UInt8 = 1
    }

    mutating func parametersChanged(to interval: ConnectionInterval) {
        guard let wanted = plan.parameterWish, wanted.intervals.contains(interval) else { return }
        wish = .settled
    }

    /// A strap that does not get its parameters leaves.
    mutating func parametersRefused(into effects: inout [StrapEffect]) {
        if case .asked = wish { leave(into: &effects) }
    }

    mutating func advanceWish(to now: Moment, into effects: inout [StrapEffect]) {
        switch wish {
        case .waiting(let until) where until <= now:
            guard let wanted = plan.parameterWish else { return }
            wish = .asked(patience: now + wanted.patience)
            effects.append(ask(for: wanted))
        case .asked(let patience) where patience <= now:
            leave(into: &effects)
        default:
            break
        }
    }

    private func ask(for wanted: StrapPlan.ParameterWish) -> StrapEffect {
        let parameters = ConnectionParameters {
            $0.intervalMin = wanted.intervals.lowerBound
            $0.intervalMax = wanted.intervals.upperBound
            $0.latency = wanted.latency
            $0.supervisionTimeout = wanted.supervisionTimeout
        }
        switch wanted.channel {
        case .signaling:
            let request = SignalingCommand.connectionParameterUpdateRequest(parameters)
            return .send(request.packet(identifier: Wish.identifier).frame.encoded)
        case .linkLayer:
            return .requestParameters(parameters)
        }
    }

    private mutating func leave(into effects: inout [StrapEffect]) {
        isOver = true
        effects.append(.leave(.unacceptableConnectionParameters))
    }
}
