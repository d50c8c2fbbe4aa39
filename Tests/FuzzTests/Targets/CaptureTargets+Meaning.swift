import ATT
import Capture
import Dissection
import HCI
import Wire

extension FuzzTarget {
    /// What a capture's records mean, one in the light of the others: every record is read, and the replay tells of no frame that
    /// was not there.
    static let dissection = FuzzTarget(name: "dissection") { octets in
        var choices = Choices(octets)
        var dissector = Dissector(heartRateHandles: [0x0012])
        var session = ReplaySession(heartRateHandles: [0x0012])
        var events: [SessionEvent] = []
        var filter = RecordFilter()
        filter.addresses = [Address(rawValue: 1)]
        filter.handles = [ConnectionHandle(rawValue: 0x0040)]
        filter.attributes = [.any, .handle(0x0012), .type(0x2A37)]
        var frame = 0
        while !choices.isEmpty {
            frame += 1
            let record = record(frame, from: &choices)
            let dissected = dissector.dissect(record)
            _ = dissected.name
            _ = dissected.malformed
            try promise(
                dissected.newAssumptions.isSubset(of: dissected.assumptions), "what is said for the first time is said")
            try promise(
                !filter.admits(dissected) || dissected.attribute != nil, "no attribute is admitted where there is none")
            try promise(
                (dissected.payload?.count ?? 0) <= octets.count, "a payload is made of the octets of the capture")
            session.receive(record, into: &events)
        }
        session.finish(into: &events)
        for event in events {
            try promise(event.frame >= 0 && event.frame <= frame, "frame \(event.frame) of \(frame)")
        }
    }

    private static func record(_ frame: Int, from choices: inout Choices) -> Record {
        let choice = choices.octet()
        // Most often what a capture holds most of: events and data, with whole packets.
        let type: UInt8 = [4, 2, 4, 2, 4, 2, 1, choice >> 3][Int(choice & 7)]
        let packet = [type] + choices.piece()
        return Record(
            frame: frame, offset: 0, timestamp: nil, adapter: 0,
            direction: choice & 0x80 == 0 ? .received : .sent, kind: Record.Kind(packetType: type), octets: packet,
            includedLength: packet.count, originalLength: packet.count + (choice & 0x40 == 0 ? 0 : 1))
    }
}
