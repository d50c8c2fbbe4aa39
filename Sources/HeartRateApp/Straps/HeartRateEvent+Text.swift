import HCI
import HeartRate
import Host
import SMP
import Wire

// The events of a strap in words, for people.

extension HeartRateEvent.LinkState {
    /// The state's name in JSON.
    var name: String {
        switch self {
        case .searching: "searching"
        case .connecting: "connecting"
        case .connected: "connected"
        case .subscribed: "subscribed"
        case .disconnected: "disconnected"
        case .reconnecting: "reconnecting"
        }
    }

    /// - Parameter strap: the strap as the user called it
    func text(_ strap: String) -> String {
        switch self {
        case .searching: "searching for \(strap) …"
        case .connecting(let device): "connecting to \(device) …"
        case .connected(let connection): "connected, every \(connection.interval)"
        case .subscribed(let connection) where connection.security.level > .none:
            "subscribed to the heart rate, \(connection.security.level.text)"
        case .subscribed: "subscribed to the heart rate"
        case .disconnected(_, let status?): "disconnected: \(status)"
        case .disconnected(_, nil): "disconnected: the adapter went away"
        case .reconnecting(let device): "waiting for \(device) to come back …"
        }
    }
}

extension HeartRateEvent.Staleness.Kind {
    /// The kind's name in JSON.
    var name: String {
        switch self {
        case .silent: "silent"
        case .frozen: "frozen"
        }
    }

    /// - Parameter time: since when
    func text(since time: String) -> String {
        switch self {
        case .silent: "NO HEART RATE since \(time): connected, and the strap is silent"
        case .frozen: "HEART RATE FROZEN since \(time): the strap repeats its last measurement"
        }
    }
}

extension HeartRateEvent.Gap.Reason {
    var text: String {
        switch self {
        case .linkLost(let status): "link lost (\(status))"
        case .adapterLost: "adapter removed"
        case .adapterReset: "the adapter had a failure and was set up again"
        case .silence: "the strap was silent"
        case .frozen: "the strap repeated its last measurement"
        case .suspended: "this machine was asleep, or the program stopped"
        case .readerTooSlow(let count): "\(count) measurements were not read in time"
        }
    }
}

extension StrapDetails {
    /// What one of its texts may take of a line, in characters; a peer may send 512 octets for each. JSON has them whole.
    private static let longest = 64

    var text: String {
        var parts = [information.manufacturer, information.model].compactMap(\.self)
        if let serial = information.serial { parts.append("serial \(serial)") }
        if let firmware = information.firmware { parts.append("firmware \(firmware)") }
        if let sensorLocation { parts.append("worn on: \(sensorLocation)") }
        if let battery { parts.append("battery \(battery.percent) %") }
        guard !parts.isEmpty else { return "the strap says nothing of itself" }
        return parts.map { $0.printable.shortened(to: Self.longest) }.joined(separator: ", ")
    }
}

extension HeartRateMeasurement {
    /// `72 bpm  contact  RR 750.0 799.805 ms  12 kJ`
    func text(_ style: Style) -> String {
        var parts = [beatsPerMinute.map { style.bold("\($0) bpm") } ?? style.red("no heart rate")]
        switch contact {
        case true?: parts.append("contact")
        case false?: parts.append(style.yellow("no contact"))
        case nil: break
        }
        if !intervals.isEmpty {
            parts.append("RR " + intervals.map(\.description).joined(separator: " ") + " ms")
        }
        if let energyExpended { parts.append("\(energyExpended) kJ") }
        if let malformed { parts.append(style.yellow("(malformed: \(malformed))")) }
        return parts.joined(separator: "  ")
    }
}
