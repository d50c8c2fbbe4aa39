import HCI
import SMP
import Wire

/// All advertisers around, and which is heard next. Costs nothing while nobody listens.
struct Air: Sendable {
    private let advertisers: [Advertiser]
    private let toolbox: (any SecurityToolbox)?
    /// The next event of each advertiser while the host listens, else nothing.
    private var schedule = MomentHeap()
    private(set) var isListening = false

    /// How much the listener can fall behind before events are lost to it: a controller's memory is short, a machine's sleep is long.
    private static let memory: Int64 = 60_000_000_000

    /// - Parameter toolbox: makes the private addresses of known keys
    init(_ advertisers: [Advertiser], toolbox: (any SecurityToolbox)?) {
        self.advertisers = advertisers
        self.toolbox = toolbox
    }

    /// Under which address a device advertises.
    func address(of device: Int, at moment: Moment) -> DeviceAddress? {
        advertisers.indices.contains(device) ? advertisers[device].address(at: moment, toolbox) : nil
    }

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
        return (due.moment, advertisers[due.number].advertisement(at: due.moment, toolbox))
    }

    private mutating func schedule(_ number: Int, at moment: Moment) {
        schedule.insert(.init(moment: moment, number: number))
    }
}
