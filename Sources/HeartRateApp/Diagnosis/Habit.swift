import GAP
import Wire

/// What devices of some makers need before they send their heart rate to others.
struct Habit: Hashable, Sendable {
    /// How the heart rate is made to be broadcast.
    var broadcast: String
    /// What to do where the device wants to be paired, if that is another thing.
    var pairing: String?

    /// The habit of the maker that a device's advertisement tells of; `nil` where it tells of none that is known.
    init?(_ device: Device) {
        let companies = device.manufacturerData.map(\.company)
        let name = device.name?.lowercased() ?? ""
        let found = Self.known.first { entry in
            entry.company.map(companies.contains) == true || entry.names.contains { name.hasPrefix($0) }
                || entry.service.map { device.offers($0) } == true
        }
        guard let found else { return nil }
        self = found.habit
    }

    private init(_ broadcast: String, pairing: String? = nil) {
        self.broadcast = broadcast
        self.pairing = pairing
    }

    private struct Entry {
        var company: UInt16?
        var names: [String]
        var service: BluetoothUUID?
        var habit: Habit
    }

    private static let known: [Entry] = [
        Entry(
            company: 0x0087,
            names: ["garmin", "forerunner", "fenix", "fēnix", "venu", "instinct", "vivoactive", "vívoactive", "epix"],
            habit: Habit(
                """
                On a Garmin watch switch on "Broadcast Heart Rate" (in the settings or in the heart-rate widget);
                it ends with the broadcast, and the watch must be worn.
                """)),
        Entry(
            company: 0x006B, names: ["polar "],
            habit: Habit(
                """
                A Polar strap must be worn with moist electrodes; the H10 takes a second link only if the Polar app
                allows it. A Polar watch has a "heart-rate sensor mode"; a Verity Sense its heart-rate mode.
                """)),
        Entry(
            company: 0x0157, names: ["mi band", "mi smart band", "amazfit", "xiaomi smart band"], service: 0xFEE0,
            habit: Habit(
                """
                A band of Xiaomi or Amazfit sends its heart rate to others only where its app (Zepp, Mi Fitness)
                shares it: look there for "heart rate sharing" or "discoverable".
                """,
                pairing: """
                    It wants the key of its own app. Look there for "heart rate sharing" or "discoverable",
                    which opens it to all.
                    """)),
        Entry(
            company: nil, names: ["whoop"],
            habit: Habit("Switch on \"Broadcast heart rate\" for the device in the Whoop app.")),
        Entry(
            company: nil, names: ["infinitime"],
            habit: Habit("Start the heart-rate app on the watch; it repeats the last value after it is stopped.")),
        Entry(
            company: 0x004C, names: ["apple watch"],
            habit: Habit(
                """
                An Apple Watch does not offer its heart rate over Bluetooth by itself; and what an app relays from
                an iPhone is announced in a way that other hosts do not see while the app is in the background.
                """)),
        Entry(
            company: nil, names: ["pixel watch", "galaxy watch", "ticwatch", "suunto", "coros", "huawei", "fitbit"],
            habit: Habit(
                "A watch sends its heart rate to others in a mode of its own, as during a workout: switch it on."
            )),
    ]
}

extension Habit {
    /// What to do about the broadcast of a device of which nothing else is known.
    static let anyBroadcast = """
        A strap says so as soon as it is worn. On a watch, first switch on its heart-rate broadcast
        (Garmin: "Broadcast Heart Rate"; Whoop, Coros, Suunto, Polar: a setting of the watch or its app).
        """
}
