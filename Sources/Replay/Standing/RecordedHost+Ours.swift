import HCI
import Host
import Wire

extension RecordedHost {
    /// Whether the recorded host made its controller ready as ours does, packet by packet: then it is most likely ours.
    func isOurs(_ script: Script) -> Bool {
        var playback = Playback(script)
        var engine = HostEngine(configuration: configuration)
        var now = Moment.zero
        var effects: [HostEngine.Effect] = []
        engine.request(.start, ticket: Ticket(rawValue: 1), at: now, into: &effects)
        // Each round is at least one command; there are fewer than this.
        for _ in 0..<100 {
            var packets: [[UInt8]] = []
            for effect in effects {
                switch effect {
                case .transmit(let packet): playback.receive(packet, at: now, into: &packets)
                case .answer(_, .success): return true
                case .answer, .failed: return false
                default: break
                }
            }
            effects = []
            guard playback.end == nil else { return false }
            if packets.isEmpty {
                guard let next = playback.nextDeadline else { return false }
                now = max(now, next)
                playback.advance(to: now, into: &packets)
            }
            for packet in packets { engine.receive(packet, at: now, into: &effects) }
        }
        return false
    }
}
