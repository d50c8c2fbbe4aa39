import Capture
import HCI
import Simulator
import Wire

/// The world of a recording, simulated: it answers whatever a host asks, from what the recording tells, and notes what passes.
struct RecordedWorld: VirtualController {
    private var world: SimulatedWorld
    private let start: Timestamp
    /// When the recording counts as over: a host that waits for what was never recorded must not wait for ever.
    private let horizon: Moment
    /// What has passed.
    private(set) var records: [Record] = []
    private(set) var end: LinkEnd?

    /// How long the world goes on behind the recording's end: our host may be slower than the recorded one.
    private static let patience = Duration.seconds(60)
    /// More of a recording is not played: where its clock was set from year to year, the devices would advertise all the time.
    private static let longest = Moment.zero + .seconds(86_400)

    init(_ script: Script, _ host: RecordedHost) {
        world = SimulatedWorld(Scenario(script, host))
        start = script.start
        horizon = min(script.lines.last?.moment ?? .zero, Self.longest) + Self.patience
    }

    var nextDeadline: Moment? {
        end == nil ? world.nextDeadline.map { min($0, horizon) } ?? horizon : nil
    }

    mutating func receive(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        guard end == nil else { return }
        note(packet, .sent, at: now)
        let place = output.count
        world.receive(packet, at: now, into: &output)
        for answer in output[place...] { note(answer, .received, at: now) }
    }

    mutating func advance(to now: Moment, into output: inout [[UInt8]]) {
        guard end == nil else { return }
        if now >= horizon { end = .recordingEnded }
        let place = output.count
        world.advance(to: now, into: &output)
        for packet in output[place...] { note(packet, .received, at: now) }
    }

    private mutating func note(_ packet: [UInt8], _ direction: Record.Direction, at now: Moment) {
        // Advertisements have nothing to do with what the host did.
        guard !packet.starts(with: [0x04, 0x3E]) || ![0x02, 0x0B, 0x0D].contains(packet.dropFirst(3).first) else {
            return
        }
        records.append(
            Record(
                frame: records.count + 1, timestamp: start + (now - .zero), direction: direction,
                kind: Record.Kind(packetType: packet.first ?? 0), octets: packet, includedLength: packet.count,
                originalLength: packet.count))
    }
}
