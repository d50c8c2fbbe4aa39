import Wire

/// The time between two beats in ticks of 1/1024 s (Heart Rate Service 1.0, 3.1.1.4).
public struct RRInterval: Hashable, Sendable {
    /// The number as sent, in 1/1024 s.
    public var ticks: UInt16

    public init(ticks: UInt16) { self.ticks = ticks }

    /// The interval in milliseconds, exact.
    public var milliseconds: Double { Double(ticks) * 125 / 128 }

    /// The interval to the nearest microsecond.
    public var microseconds: Int { (Int(ticks) * 1_000_000 + 512) / 1024 }

    /// The interval as a `Duration`, to the nearest nanosecond.
    public var duration: Duration { .nanoseconds((Int64(ticks) * 1_000_000_000 + 512) / 1024) }
}

extension RRInterval: CustomStringConvertible {
    /// Milliseconds with one to three decimals, as many as there are: `750.0`, `799.805`.
    public var description: String {
        var text: [UInt8] = []
        text.append(thousandths: microseconds)
        return String(decoding: text, as: UTF8.self)
    }
}
