public import GATT
public import HCI
public import HeartRate
public import Wire

/// Something that the host in a capture saw.
public struct SessionEvent: Hashable, Sendable {
    /// The record that told.
    public var frame: Int
    /// `nil` in a capture without times.
    public var time: Timestamp?
    /// The device at the other end; `nil` where the capture does not tell.
    public var peer: DeviceAddress?
    /// What happened.
    public var content: Content

    /// What a capture's host can have seen.
    public enum Content: Hashable, Sendable {
        case link(LinkReport)
        /// What the peer serves, as far as the host asked.
        case services(Database)
        case device(DeviceReport)
        case heartRate(HeartRateMeasurement)
        /// How the link is protected, or why it is not: what the two agreed on, the end of a pairing, and what became of encryption.
        case security(SecurityStep)
        /// Measurements may be missing between two times; `nil` where the capture has none.
        case gap(from: Timestamp?, to: Timestamp?, reason: String)
    }
}

/// Where a link stands.
public struct LinkReport: Hashable, Sendable {
    /// How the link stands now.
    public var state: State
    /// Why it ended, or why it never came about; `nil` where nothing says so.
    public var reason: Status?
    /// How often the two sides meet.
    public var interval: ConnectionInterval?
    /// Meetings that the peripheral may pass over.
    public var latency: UInt16?
    /// How long the two sides may miss each other.
    public var supervisionTimeout: SupervisionTimeout?
    /// The larger PDUs agreed on; `nil` where both ends left it at 23 or the capture does not tell.
    public var mtu: UInt16?

    /// The states of a link.
    public enum State: String, Hashable, Sendable {
        case connecting, connected, subscribed, disconnected, reconnecting
    }
}

/// What a sensor told of itself.
public struct DeviceReport: Hashable, Sendable {
    /// What the Device Information service says.
    public var information = DeviceInformation()
    public var name: String?
    /// Where the sensor is worn.
    public var sensorLocation: BodySensorLocation?
    /// How full the battery is.
    public var battery: BatteryLevel?
}
