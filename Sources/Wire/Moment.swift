/// A point on the clock that never runs backwards and goes on while the machine sleeps, in nanoseconds since the machine started.
///
/// Everything above the transports takes the time as an argument, so that a test needs no waiting.
public struct Moment: Hashable, Sendable, Comparable {
    /// Nanoseconds since the machine started, or since the beginning of virtual time.
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The machine's start.
    public static let zero = Moment(nanoseconds: 0)

    public static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Saturates at the ends of the clock.
    public static func + (moment: Moment, duration: Duration) -> Moment {
        let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return Moment(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// The time from `right` to `left`.
    public static func - (left: Moment, right: Moment) -> Duration {
        let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        return .nanoseconds(overflow ? (left < right ? .min : .max) : difference)
    }
}

extension Duration {
    /// The duration in nanoseconds; saturates after 292 years.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowToo) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || overflowToo ? (seconds < 0 ? .min : .max) : sum
    }
}
