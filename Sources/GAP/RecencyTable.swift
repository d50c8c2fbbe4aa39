/// A dictionary that holds so many entries and no more: the one that was touched least recently makes room.
struct RecencyTable<Key: Hashable & Sendable, Value: Hashable & Sendable>: Hashable, Sendable {
    let capacity: Int

    private var slots: [Slot] = []
    private var places: [Key: Int] = [:]
    private var newest: Int?
    private var oldest: Int?

    /// An entry, in a list from the newest to the oldest.
    private struct Slot: Hashable {
        var key: Key
        var value: Value
        var newer: Int?
        var older: Int?
    }

    /// A capacity below 1 counts as 1.
    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { slots.count }
    var isEmpty: Bool { slots.isEmpty }

    /// Reads without touching.
    subscript(key: Key) -> Value? { places[key].map { slots[$0].value } }

    /// All entries, the newest first.
    var entries: some Sequence<(key: Key, value: Value)> {
        sequence(state: newest) { place in
            guard let here = place else { return nil }
            place = slots[here].older
            return (slots[here].key, slots[here].value)
        }
    }

    /// Sets the value of `key`, touches the entry, and returns the one that had to go for it.
    mutating func set(_ key: Key, to value: Value) -> (key: Key, value: Value)? {
        if let place = places[key] {
            slots[place].value = value
            unlink(place)
            linkAsNewest(place)
            return nil
        }
        if slots.count < capacity {
            places[key] = slots.count
            slots.append(Slot(key: key, value: value))
            linkAsNewest(slots.count - 1)
            return nil
        }
        guard let place = oldest else { return nil }
        let evicted = (slots[place].key, slots[place].value)
        places[evicted.0] = nil
        places[key] = place
        unlink(place)
        slots[place] = Slot(key: key, value: value)
        linkAsNewest(place)
        return evicted
    }

    mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        let value = slots[place].value
        unlink(place)
        moveLastSlot(to: place)
        return value
    }

    mutating func removeAll() { self = Self(capacity: capacity) }

    private mutating func linkAsNewest(_ place: Int) {
        slots[place].newer = nil
        slots[place].older = newest
        if let newest { slots[newest].newer = place }
        newest = place
        if oldest == nil { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (slots[place].newer, slots[place].older)
        if let newer { slots[newer].older = older } else { newest = older }
        if let older { slots[older].newer = newer } else { oldest = newer }
    }

    /// Fills the hole that an unlinked slot leaves, so that the slots stay without one.
    private mutating func moveLastSlot(to place: Int) {
        let moved = slots.removeLast()
        guard place < slots.count else { return }
        slots[place] = moved
        places[moved.key] = place
        if let newer = moved.newer { slots[newer].older = place } else { newest = place }
        if let older = moved.older { slots[older].newer = place } else { oldest = place }
    }
}
