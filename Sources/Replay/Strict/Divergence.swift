public import Capture
import Dissection
import HCI
public import Wire

/// The first thing that our host did otherwise than the recorded one.
public struct Divergence: Error, Hashable, Sendable {
    /// What the recorded host sent; `nil` where it sent nothing more of the kind.
    public var recorded: Record?
    /// What our host sent, its H4 type octet first; `nil` where it sent nothing.
    public var sent: [UInt8]?
    /// When ours sent it, or should have, on the recording's clock.
    public var time: Timestamp

    init(recorded: Record?, sent: [UInt8]?, at time: Timestamp) {
        self.recorded = recorded
        self.sent = sent
        self.time = time
    }
}

extension Divergence: CustomStringConvertible {
    /// Both packets, and each field in which they differ, without keys.
    public var description: String {
        let recorded = recorded?.withoutKeys
        let now = sent.map { Record(kind: Record.Kind(packetType: $0.first ?? 0), sent: $0).withoutKeys }
        switch (recorded, now) {
        case (let recorded?, _) where self.recorded?.octets == sent:
            return """
                the host sent what is in frame \(recorded.frame) too early, at \(time)
                  recorded: \(recorded.title), at \(recorded.timestamp?.description ?? "a time that is not known")
                """
        case (let recorded?, let now?):
            return """
                the host sent something else than in frame \(recorded.frame), at \(time)
                  recorded: \(recorded.title)
                  now:      \(now.title)\(Self.differences(recorded, now))
                """
        case (let recorded?, nil):
            return "the host did not send what is in frame \(recorded.frame) by \(time)\n  recorded: \(recorded.title)"
        case (nil, let now?):
            return "the host sent more than was recorded, at \(time)\n  now:      \(now.title)"
        case (nil, nil): return "the host did something else than was recorded, at \(time)"
        }
    }

    private static func differences(_ recorded: Record, _ now: Record) -> String {
        let fields = differences(recorded.leaves, now.leaves)
        guard fields.isEmpty else { return fields }
        return recorded.octets == now.octets
            ? "\n            in octets that are not shown, as they may be a key"
            : differences(recorded.octets, now.octets)
    }

    /// The fields, by their names, that differ or are in one packet alone.
    private static func differences(_ recorded: [Leaf], _ now: [Leaf]) -> String {
        var lines: [String] = []
        for leaf in recorded {
            let other = now.first { $0.name == leaf.name }
            if other?.text != leaf.text { lines.append("\(leaf.name): \(leaf.text) → \(other?.text ?? "nothing")") }
        }
        for leaf in now where !recorded.contains(where: { $0.name == leaf.name }) {
            lines.append("\(leaf.name): nothing → \(leaf.text)")
        }
        return lines.map { "\n            \($0)" }.joined()
    }

    /// The octets that differ, for packets whose fields say nothing of it.
    private static func differences(_ recorded: [UInt8], _ now: [UInt8]) -> String {
        let places = 0..<max(recorded.count, now.count)
        func text(_ octets: [UInt8], _ place: Int) -> String {
            place < octets.count ? octets[place...place].hexadecimal : "nothing"
        }
        return places.filter { text(recorded, $0) != text(now, $0) }
            .prefix(8).map { "\n            octet \($0): \(text(recorded, $0)) → \(text(now, $0))" }.joined()
    }
}

/// A field that has a value, under the names of those around it.
private struct Leaf {
    var name: String
    var text: String

    static func all(in fields: [DescribedField], within path: String = "") -> [Leaf] {
        fields.enumerated().flatMap { index, field in
            // Several of the same name are told apart by their places.
            let twins = fields[..<index].count { $0.name == field.name }
            let name = path + field.name + (twins > 0 ? " \(twins + 1)" : "")
            let own = field.text.isEmpty ? [] : [Leaf(name: name, text: field.text)]
            return own + all(in: field.children, within: name + " › ")
        }
    }
}

extension Record {
    /// A packet of the host's that was never recorded.
    fileprivate init(kind: Kind, sent packet: [UInt8]) {
        self.init(
            frame: 0, direction: .sent, kind: kind, octets: packet, includedLength: packet.count,
            originalLength: packet.count)
    }

    /// The packet as it may be shown.
    fileprivate var withoutKeys: Record {
        var redactor = Redactor()
        return redactor.redacted(self)
    }

    /// What the packet is, and its octets.
    fileprivate var title: String {
        var dissector = Dissector()
        let name = dissector.dissect(self).name ?? "packet"
        return "\(name)  \(octets.hexadecimal)"
    }

    fileprivate var leaves: [Leaf] {
        var dissector = Dissector()
        return Leaf.all(in: dissector.dissect(self).described(NameMemory()))
    }
}
