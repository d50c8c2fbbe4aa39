import ATT
import Wire

extension Server {
    /// Stores a value and sends it to the client if it asked: as a notification where it asked for that, else as an
    /// indication.
    mutating func update(_ handle: Handle, _ value: [UInt8], at now: Moment, into effects: inout [Effect]) {
        guard table[handle] != nil else { return }
        table[handle]?.value = value
        let wanted = table.configuration(of: handle)
        if wanted.contains(.notifications) {
            let pdu = HandleValueNotification(handle: handle, value: [UInt8](value.prefix(mtu - 3)))
            effects.append(.transmit(pdu.octets))
        } else if wanted.contains(.indications) {
            indicate(Write(handle: handle, value: value), at: now, into: &effects)
        }
    }

    /// One indication at a time: the next leaves when the one before is confirmed (Core Vol 3, Part F, 3.3.2).
    private mutating func indicate(_ write: Write, at now: Moment, into effects: inout [Effect]) {
        guard var current = unconfirmed else {
            return transmit(indicationOf: write, waiting: [], at: now, into: &effects)
        }
        current.waiting.append(write)
        if current.waiting.count > Self.indicationLimit {
            effects.append(.indicationDropped(current.waiting.removeFirst().handle))
        }
        unconfirmed = current
    }

    private mutating func transmit(
        indicationOf write: Write, waiting: [Write], at now: Moment, into effects: inout [Effect]
    ) {
        let pdu = HandleValueIndication(handle: write.handle, value: [UInt8](write.value.prefix(mtu - 3)))
        effects.append(.transmit(pdu.octets))
        unconfirmed = UnconfirmedIndication(
            handle: write.handle, deadline: now + Self.confirmationTimeout, waiting: waiting)
    }

    mutating func confirm(at now: Moment, into effects: inout [Effect]) {
        guard let confirmed = unconfirmed else { return effects.append(.noted(.unexpectedConfirmation)) }
        unconfirmed = nil
        effects.append(.confirmed(confirmed.handle))
        guard let next = confirmed.waiting.first else { return }
        transmit(indicationOf: next, waiting: [Write](confirmed.waiting.dropFirst()), at: now, into: &effects)
    }

    mutating func checkDeadline(at now: Moment, into effects: inout [Effect]) {
        guard let late = unconfirmed, now >= late.deadline else { return }
        unconfirmed = nil
        effects.append(.disconnect(unconfirmed: late.handle))
    }
}
