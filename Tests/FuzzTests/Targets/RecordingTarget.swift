import Capture
import HCI
import HCITransport
import Replay
import Wire

extension FuzzTarget {
    /// A capture in the place of a controller: what its host saw is told, and what its host sent is answered, both ways. Time goes on,
    /// and comes to an end.
    static let recordings = FuzzTarget(name: "recordings") { octets in
        var reader = CaptureReader()
        reader.feed(octets)
        reader.finish()
        var records: [Record] = []
        while records.count < 200, let record = try? reader.next() { records.append(record) }
        let recording = Recording(records: records)
        let seen = recording.seen()
        try promise(seen.values.allSatisfy { $0.frame <= records.count }, "values come from records")
        if let loop { _ = try? StandIn(recording, on: loop) }
        for matching in [Matching.strictly, .equivalently] {
            guard var controller = try? recording.controller(matching) else { continue }
            try answer(records, from: &controller)
        }
    }

    /// One for all runs; it has nothing to do.
    private static let loop = try? EventLoop()

    private static func answer(_ records: [Record], from controller: inout any VirtualController) throws {
        var now = Moment.zero
        var output: [[UInt8]] = []
        for record in records where record.direction == .sent && record.kind.packetType != nil {
            controller.receive(record.octets, at: now, into: &output)
            for _ in 0..<8 {
                guard let next = controller.nextDeadline else { break }
                now = max(now, next)
                controller.advance(to: now, into: &output)
            }
            output.removeAll(keepingCapacity: true)
        }
        // An hour after all that was recorded there is nothing more to come.
        controller.advance(to: now + .seconds(400_000_000), into: &output)
        controller.advance(to: now + .seconds(400_000_001), into: &output)
        try promise(controller.end != nil, "it comes to an end")
        try promise(controller.nextDeadline == nil, "what has ended wants nothing")
    }
}
