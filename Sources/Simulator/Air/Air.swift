import Wire

/// All advertisers around, and which is heard next. Costs nothing while nobody listens.
struct Air: Hashable, Sendable {
    private(set) var advertisers: [Advertiser]
    /// The next event of each advertiser while the host listens, else nothing.
    private var schedule = MomentHeap()
    private(set) var isListening = false

    /// How much the listener can fall behind before events are lost to it: a controller's memory is short, a machine's sleep is long.
    private static let memory: Int64 = 60_000_000_000

    init(_ advertisers: [Advertiser]) { self.advertisers = advertisers }

    var nextDeadline: Moment? { schedule.first?.moment }

    /// The antenna is switched on, or off.
    mutating func listen(_ isListening: Bool, at now: Moment) {
        guard isListening != self.isListening else { return }
        self.isListening = isListening
        schedule.removeAll()
        guard isListening else { return }
        for number in advertisers.indices { schedule(number, at: advertisers[number].first(after: now)) }
    }

    /// The next event up to `now`.
    mutating func next(upTo now: Moment) -> (moment: Moment, advertisement: Advertisement)? {
        guard let due = schedule.first, due.moment <= now, schedule.removeFirst() != nil else { return nil }
        schedule(due.number, at: advertisers[due.number].next(after: max(due.moment, now.later(by: -Self.memory))))
        return (due.moment, advertisers[due.number].advertisement(at: due.moment))
    }

    private mutating func schedule(_ number: Int, at moment: Moment) {
        schedule.insert(.init(moment: moment, number: number))
    }
}
