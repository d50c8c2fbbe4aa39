public import GAP
public import Wire

/// One advertisement heard.
public struct Sighting: Hashable, Sendable {
    /// When it came in.
    public var moment: Moment
    /// What was heard.
    public var advertisement: Advertisement
}
