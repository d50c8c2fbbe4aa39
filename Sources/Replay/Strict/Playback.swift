import Capture
import HCI
import Wire

/// A recording that answers as the controller: what our host sends must be what the recorded host sent, packet by packet, and what the
/// recorded controller said comes when it came.
///
/// A packet of the controller's comes at its time, and not before the host has sent all that it had sent by then. The host may
/// be quicker than the recorded one by `haste`, or slower by `patience`.
struct Playback: VirtualController {
    private let script: Script
    /// The host's packets that are still to come, by their places in the script.
    private var expected: [Lane: ArraySlice<Int>]
    private var isSent: [Bool]
    /// The first of the host's packets that is still to come.
    private var firstUnsent: Int
    /// The next of the controller's packets.
    private var nextReceived: Int
    /// The first thing that the host did otherwise.
    private(set) var divergence: Divergence?
    private(set) var end: LinkEnd?

    /// How much sooner than the recorded host ours may send something: it is not held up by other work of the machine's.
    private static let haste = Duration.seconds(1)
    /// How much later than the recorded host ours may send something: it may wait for something that the recorded one had not to.
    private static let patience = Duration.seconds(10)
    /// The same for what a host sends when its user has enough, which a recording cannot make it do; and how long the time
    /// goes on behind the last packet.
    private static let grace = Duration.milliseconds(250)
    /// How long it goes on where nothing answers the host any more: it has to notice that.
    private static let silence = Duration.seconds(120)

    init(_ script: Script) {
        self.script = script
        let sent = script.lines.indices.filter { script.lines[$0].lane != nil }
        expected = Dictionary(grouping: sent) { script.lines[$0].lane ?? .commands }.mapValues { $0[...] }
        isSent = Array(repeating: false, count: script.lines.count)
        firstUnsent = script.lines.count
        nextReceived = script.lines.count
        firstUnsent = place(from: 0) { !$0.isReceived }
        nextReceived = place(from: 0) { $0.isReceived }
    }

    // MARK: VirtualController

    mutating func receive(_ packet: [UInt8], at now: Moment, into output: inout [[UInt8]]) {
        guard end == nil else { return }
        let lane = Lane(packet)
        guard let place = expected[lane]?.first, script.lines[place].packet == packet else {
            // Around the time when the recorded user had enough, whether a host goes on for a moment is a matter of who is quicker: that
            // stays unanswered, and what was recorded still comes.
            if let parting, parting <= now + Self.haste, now <= parting + Self.haste, expected[lane]?.first == nil {
                return
            }
            let recorded = expected[lane]?.first.map { script.lines[$0].record }
            return diverge(Divergence(recorded: recorded, sent: packet, at: script.start + (now - .zero)))
        }
        if script.lines[place].moment > now + Self.haste { return cameEarly(script.lines[place], at: now) }
        expected[lane]?.removeFirst()
        isSent[place] = true
        while firstUnsent < script.lines.count, isSent[firstUnsent] {
            firstUnsent = self.place(from: firstUnsent + 1) { !$0.isReceived }
        }
        deliver(upTo: now, into: &output)
    }

    mutating func advance(to now: Moment, into output: inout [[UInt8]]) {
        guard end == nil else { return }
        deliver(upTo: now, into: &output)
        guard !canDeliver, let deadline, deadline <= now else { return }
        guard firstUnsent < script.lines.count, parting == nil else {
            end = .recordingEnded
            return
        }
        missing(at: now)
    }

    var nextDeadline: Moment? { end == nil ? deadline : nil }

    // MARK: How it went

    /// Our host has done what it wanted to do: what the recorded one had sent until now must have come by now.
    func endedByHost(at now: Moment) -> Playback {
        var playback = self
        playback.endByHost(at: now)
        return playback
    }

    private mutating func endByHost(at now: Moment) {
        guard end == nil else { return }
        guard firstUnsent < script.lines.count, script.lines[firstUnsent].moment <= now, parting == nil else {
            end = .recordingEnded
            return
        }
        missing(at: now)
    }

    /// When the recorded host left, where that is all that is still to come of it.
    private var parting: Moment? {
        guard firstUnsent < script.lines.count else { return script.lines.last?.moment }
        let isAll = script.lines[firstUnsent...].allSatisfy { $0.isReceived || $0.record.isParting }
        return isAll ? script.lines[firstUnsent].moment : nil
    }

    /// The answer would come when it was recorded, much later than a host can wait for it.
    private mutating func cameEarly(_ line: Script.Line, at now: Moment) {
        guard !line.record.isParting else {
            end = .recordingEnded
            return
        }
        diverge(Divergence(recorded: line.record, sent: line.packet, at: script.start + (now - .zero)))
    }

    private mutating func missing(at now: Moment) {
        diverge(
            Divergence(recorded: script.lines[firstUnsent].record, sent: nil, at: script.start + (now - .zero)))
    }

    private mutating func diverge(_ divergence: Divergence) {
        self.divergence = divergence
        end = .recordingDiverged(divergence.description)
    }

    // MARK: The controller's packets

    private var canDeliver: Bool { nextReceived < min(firstUnsent, script.lines.count) }

    /// When there is next something to do: a packet to deliver, or one of the host's that has not come.
    private var deadline: Moment? {
        if canDeliver { return script.lines[nextReceived].moment }
        guard firstUnsent < script.lines.count else {
            return script.lines.last.map { $0.moment + ($0.isReceived ? Self.grace : Self.silence) }
        }
        let line = script.lines[firstUnsent]
        return line.moment + (parting != nil ? Self.grace : Self.patience)
    }

    private mutating func deliver(upTo now: Moment, into output: inout [[UInt8]]) {
        while canDeliver, script.lines[nextReceived].moment <= now {
            output.append(script.lines[nextReceived].packet)
            nextReceived = place(from: nextReceived + 1) { $0.isReceived }
        }
    }

    private func place(from start: Int, where isWanted: (Script.Line) -> Bool) -> Int {
        script.lines[start...].firstIndex(where: isWanted) ?? script.lines.count
    }
}

extension Script.Line {
    /// Whether the controller sent it.
    fileprivate var isReceived: Bool { lane == nil }
}
