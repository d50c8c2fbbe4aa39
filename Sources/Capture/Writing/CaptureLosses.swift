/// What a format could not hold of a capture, with counts.
public struct CaptureLosses: Hashable, Sendable {
    /// How much of each kind; what nothing was lost of is not in it.
    public private(set) var counts: [Kind: Int] = [:]

    public init() {}

    /// A kind of thing that can be lost.
    public enum Kind: Hashable, Sendable, CaseIterable {
        // Records as a whole.
        case notes, scoPackets, isoPackets, unassignedPackets, emptyRecords, foreignPackets
        /// Packets that do not have the length they claim; without a container the next one could not be found.
        case brokenPackets
        // Details of records that are there.
        case times, nanoseconds, directions, adapters, comments, originalLengths
        /// Counted are the packets that the recorder had lost, not the records that tell of them.
        case drops
    }

    mutating func count(record kind: Record.Kind) {
        switch kind {
        case .note, .loggerNote: counts[.notes, default: 0] += 1
        case .sco: counts[.scoPackets, default: 0] += 1
        case .iso: counts[.isoPackets, default: 0] += 1
        case .unassigned: counts[.unassignedPackets, default: 0] += 1
        case .empty: counts[.emptyRecords, default: 0] += 1
        case .foreign: counts[.foreignPackets, default: 0] += 1
        case .command, .event, .acl: counts[.brokenPackets, default: 0] += 1
        }
    }

    mutating func count(_ lost: RecordDetails, of record: Record) {
        let kinds: [(RecordDetails, Kind, Int)] = [
            (.time, .times, 1), (.nanoseconds, .nanoseconds, 1), (.direction, .directions, 1), (.adapter, .adapters, 1),
            (.comments, .comments, record.comments.count), (.originalLength, .originalLengths, 1),
        ]
        for (detail, kind, amount) in kinds where lost.contains(detail) { counts[kind, default: 0] += amount }
        if lost.contains(.drops) { counts[.drops] = max(counts[.drops] ?? 0, Int(record.cumulativeDrops)) }
    }
}
