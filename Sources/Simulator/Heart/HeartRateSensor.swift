import HeartRate
import Wire

/// Turns a heart's beats into the measurements that a strap notifies (Heart Rate Service 1.0, 3.1).
struct HeartRateSensor: Hashable, Sendable {
    /// What the sensor puts into its measurements.
    private let plan: MeasurementPlan
    private let contact: ContactPlan
    private let start: Moment
    private var heart: Heart

    /// Intervals not yet sent.
    private var waiting: [RRInterval] = []
    /// The last few intervals, from which the rate is taken: sensors smooth it.
    private var recent: [RRInterval] = []
    /// Kilojoules since the last reset.
    private var energy = 0.0
    private var sent: UInt64 = 0
    /// The value notified last.
    private var last: [UInt8] = []
    /// Up to where beats were counted.
    private var counted: Moment

    /// A sensor drops the oldest intervals when nobody fetches them (Heart Rate Service 1.0, 3.1.1.4).
    private static let mostWaiting = 32

    init(_ plan: MeasurementPlan, heart: HeartPlan, contact: ContactPlan, noise: Noise, start: Moment) {
        self.plan = plan
        self.contact = contact
        self.start = start
        self.heart = Heart(heart, noise: noise, start: start)
        counted = start
    }

    /// Control point 1.
    mutating func resetEnergy() { energy = 0 }

    /// Forgets what was measured while nobody listened: a subscriber wants no news from yesterday.
    mutating func beginStreaming(at now: Moment) {
        count(until: now)
        waiting.removeAll(keepingCapacity: true)
    }

    /// What the sensor says of its touching skin; `nil` where it cannot tell.
    func contact(at now: Moment) -> Bool? {
        switch contact {
        case .unsupported, .changingUntold: nil
        case .always, .changing: feels(at: now)
        }
    }

    /// Whether the sensor touches skin.
    private func feels(at now: Moment) -> Bool {
        switch contact {
        case .unsupported, .always: true
        case .changing(let worn, let off), .changingUntold(let worn, let off):
            now.nanoseconds(since: start) % max((worn + off).wholeNanoseconds, 1) < worn.wholeNanoseconds
        }
    }

    /// The first time after `moment` at which no skin has been felt for `duration`; `nil` for never.
    func lossOfContact(after moment: Moment, lasting duration: Duration) -> Moment? {
        guard case .changing(let worn, let off) = contact, duration <= off else { return nil }
        let period = max((worn + off).wholeNanoseconds, 1)
        let loss = (worn + duration).wholeNanoseconds
        let cycle = max(moment.nanoseconds(since: start) - loss, -1) / period + 1
        return start.later(by: (moment.nanoseconds(since: start) <= loss ? 0 : cycle * period) + loss)
    }

    /// The value to notify now, at most `room` octets; intervals that do not fit wait for the next one.
    mutating func measurement(at now: Moment, room: Int) -> [UInt8] {
        count(until: now)
        if isStuck { return last }
        last = newMeasurement(at: now, room: room)
        return last
    }

    private var isStuck: Bool { plan.freezesAfter.map { sent >= $0 && !last.isEmpty } ?? false }

    private mutating func newMeasurement(at now: Moment, room: Int) -> [UInt8] {
        let contact = contact(at: now)
        guard feels(at: now) else { return HeartRateMeasurement(beatsPerMinute: nil, contact: contact).encoded() }
        sent &+= 1
        let tellsEnergy = plan.energyEvery > 0 && sent.isMultiple(of: plan.energyEvery)
        let energyNow = plan.numbersMeasurements ? UInt16(truncatingIfNeeded: sent) : UInt16(clamping: Int(energy))
        let energyExpended = tellsEnergy ? energyNow : nil
        let fitting = plan.hasIntervals ? waiting.prefix(capacity(room: room)) : []
        waiting.removeFirst(plan.hasIntervals ? fitting.count : waiting.count)
        return HeartRateMeasurement(
            beatsPerMinute: rate, contact: contact, energyExpended: energyExpended, intervals: Array(fitting)
        ).encoded(wideRate: plan.isWide)
    }

    /// Whether another measurement could be filled with the intervals that wait.
    func hasBacklog(room: Int) -> Bool {
        !isStuck && plan.hasIntervals && waiting.count >= max(capacity(room: room), 1)
    }

    /// How many intervals fit into a measurement of so many octets: never more than nine (Heart Rate Profile 1.0, 4.5).
    private func capacity(room: Int) -> Int {
        let others = 1 + (plan.isWide ? 2 : 1) + (plan.energyEvery > 0 ? 2 : 0)
        return min(max(0, room - others) / 2, 9)
    }

    private mutating func count(until now: Moment) {
        guard now > counted else { return }
        let intervals = heart.beat(until: now, limit: Self.mostWaiting)
        if !feels(at: now) {
            waiting.removeAll(keepingCapacity: true)
            recent.removeAll(keepingCapacity: true)
        } else {
            waiting = Array((waiting + intervals).suffix(Self.mostWaiting))
            recent = Array((recent + intervals).suffix(5))
            let minutes = Double(now.nanoseconds(since: counted)) / 60e9
            energy = min(energy + minutes * Double(rate ?? 0) * 0.35, Double(UInt16.max))
        }
        counted = now
    }

    /// Beats per minute over the last intervals; `nil` before the first.
    private var rate: UInt16? {
        guard !recent.isEmpty else { return nil }
        let ticks = recent.reduce(0) { $0 + Int($1.ticks) }
        return UInt16(clamping: (60 * 1024 * recent.count + ticks / 2) / max(ticks, 1))
    }
}
