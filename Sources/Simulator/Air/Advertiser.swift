import HCI
import SMP
import Wire

/// When a device advertises, and what. It follows from the plan, a seed and the time, so that nothing has to happen while nobody
/// listens.
struct Advertiser: Hashable, Sendable {
    let plan: AdvertiserPlan
    private let number: Int
    private let noise: Noise
    /// When the device is switched on.
    private let start: Moment
    /// Nanoseconds, at least the 20 ms that the specification allows as the least (Core Vol 6, Part B, 4.4.2.2).
    private let interval: Int64

    init(_ plan: AdvertiserPlan, number: Int, noise: Noise, start: Moment) {
        self.plan = plan
        self.number = number
        self.noise = noise
        self.start = start + plan.appearsAfter
        interval = max(plan.interval.wholeNanoseconds, 20_000_000)
    }

    /// The first advertising event that somebody hears who begins to listen at `moment`.
    func first(after moment: Moment) -> Moment {
        let begin = max(moment, start)
        return begin.later(by: 1 + Int64(noise.branch(1).fraction(place(begin)) * Double(interval)))
    }

    /// The event after the one at `moment`: an interval later and up to 10 ms more, so that two devices never stay in step.
    func next(after moment: Moment) -> Moment {
        moment.later(by: interval + Int64(noise.branch(4).bits(place(moment)) % 10_000_000))
    }

    /// What goes out at `moment`.
    func advertisement(at moment: Moment, _ toolbox: (any SecurityToolbox)?) -> Advertisement {
        Advertisement(
            device: number, sender: address(at: moment, toolbox), form: plan.form, data: plan.data,
            scanResponse: plan.scanResponse,
            level: Int8(clamping: Int(plan.level) + Int(noise.branch(5).deviation(place(moment)) * 8)))
    }

    /// The address in use at `moment`.
    func address(at moment: Moment, _ toolbox: (any SecurityToolbox)?) -> DeviceAddress {
        switch plan.identity {
        case .fixed(let address):
            return address
        case .changing(let period):
            return unknownAddress(bits(at: moment, period))
        case .hidden(let key, let period):
            let bits = bits(at: moment, period)
            let address = try? toolbox?.makeResolvableAddress(with: key, from: bits)
            return address.map { DeviceAddress(.random, $0) } ?? unknownAddress(bits)
        }
    }

    private func unknownAddress(_ bits: UInt64) -> DeviceAddress {
        DeviceAddress(.random, Address(rawValue: bits >> 18 | 0b01 << 46))
    }

    /// What makes the address in use at `moment`: something else each period.
    private func bits(at moment: Moment, _ period: Duration) -> UInt64 {
        let period = max(period.wholeNanoseconds, 1)
        // Not all change at the same time.
        let shift = Int64(noise.fraction(2) * Double(period))
        let epoch = UInt64(bitPattern: (max(moment.nanoseconds(since: start), 0) + shift) / period)
        return noise.branch(3).bits(epoch)
    }

    private func place(_ moment: Moment) -> UInt64 { UInt64(bitPattern: moment.nanoseconds) }
}
