public import Wire

/// How long a strap has been sending the same measurement: for too long, and it is stuck and measures no more.
public struct Repetition: Hashable, Sendable {
    /// How long a measurement with RR intervals may be repeated to the octet. The time between beats is told in 1/1024 s, and no heart
    /// keeps it for half a minute, not even a paced one as a strap measures it.
    static let longestSameIntervals: Duration = .seconds(30)
    /// The same where the heart rate stands alone: a whole number, smoothed, that may well stay the same in sleep.
    static let longestSameRate: Duration = .seconds(600)
    /// Fewer measurements than this say nothing, however far apart.
    static let fewest = 6

    private var last: HeartRateMeasurement?
    /// When the measurement came first.
    private(set) var since = Moment.zero
    private var latest = Moment.zero
    /// How often it came in a row.
    public private(set) var count = 0

    public init() {}

    /// Whether the strap is stuck.
    public var isStuck: Bool {
        // Without a heart rate there is nothing to be stuck at.
        guard let last, last.beatsPerMinute != nil, count >= Self.fewest else { return false }
        return latest - since >= (last.intervals.isEmpty ? Self.longestSameRate : Self.longestSameIntervals)
    }

    /// A measurement came.
    public mutating func take(_ measurement: HeartRateMeasurement, at moment: Moment) {
        if last?.raw != measurement.raw {
            since = moment
            count = 0
        }
        last = measurement
        latest = moment
        count += 1
    }
}
