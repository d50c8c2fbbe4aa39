/// Names one request to the engine until its answer comes. The asker chooses it and never uses one twice.
public struct Ticket: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
}
