public import GAP
public import Wire

/// One advertisement heard.
public struct Sighting: Hashable, Sendable {
    public var moment: Moment
    public var advertisement: Advertisement
}
