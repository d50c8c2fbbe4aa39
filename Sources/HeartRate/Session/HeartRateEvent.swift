public import HCI
public import Host
public import Wire

/// What a heart-rate monitor tells of one strap.
public enum HeartRateEvent: Hashable, Sendable {
    case link(LinkState, Moment)
    /// What the strap says of itself; told again, whole, when a part of it changes, or may have with the strap's attributes.
    case details(StrapDetails)
    case measurement(HeartRateMeasurement, Moment)
    /// The link lasts, and what was measured last is no longer true. A gap tells the end of it.
    case stale(Staleness)
    /// Measurements may have been missed.
    case gap(Gap)

    /// The state of the link to the strap.
    public enum LinkState: Hashable, Sendable {
        case searching
        case connecting(DeviceAddress)
        case connected(Connection)
        /// Measurements will come from now on.
        case subscribed(Connection)
        /// Why is told where the link itself ended; it is `nil` where the controller went away with all its links.
        case disconnected(DeviceAddress, Status?)
        case reconnecting(DeviceAddress)
    }

    /// How a heart rate has gone stale while the link lasts.
    public struct Staleness: Hashable, Sendable {
        /// What is wrong.
        public enum Kind: Hashable, Sendable {
            /// Nothing comes.
            case silent
            /// The last measurement is sent again and again.
            case frozen
        }

        /// What is wrong.
        public var kind: Kind
        /// When the heart rate was last known to be true.
        public var since: Moment
        /// When it was certain.
        public var noticed: Moment
    }

    /// A span of time in which measurements may have been missed.
    public struct Gap: Hashable, Sendable {
        /// When the last measurement came, or the gap began to be possible.
        public var from: Moment
        /// When measurements came again, or could.
        public var to: Moment
        /// What kept them away.
        public var reason: Reason

        public init(from: Moment, to: Moment, reason: Reason) {
            self.from = from
            self.to = to
            self.reason = reason
        }

        /// What keeps measurements away.
        public enum Reason: Hashable, Sendable {
            case linkLost(Status)
            /// The adapter went away and came back.
            case adapterLost
            /// The controller had a failure of its own, or forgot its connections, and was made ready again.
            case adapterReset
            /// The link lasted and nothing came.
            case silence
            /// The link lasted and the same measurement came again and again.
            case frozen
            /// This machine was asleep, or the program was stopped.
            case suspended
            /// The reader of the events was too slow for so many measurements.
            case readerTooSlow(Int)
        }
    }
}

/// What a strap says of itself, as far as it does. Nothing but the heart rate is required of a strap.
public struct StrapDetails: Hashable, Sendable {
    /// What the Device Information service says.
    public var information = DeviceInformation()
    /// Where the sensor is worn.
    public var sensorLocation: BodySensorLocation?
    /// How full the battery is.
    public var battery: BatteryLevel?

    public init() {}
}
