/// What a sensor puts into its measurements, and how often it sends them.
public struct MeasurementPlan: Hashable, Sendable {
    /// Whether the rate takes two octets always, not only where it must.
    public var isWide: Bool
    /// Every how many measurements one tells the energy; 0 for never.
    public var energyEvery: UInt64
    /// Whether the energy told is the number of the measurement, from 1, so that what is lost or comes twice shows.
    public var numbersMeasurements = false
    /// Whether RR intervals are sent.
    public var hasIntervals: Bool
    /// From one measurement to the next.
    public var period: Duration
    /// After how many measurements the sensor gets stuck and repeats the last one for ever; `nil` for never.
    public var freezesAfter: UInt64?

    public init(
        isWide: Bool = false, energyEvery: UInt64 = 10, hasIntervals: Bool = true, period: Duration = .seconds(1),
        freezesAfter: UInt64? = nil
    ) {
        self.freezesAfter = freezesAfter
        self.isWide = isWide
        self.energyEvery = energyEvery
        self.hasIntervals = hasIntervals
        self.period = period
    }
}
