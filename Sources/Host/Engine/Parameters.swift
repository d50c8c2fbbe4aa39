public import HCI

/// How to scan (Core Vol 4, Part E, 7.8.10).
public struct ScanParameters: Hashable, Sendable {
    /// Whether scan responses are asked for, which often hold the name.
    public var isActive: Bool
    /// How often a scan window begins.
    public var interval: ScanTime
    /// How long each window is; at most the interval.
    public var window: ScanTime
    /// Under which of the host's addresses scan responses are asked for.
    var ownAddress = OwnAddressUse.identity

    public init(isActive: Bool, interval: ScanTime, window: ScanTime) {
        self.isActive = isActive
        self.interval = interval
        self.window = window
    }

    /// What the Heart Rate Profile recommends for the first 30 s: a 30 ms window every 60 ms (HRP 1.0, 5.2.1).
    public static func fast(isActive: Bool) -> ScanParameters {
        ScanParameters(isActive: isActive, interval: ScanTime(.milliseconds(60)), window: ScanTime(.milliseconds(30)))
    }

    /// Afterwards: a 30 ms window every 300 ms. The profile's own advice, 11.25 ms every 1.28 s, is for what runs on a battery: a strap
    /// that advertises once a second would be found in two minutes.
    public static func relaxed(isActive: Bool) -> ScanParameters {
        ScanParameters(isActive: isActive, interval: ScanTime(.milliseconds(300)), window: ScanTime(.milliseconds(30)))
    }

    /// How long the fast parameters are kept.
    public static let fastPeriod: Duration = .seconds(30)
}

/// The parameters a connection is asked for with (Core Vol 4, Part E, 7.8.12).
public struct InitialParameters: Hashable, Sendable {
    /// How often the two sides may meet.
    public var intervals: ClosedRange<ConnectionInterval>
    /// Connection events the peripheral may skip.
    public var latency: UInt16
    /// How long the two sides may miss each other.
    public var supervisionTimeout: SupervisionTimeout
    /// Which of the host's addresses the connection is made with; `nil` where the host decides: a private one where the peer knows it by
    /// that, or where bonds exist.
    public var ownAddress: OwnAddressUse?
    /// Whether the link to a bonded peer is encrypted with the bond's key before anything else. Without, nothing is asked of it before it
    /// has been paired with anew.
    public var usesBond = true

    public init(
        intervals: ClosedRange<ConnectionInterval>, latency: UInt16, supervisionTimeout: SupervisionTimeout
    ) {
        self.intervals = intervals
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    /// How the controller listens for the peer while it initiates: all the time, since the user waits.
    static let scanInterval = ScanTime(.milliseconds(60))
    static let scanWindow = ScanTime(.milliseconds(60))

    /// What the Heart Rate Profile recommends: 50 to 70 ms (HRP 1.0, 5.2.2), with 5 s until a lost link is given up.
    public static let heartRate = InitialParameters(
        intervals: ConnectionInterval(.milliseconds(50))...ConnectionInterval(.milliseconds(70)), latency: 0,
        supervisionTimeout: SupervisionTimeout(.seconds(5)))
}
