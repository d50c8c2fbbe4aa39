import ATT
import GATT
import HCI
import Wire

/// A request whose caller waits until its frame is with the controller, which is all that can be known of it.
struct UnsentFrame: Hashable, Sendable {
    var ticket: Ticket
    /// How many frames the connection has to have handed over.
    var count: UInt64
    /// When nobody waits for that any longer: a controller that gives no buffers back may go on so.
    var giveUp: Moment
}

extension HostEngine {
    /// How long a frame may wait for the controller's buffers.
    static let unsentBound: Duration = .seconds(30)

    /// Answers a request once all frames so far are with the controller. So a caller that waits for its answers writes no faster
    /// than the controller takes it.
    mutating func answerWhenSent(
        _ ticket: Ticket, on handle: ConnectionHandle, at now: Moment, into effects: inout [Effect]
    ) {
        guard let link = links[handle], link.ending == nil else {
            effects.append(.answer(ticket, .failure(.disconnected(.terminatedByLocalHost))))
            return
        }
        let waiting = data.waiting(on: handle)
        guard waiting > 0 else {
            effects.append(.answer(ticket, .success(.done)))
            return
        }
        unsentFrames[handle, default: []].append(
            UnsentFrame(
                ticket: ticket, count: data.handedOver(on: handle) &+ UInt64(waiting), giveUp: now + Self.unsentBound))
    }

    /// When the first of those who wait gives up.
    var unsentDeadline: Moment? { unsentFrames.values.joined().map(\.giveUp).min() }

    /// Answers those who have waited for too long. Their frames may still be sent.
    mutating func giveUpUnsent(at now: Moment, into effects: inout [Effect]) {
        for (handle, unsent) in unsentFrames.sorted(by: { $0.key < $1.key }) {
            let late = unsent.filter { $0.giveUp <= now }
            guard !late.isEmpty else { continue }
            effects += late.map { .answer($0.ticket, .failure(.peer(.notSent(.queueFull)))) }
            let rest = unsent.filter { $0.giveUp > now }
            unsentFrames[handle] = rest.isEmpty ? nil : rest
        }
    }

    /// Answers those whose frames have been handed over.
    mutating func answerSent(into effects: inout [Effect]) {
        guard !unsentFrames.isEmpty else { return }
        for (handle, unsent) in unsentFrames.sorted(by: { $0.key < $1.key }) {
            let done = data.handedOver(on: handle)
            let rest = unsent.drop { $0.count <= done }
            guard rest.count < unsent.count else { continue }
            effects += unsent.prefix(unsent.count - rest.count).map { .answer($0.ticket, .success(.done)) }
            unsentFrames[handle] = rest.isEmpty ? nil : Array(rest)
        }
    }

    /// The connection is gone, and what it had not handed over with it.
    mutating func abandonUnsent(on handle: ConnectionHandle, _ status: Status, into effects: inout [Effect]) {
        for unsent in unsentFrames.removeValue(forKey: handle) ?? [] {
            effects.append(.answer(unsent.ticket, .failure(.disconnected(status))))
        }
    }

    /// Takes a caller back that waits for its frame. The frame itself may still be sent.
    ///
    /// - Returns: whether there was one
    mutating func cancelUnsent(_ ticket: Ticket) -> Bool {
        for (handle, unsent) in unsentFrames.sorted(by: { $0.key < $1.key }) {
            let rest = unsent.filter { $0.ticket != ticket }
            guard rest.count < unsent.count else { continue }
            unsentFrames[handle] = rest.isEmpty ? nil : rest
            return true
        }
        return false
    }
}
