import HCI
import Wire

/// When a device advertises, and what. All of it follows from the plan, a seed and the time, so that nothing has to happen while nobody listens.
struct Advertiser: Hashable, Sendable {
    let plan: AdvertiserPlan
    private let number: Int
    private let noise: Noise
    private let start: Moment
    /// Nanoseconds, at least the 20 ms that the specification allows as the least (Core Vol 6, Part B, 4.4.2.2).
    private let interval: Int64

    init(_ plan: AdvertiserPlan, number: Int, noise: Noise, start: Moment) {
        self.plan = plan
        self.number = number
        self.noise = noise
        interval = max(plan.interval.wholeNanoseconds, 20_000_000)
        self.start = start + plan.appearsAfter + .nanoseconds(Int64(noise.fraction(0) * Double(interval)))
    }

    /// The first advertising event after `moment`.
    func next(after moment: Moment) -> Moment {
        guard moment >= start else { return time(of: 0) }
        var index = (moment - start).wholeNanoseconds / interval
        while time(of: index) <= moment { index += 1 }
        return time(of: index)
    }

    /// What goes out at `moment`.
    func advertisement(at moment: Moment) -> Advertisement {
        let index = UInt64(bitPattern: max((moment - start).wholeNanoseconds, 0) / interval)
        return Advertisement(
            device: number, sender: address(at: moment), form: plan.form, data: plan.data,
            scanResponse: plan.scanResponse,
            level: Int8(clamping: Int(plan.level) + Int(noise.branch(1).deviation(index) * 8)))
    }

    /// The address in use at `moment`.
    func address(at moment: Moment) -> DeviceAddress {
        switch plan.identity {
        case .fixed(let address):
            return address
        case .changing(let period):
            let period = max(period.wholeNanoseconds, 1)
            // Not all change at the same time.
            let shift = Int64(noise.fraction(2) * Double(period))
            let epoch = UInt64(bitPattern: (max((moment - start).wholeNanoseconds, 0) + shift) / period)
            return DeviceAddress(.random, Address(rawValue: noise.branch(3).bits(epoch) >> 18 | 0b01 << 46))
        }
    }

    /// Each event comes up to 10 ms late, so that two advertisers never stay in step.
    private func time(of index: Int64) -> Moment {
        let delay = Int64(noise.branch(4).bits(UInt64(bitPattern: index)) % 10_000_000)
        let (offset, overflow) = index.multipliedReportingOverflow(by: interval)
        return overflow ? Moment(nanoseconds: .max) : start + .nanoseconds(offset &+ delay)
    }
}
