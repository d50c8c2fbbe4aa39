import ATT
import HCI
import L2CAP
import Wire

extension FuzzTarget {
    /// Fragments of L2CAP frames, and what the signalling channel makes of whole ones.
    static let frames = FuzzTarget(name: "frames") { octets in
        var choices = Choices(octets)
        var reassembler = Reassembler(limit: 1024)
        var signaling = Signaling(role: choices.octet() & 1 == 0 ? .central : .peripheral)
        while !choices.isEmpty {
            let isContinuation = choices.octet() & 1 == 1
            let fragment = choices.piece()
            let outcome = reassembler.receive(fragment.span, isContinuation: isContinuation)
            guard let frame = outcome.frame else { continue }
            try promise(frame.payload.count <= 1024, "no frame beyond the limit")
            var effects: [Signaling.Effect] = []
            signaling.handle(frame.payload.span, into: &effects)
            try promise(effects.count <= 4, "few effects for one frame: \(effects)")
        }
    }

    /// ATT PDUs in both directions: what was decoded encodes to something that decodes to the same.
    static let attributePDUs = FuzzTarget(name: "attribute-pdus") { octets in
        if let pdu = try? ServerPDU(decoding: octets) {
            let encoded = pdu.encoded
            try promise((try? ServerPDU(decoding: encoded)) == pdu, "a PDU encodes to itself: \(pdu)")
            _ = pdu.described
        }
        if let pdu = try? ClientPDU(decoding: octets) {
            let encoded = pdu.encoded
            try promise((try? ClientPDU(decoding: encoded)) == pdu, "a PDU encodes to itself: \(pdu)")
            _ = pdu.described
        }
        if let pdu = AnyPDU(octets.span) {
            try promise(pdu.valueOffset >= 1 && pdu.valueOffset <= octets.count, "the value lies within the PDU")
            _ = pdu.value(of: octets.span)
        }
    }

    /// A bearer between a caller and a peer that both do anything: every request is answered exactly once.
    static let bearer = FuzzTarget(name: "bearer") { octets in
        var choices = Choices(octets)
        var bearer = Bearer(queueLimit: 8)
        var now = Moment.zero
        var ticket: UInt64 = 0
        var open: Set<Bearer.Ticket> = []

        func bring(_ input: Bearer.Input) throws {
            var effects: [Bearer.Effect] = []
            bearer.handle(input, at: now, into: &effects)
            for case .completed(let ticket, _) in effects {
                try promise(open.remove(ticket) != nil, "no request is answered twice")
            }
        }

        while !choices.isEmpty {
            switch choices.octet() % 6 {
            case 0:
                ticket += 1
                open.insert(Bearer.Ticket(ticket))
                let handle = Handle(rawValue: UInt16(choices.octet()))
                try bring(.request(.read(ReadRequest(handle: handle)), Bearer.Ticket(ticket)))
            case 1: try bring(.cancel(Bearer.Ticket(ticket)))
            case 2: try bring(.serverSends(choices.piece()))
            case 3:
                now = now + .seconds(Int64(choices.octet()))
                try bring(.wake)
            case 4 where choices.octet() == 0xFF: try bring(.disconnected)
            default: try bring(.received(choices.piece()))
            }
        }
        try bring(.disconnected)
        try promise(open.isEmpty, "every request is answered at the latest when the link ends")
    }
}
