/// How a simulated heart beats.
public struct HeartPlan: Hashable, Sendable {
    /// Beats per minute around which the rate moves.
    public var rate: Double
    /// How far, in beats per minute, effort and rest carry it away from there.
    public var swing: Double
    /// How much single intervals differ from the rate, as a part of the interval: breathing and chance.
    public var variability: Double

    public init(rate: Double = 74, swing: Double = 14, variability: Double = 0.05) {
        self.rate = rate
        self.swing = swing
        self.variability = variability
    }

    /// A person, at rest and up again.
    public static let person = HeartPlan()
    /// Faster than 8 bits can tell: a small animal's.
    public static let mouse = HeartPlan(rate: 420, swing: 90, variability: 0.03)
}

/// Whether a sensor knows if it touches skin, and whether it does.
public enum ContactPlan: Hashable, Sendable {
    /// The sensor cannot tell, and always measures.
    case unsupported
    case always
    /// On the skin for `worn`, off it for `off`, and again.
    case changing(worn: Duration, off: Duration)
    /// The same in a sensor that cannot tell: it says 0 beats per minute.
    case changingUntold(worn: Duration, off: Duration)
}
