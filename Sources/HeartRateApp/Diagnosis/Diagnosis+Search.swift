import GAP
import HCI
import Host
import Wire

// What can be found out without a connection.
extension Diagnosis {
    /// Listens until enough is known of the device, or the time is over.
    func search() async throws -> Listening.Sought {
        let listening = Listening(question.selector)
        do {
            try await central.within(central.now + question.timeout, .searching) { [central] in
                try await central.withSightings { sightings in
                    for await case .value(let sighting) in sightings where listening.take(sighting) { return }
                }
            }
        } catch HostError.timedOut(.searching) {
            // What was heard until now is what there is to know.
        }
        guard let sought = listening.sought else { throw absence(listening) }
        try tell(Finding(.seen, .ok, sought.device.text, advice: weakness(sought) ?? otherKind(sought)))
        return sought
    }

    private func absence(_ listening: Listening) -> Impasse {
        let time = "in \(question.timeout)"
        guard listening.count > 0 else {
            return Impasse(
                .seen, .unavailable, "The adapter hears nothing", "nothing at all was heard \(time)",
                advice: """
                    No device around advertises, or this adapter is deaf: move it away from USB 3 ports and metal,
                    or use another one. hr-raw scan shows whatever there is.
                    """)
        }
        let candidates = listening.candidates.map { "\n  \($0.text)" }.joined()
        let others = "\(question.title) was not heard \(time); \(listening.count) other devices were"
        return Impasse(
            .seen, .unavailable, "The device is not there, or does not advertise",
            others + (candidates.isEmpty ? "" : ", of which may be meant:" + candidates),
            advice: """
                A strap advertises only while it is worn (moisten it) and while no other device has it: end the
                connection of the phone, watch or bike computer that may have it. On a watch, switch on its
                heart-rate broadcast. Some devices change their address: try the name, or 'any'.
                """)
    }

    /// Below this many dBm packets get lost.
    private static let weak: Int8 = -88

    private func weakness(_ sought: Listening.Sought) -> String? {
        guard let rssi = sought.device.rssi, rssi < Self.weak else { return nil }
        return "That is weak: go nearer, with no body between device and adapter."
    }

    private func otherKind(_ sought: Listening.Sought) -> String? {
        guard let kind = question.kind, kind != sought.device.address.kind else { return nil }
        return "Its address is of another kind than --type says: leave --type out."
    }

    /// Judges what the device says of itself on air.
    func judge(_ sought: Listening.Sought, _ habit: Habit?) throws {
        if sought.isOnlyDirected {
            throw Impasse(
                .connectable, .unavailable, "The device is another one's",
                "it calls one other device and answers nobody else",
                advice: """
                    It wants back to the device that it is paired with. Switch Bluetooth off there, or remove the
                    pairing there and in the device's own settings.
                    """)
        }
        switch sought.isConnectable {
        case false?:
            throw Impasse(
                .connectable, .unavailable, "The device cannot be connected to now",
                "it advertises that it cannot be connected to",
                advice: """
                    Another device has it, most likely: end the connection of the phone's app (or switch the phone's
                    Bluetooth off). A watch does so until its heart-rate broadcast is on.
                    """ + (habit.map { "\n" + $0.broadcast } ?? ""))
        case true?: try tell(Finding(.connectable, .ok, "it says that it can be connected to"))
        case nil: try tell(Finding(.connectable, .unknown, "it does not say whether it can be connected to"))
        }
        if sought.device.isHeartRateSensor {
            try tell(Finding(.advertisedService, .ok, "it advertises the Heart Rate service (180D)"))
        } else {
            try tell(
                Finding(
                    .advertisedService, .unknown, "it does not advertise the Heart Rate service (180D)",
                    advice: habit?.broadcast ?? Habit.anyBroadcast))
        }
    }
}
