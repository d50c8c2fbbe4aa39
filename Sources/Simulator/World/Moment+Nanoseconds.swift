import Wire

// Durations of the standard library have 128 bits; where millions of advertisements pass, whole nanoseconds do.
extension Moment {
    /// Saturates at the ends of the clock.
    func later(by nanoseconds: Int64) -> Moment {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return Moment(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
    }

    /// Nanoseconds from `moment` to this one; saturates.
    func nanoseconds(since moment: Moment) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(moment.nanoseconds)
        return overflow ? (nanoseconds < moment.nanoseconds ? .min : .max) : difference
    }
}
