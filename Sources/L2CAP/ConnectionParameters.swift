public import Wire

/// What a peripheral asks of its connection's timing (Core Vol 3, Part A, 4.20; the same numbers as in HCI).
public struct ConnectionParameters: Fielded, Hashable {
    /// Shortest connection interval in units of 1.25 ms.
    public var intervalMin: UInt16 = 0
    /// Longest connection interval in units of 1.25 ms.
    public var intervalMax: UInt16 = 0
    /// Connection events that the peripheral may stay away from.
    public var latency: UInt16 = 0
    /// Supervision timeout in units of 10 ms.
    public var timeout: UInt16 = 0

    public init() {}

    public init(intervalMin: UInt16, intervalMax: UInt16, latency: UInt16, timeout: UInt16) {
        self.intervalMin = intervalMin
        self.intervalMax = intervalMax
        self.latency = latency
        self.timeout = timeout
    }

    public mutating func fields<Pass: FieldPass & ~Copyable & ~Escapable>(_ pass: inout Pass) throws(WireError) {
        try pass.uint16("Interval Min", &intervalMin)
        try pass.uint16("Interval Max", &intervalMax)
        try pass.uint16("Latency", &latency)
        try pass.uint16("Timeout", &timeout)
    }
}

extension ConnectionParameters {
    /// Why a link cannot have the parameters.
    public enum Fault: Error, Hashable, Sendable {
        /// An interval outside 7.5 ms to 4 s.
        case intervalOutOfRange
        /// The shortest interval is longer than the longest.
        case intervalsCrossed
        /// A latency above 499.
        case latencyOutOfRange
        /// A supervision timeout outside 100 ms to 32 s.
        case timeoutOutOfRange
        /// The timeout is not longer than twice the longest time between events that both attend.
        case timeoutTooShort
    }

    /// The first rule that the parameters break; `nil` for good ones (Core Vol 4, Part E, 7.8.18).
    ///
    /// Good ones should be granted, whoever asks and however: a sensor that is refused leaves.
    public var fault: Fault? {
        let intervals: ClosedRange<UInt16> = 6...3200
        guard intervals.contains(intervalMin), intervals.contains(intervalMax) else { return .intervalOutOfRange }
        guard intervalMin <= intervalMax else { return .intervalsCrossed }
        guard latency <= 499 else { return .latencyOutOfRange }
        guard 10...3200 ~= timeout else { return .timeoutOutOfRange }
        // timeout · 10 ms > (1 + latency) · interval · 1.25 ms · 2
        guard 4 * Int(timeout) > (1 + Int(latency)) * Int(intervalMax) else { return .timeoutTooShort }
        return nil
    }
}
