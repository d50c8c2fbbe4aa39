import HCI
import Wire

// What happens to connections and to the controller itself.
extension FaultyController {
    /// Faults for which every packet is an occasion.
    mutating func meddle(at now: Moment, into output: inout [[UInt8]]) {
        if happens(.hardwareError) { reportFailure(at: now, into: &output) }
        if happens(.restart) {
            dropParcels()
            world.restart(at: now)
            reportFailure(at: now, into: &output)
        }
        if happens(.strayCompletion) {
            let stray = LEConnectionComplete { $0.status = .unknownConnectionIdentifier }
            send(stray.packet, .events, at: now, into: &output)
        }
        if let handle = world.connections.randomElement(using: &chance) { meddle(with: handle, at: now) }
    }

    /// The connection may end now or soon.
    mutating func meddle(with handle: ConnectionHandle, at now: Moment) {
        guard happens(.brokenLink) else { return }
        let reason = Status(rawValue: UInt8(truncatingIfNeeded: chance.next() >> 8))
        plan(breakOf: handle, reason, at: now + delay(most: .milliseconds(500)))
    }

    private mutating func reportFailure(at now: Moment, into output: inout [[UInt8]]) {
        let code = UInt8(truncatingIfNeeded: chance.next() >> 8)
        send(HardwareError { $0.hardwareCode = code }.packet, .events, at: now, into: &output)
    }

    mutating func plan(breakOf handle: ConnectionHandle, _ reason: Status, at due: Moment) {
        breaks.schedule(Break(due: due, handle: handle, reason: reason))
    }

    mutating func endDue(at now: Moment, into output: inout [[UInt8]]) {
        while let next = breaks.first, next.due <= now {
            breaks.removeFirst()
            pass(at: now, into: &output) {
                $1 += $0.endConnection(next.handle, reason: next.reason, isTold: true, at: now)
            }
        }
    }
}
