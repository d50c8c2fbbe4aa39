import Capture

extension CaptureLosses {
    /// What was lost, as in `3 notes and 2 SCO packets`; `nil` where nothing was.
    var text: String? {
        let parts = Kind.allCases.compactMap { kind in counts[kind].map { kind.text($0) } }
        guard let last = parts.last else { return nil }
        return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension CaptureLosses.Kind {
    fileprivate func text(_ count: Int) -> String {
        func counted(_ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
        let records = counted("record", "records")
        switch self {
        case .notes: return counted("note", "notes")
        case .scoPackets: return counted("SCO packet", "SCO packets")
        case .isoPackets: return counted("ISO packet", "ISO packets")
        case .unassignedPackets: return counted("packet of no known type", "packets of no known type")
        case .emptyRecords: return counted("record without a packet", "records without a packet")
        case .foreignPackets: return counted("packet of another protocol", "packets of other protocols")
        case .brokenPackets: return counted("packet of a wrong length", "packets of a wrong length")
        case .times: return "the times of \(records)"
        case .nanoseconds: return "the nanoseconds of \(records)"
        case .directions: return "the directions of \(records)"
        case .adapters: return "the adapters of \(records)"
        case .comments: return counted("comment", "comments")
        case .originalLengths: return "the original lengths of \(records)"
        case .drops: return "the count of " + counted("lost packet", "lost packets")
        }
    }
}
