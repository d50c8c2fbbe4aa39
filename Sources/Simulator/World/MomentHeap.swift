import Wire

/// Numbers in the order of their moments; at the same moment, the least number first.
struct MomentHeap: Hashable, Sendable {
    struct Entry: Hashable, Sendable, Comparable {
        var moment: Moment
        var number: Int

        static func < (left: Entry, right: Entry) -> Bool {
            left.moment == right.moment ? left.number < right.number : left.moment < right.moment
        }
    }

    /// A binary heap: no entry is before the one at half its place.
    private var entries: [Entry] = []

    var first: Entry? { entries.first }

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var place = entries.count - 1
        while place > 0, entries[place] < entries[(place - 1) / 2] {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func removeFirst() -> Entry? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return first
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    private mutating func sink() {
        var place = 0
        while 2 * place + 1 < entries.count {
            var child = 2 * place + 1
            if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
            guard entries[child] < entries[place] else { return }
            entries.swapAt(place, child)
            place = child
        }
    }
}
