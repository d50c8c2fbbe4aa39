/// Names one request to the engine until its answer comes. The asker chooses it and never uses one twice.
public struct Ticket: RawRepresentable, Hashable, Sendable, Comparable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static func < (left: Ticket, right: Ticket) -> Bool { left.rawValue < right.rawValue }
}
