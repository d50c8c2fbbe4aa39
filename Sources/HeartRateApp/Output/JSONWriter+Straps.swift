import HCI
import HeartRate
import Host
import SMP
import Wire

// The events of `connect` and `replay`, each the content of one object. Keys and units are fixed: scripts rely on them.

extension JSONWriter {
    /// What the events about one strap have in common.
    mutating func event(_ name: StaticString, at time: Timestamp? = nil, address: Address? = nil) {
        key("event")
        string(name)
        if let time {
            key("time")
            timestamp(time)
        }
        if let address {
            key("address")
            self.address(address)
        }
    }

    /// A reason or an error: its number and its name.
    mutating func reason(_ status: Status) {
        key("reason")
        object { writer in
            writer.key("code")
            writer.integer(status.rawValue)
            writer.key("name")
            writer.string(status.description)
        }
    }

    /// The parameters of a connection, as far as they are known.
    mutating func connection(
        interval: ConnectionInterval?, latency: UInt16?, supervisionTimeout: SupervisionTimeout?, mtu: Int?
    ) {
        if let interval {
            key("interval_ms")
            thousandths(Int(interval.rawValue) * 1250)
        }
        if let latency {
            key("latency")
            integer(latency)
        }
        if let supervisionTimeout {
            key("supervision_timeout_ms")
            integer(Int(supervisionTimeout.rawValue) * 10)
        }
        if let mtu {
            key("mtu")
            integer(mtu)
        }
    }

    /// The content of one measurement; what the sensor did not say is absent.
    mutating func measurement(_ measurement: HeartRateMeasurement) {
        if let rate = measurement.beatsPerMinute {
            key("bpm")
            integer(rate)
        }
        if let contact = measurement.contact {
            key("contact")
            bool(contact)
        }
        if let energy = measurement.energyExpended {
            key("energy_kj")
            integer(energy)
        }
        key("rr_ticks")
        array { writer in for interval in measurement.intervals { writer.integer(interval.ticks) } }
        key("rr_ms")
        array { writer in
            for interval in measurement.intervals { writer.thousandths((Int(interval.ticks) * 1_000_000 + 512) / 1024) }
        }
        key("raw")
        hexadecimal(measurement.raw)
        if let malformed = measurement.malformed {
            key("malformed")
            string(malformed)
        }
    }

    /// The state of the link to a strap.
    mutating func link(_ link: HeartRateEvent.LinkState, at time: Timestamp, address: Address?) {
        key("event")
        string("link")
        key("state")
        string(link.name)
        key("time")
        timestamp(time)
        if let address {
            key("address")
            self.address(address)
        }
        switch link {
        case .disconnected(_, let status?): reason(status)
        case .connected(let connection), .subscribed(let connection):
            self.connection(
                interval: connection.interval, latency: connection.latency,
                supervisionTimeout: connection.supervisionTimeout, mtu: connection.mtu)
            if connection.security.level > .none {
                key("security")
                string(connection.security.level.word)
            }
        case .searching, .connecting, .disconnected, .reconnecting: break
        }
    }

    /// A span of time in which measurements may have been missed.
    mutating func gap(from: Timestamp, to: Timestamp, reason: String, address: Address?) {
        event("gap", address: address)
        key("from")
        timestamp(from)
        key("to")
        timestamp(to)
        key("reason")
        string(reason)
    }

    /// What a strap says of itself.
    mutating func details(_ details: StrapDetails) {
        self.details(details.information, sensorLocation: details.sensorLocation, battery: details.battery)
    }

    /// What a sensor says of itself; what it did not tell is absent.
    mutating func details(
        _ information: DeviceInformation, sensorLocation: BodySensorLocation?, battery: BatteryLevel?
    ) {
        func text(_ name: StaticString, _ value: String?) {
            guard let value else { return }
            key(name)
            string(value)
        }
        text("manufacturer", information.manufacturer)
        text("model", information.model)
        text("serial", information.serial)
        text("hardware", information.hardware)
        text("firmware", information.firmware)
        text("software", information.software)
        text("sensor_location", sensorLocation?.description)
        if let battery {
            key("battery_percent")
            integer(battery.percent)
        }
    }
}
