import Wire

/// A battery that loses one percent every 20 minutes. An empty one is changed for a new one.
struct Battery: Hashable, Sendable {
    private let percent: UInt8
    private let start: Moment
    /// How many changes were told.
    private var told: Int64 = 0

    private static let step = Duration.seconds(20 * 60)

    init(percent: UInt8, start: Moment) {
        self.percent = min(percent, 100)
        self.start = start
    }

    /// Percent, 1 to 100.
    func level(at now: Moment) -> UInt8 {
        let level = Int64(percent) - changes(until: now)
        return UInt8(clamping: level > 0 ? level : 100 + level % 100)
    }

    /// When the level changes after the last change told.
    var nextChange: Moment { start + Self.step * Int(told + 1) }

    /// The level at `now` is told.
    mutating func tell(at now: Moment) { told = changes(until: now) }

    private func changes(until now: Moment) -> Int64 {
        max(now.nanoseconds(since: start), 0) / Self.step.wholeNanoseconds
    }
}
