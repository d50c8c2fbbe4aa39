public import HCI
public import Host
public import Wire

/// What a heart-rate monitor tells of one strap.
public enum HeartRateEvent: Hashable, Sendable {
    case link(LinkState, Moment)
    /// What the strap says of itself; told again, whole, when a part of it changes.
    case details(StrapDetails)
    case measurement(HeartRateMeasurement, Moment)
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

    /// A span of time in which measurements may have been missed.
    public struct Gap: Hashable, Sendable {
        /// When the last measurement came, or the gap began to be possible.
        public var from: Moment
        /// When measurements came again.
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
            /// The link lasted and nothing came: the strap was silent, or the machine asleep.
            case silence
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
