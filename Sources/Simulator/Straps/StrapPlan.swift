public import ATT
public import HCI
import Wire

/// A heart-rate strap: what it is, how it measures, and in which ways it is difficult.
public struct StrapPlan: Hashable, Sendable {
    /// What makes it known on air.
    public var address: DeviceAddress
    public var name: String
    /// How often it takes another address, a private one; `nil` for never.
    public var changesAddressEvery: Duration?
    /// What its advertisements allow.
    public var advertises = AdvertiserPlan.Form.connectable
    /// Whether they name the Heart Rate service.
    public var advertisesService = true
    /// From one advertisement to the next.
    public var advertisingInterval = Duration.milliseconds(100)
    /// In dBm, as the host hears it on average.
    public var level: Int8 = -58
    /// How long after the start it is switched on.
    public var appearsAfter = Duration.zero

    /// What it measures.
    public var heart = HeartPlan.person
    /// When the strap has skin contact.
    public var contact = ContactPlan.always
    /// What its measurements hold.
    public var measurement = MeasurementPlan()
    /// Percent, at the start; it falls by one every 20 minutes.
    public var battery: UInt8 = 91

    /// What its GATT server holds besides 2A37, and how it behaves.
    public var offers: Offers = .all
    /// The longest ATT PDU in octets that it takes.
    public var mtu: UInt16 = 247
    /// The error with which it refuses notifications; `nil` where it allows them.
    public var refusesSubscription: ErrorCode?
    /// How its heart-rate service is built.
    public var layout = HeartRateLayout.usual
    /// In which ways it breaks the rules.
    public var misconduct = Misconduct()

    /// What protection it demands and how it pairs; `nil` for a strap that does not pair.
    public var security: SecurityPlan?

    /// When its attributes change; `nil` for never.
    public var databaseChange: DatabaseChange?

    /// When it asks for other connection parameters; `nil` for never.
    public var parameterWish: ParameterWish? = .afterHalfAMinute
    /// How and when it goes away by itself; `nil` for never.
    public var departure: Departure?

    /// What is known of a peripheral that somebody met before, in place of all that the rest of the plan says it advertises, holds
    /// and measures; `nil` for a strap that is made up.
    public var recorded: RecordedPeripheral?

    public init(address: DeviceAddress, name: String) {
        self.address = address
        self.name = name
    }

    /// The parts of its database that a strap may lack.
    public struct Offers: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// 180D; without it the device is no heart-rate sensor at all.
        public static let heartRate = Offers(rawValue: 1 << 0)
        /// 2A38.
        public static let location = Offers(rawValue: 1 << 1)
        /// 2A39.
        public static let controlPoint = Offers(rawValue: 1 << 2)
        /// 180A.
        public static let deviceInformation = Offers(rawValue: 1 << 3)
        /// 180F.
        public static let battery = Offers(rawValue: 1 << 4)
        /// 2A05.
        public static let serviceChanged = Offers(rawValue: 1 << 5)
        /// 2B2A. Not among `all`: straps that have it are few.
        public static let databaseHash = Offers(rawValue: 1 << 6)

        /// Every service.
        public static let all: Offers = [
            .heartRate, .location, .controlPoint, .deviceInformation, .battery, .serviceChanged,
        ]
    }

    /// A wish for other connection parameters. A strap whose wish is refused, or not heard, leaves.
    public struct ParameterWish: Hashable, Sendable {
        /// How the strap asks.
        public enum Channel: Hashable, Sendable {
            /// L2CAP's Connection Parameter Update Request (Core Vol 3, Part A, 4.20).
            case signaling
            /// The link layer's own request, which the host meets as LE Remote Connection Parameter Request.
            case linkLayer
        }

        /// From the connection to the request.
        public var after: Duration
        /// From the request until the strap gives up.
        public var patience: Duration
        /// How the request is made.
        public var channel: Channel
        /// The intervals that it asks for.
        public var intervals: ClosedRange<ConnectionInterval>
        /// Meetings that it wants to pass over.
        public var latency: UInt16
        /// The supervision timeout that it asks for.
        public var supervisionTimeout: SupervisionTimeout

        public init(
            after: Duration, patience: Duration, channel: Channel, intervals: ClosedRange<ConnectionInterval>,
            latency: UInt16 = 0, supervisionTimeout: SupervisionTimeout
        ) {
            self.after = after
            self.patience = patience
            self.channel = channel
            self.intervals = intervals
            self.latency = latency
            self.supervisionTimeout = supervisionTimeout
        }

        /// What a widespread strap does: after 30 s it wants 312.5 to 500 ms and 6 s, and waits half a minute for it.
        public static let afterHalfAMinute = ParameterWish(
            after: .seconds(30), patience: .seconds(30), channel: .signaling,
            intervals: ConnectionInterval(rawValue: 250)...ConnectionInterval(rawValue: 400),
            supervisionTimeout: SupervisionTimeout(.seconds(6)))
    }

    /// A strap goes away.
    public struct Departure: Hashable, Sendable {
        /// When.
        public enum Moment: Hashable, Sendable {
            /// As soon as it is connected: the connection is never established.
            case atConnection
            /// Instead of answering the ATT request of this number, from 1.
            case atRequest(Int)
            /// After so many measurements.
            case afterMeasurements(Int)
            /// After about this time connected.
            case after(Duration)
            /// Once it has not felt skin for this time; `contact` must tell.
            case withoutContact(Duration)
        }

        /// How.
        public enum Manner: Hashable, Sendable {
            /// It ends the link with this reason.
            case leaving(Status)
            /// It is not heard any more: switched off, or out of reach.
            case vanishing
        }

        /// When.
        public var moment: Moment
        /// In which way.
        public var manner: Manner
        /// How long it stays away; `nil` for good.
        public var returnsAfter: Duration?
        /// How often it does so; `nil` for every time.
        public var times: Int?

        public init(_ moment: Moment, _ manner: Manner, returnsAfter: Duration?, times: Int? = nil) {
            self.moment = moment
            self.manner = manner
            self.returnsAfter = returnsAfter
            self.times = times
        }
    }
}
