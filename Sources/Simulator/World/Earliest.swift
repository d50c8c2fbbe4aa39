import Wire

/// The earliest of several moments, some of which may not be set.
struct Earliest {
    private(set) var moment: Moment?

    init(_ moment: Moment? = nil) { self.moment = moment }

    mutating func consider(_ other: Moment?) {
        guard let other else { return }
        if let moment, moment <= other { return }
        moment = other
    }
}
