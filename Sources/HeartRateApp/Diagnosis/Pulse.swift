import HeartRate
import Wire

/// What the measurements so far come to.
struct Pulse: Hashable, Sendable {
    private(set) var count = 0
    /// Those with a heart rate.
    private(set) var rates: [UInt16] = []
    private var contact: Bool?
    private var last: HeartRateMeasurement?
    /// How many of the last ones were the same, octet for octet.
    private var sameInARow = 0
    private var malformed: String?

    mutating func take(_ measurement: HeartRateMeasurement) {
        count += 1
        if let rate = measurement.beatsPerMinute { rates = (rates + [rate]).suffix(60) }
        contact = measurement.contact ?? contact
        malformed = measurement.malformed ?? malformed
        sameInARow = last?.raw == measurement.raw ? sameInARow + 1 : 1
        last = measurement
    }

    /// Whether more measurements would change nothing.
    var isClear: Bool {
        if rates.isEmpty || sameInARow >= Self.least { return sameInARow >= Self.most || count >= Self.most }
        return rates.count >= Self.least
    }

    private static let least = 4
    /// A steady heart without RR intervals may well say the same so often.
    private static let most = 12

    /// What it is, once it is clear or nothing more comes.
    func finding(habit: Habit?) -> Result<Finding, Impasse> {
        guard let rate = rates.last else { return .failure(absence(habit)) }
        let extent = "\(rate) bpm, \(count) measurements" + (contact == true ? ", with skin contact" : "")
        if sameInARow >= Self.most {
            guard last?.intervals.isEmpty != false else { return .failure(frozen(extent)) }
            return .success(
                Finding(
                    .heartRate, .unknown, extent + ", the last \(sameInARow) the same",
                    advice: "A steady heart may be, or a sensor that repeats its last value: move, and see it change."))
        }
        let fault = malformed.map { "It breaks the format now and then (\($0)); what can be read of it is shown." }
        return .success(Finding(.heartRate, .ok, extent, advice: fault))
    }

    private func absence(_ habit: Habit?) -> Impasse {
        if count == 0 {
            return Impasse(
                .heartRate, .unavailable, "The device is silent", "it allows notifications and sends none",
                advice: habit?.broadcast ?? Self.silence)
        }
        if contact == false {
            return Impasse(
                .heartRate, .unavailable, "The device is not worn",
                "it says that it does not touch skin, and no heart rate with it",
                advice:
                    "Wear it: moisten the electrodes, tighten the strap; on a wrist, a finger's width above the bone.")
        }
        return Impasse(
            .heartRate, .unavailable, "The device finds no pulse",
            "it sends 0 beats per minute or nothing that can be read",
            advice: "Wear it, and give it half a minute to find the pulse." + (habit.map { "\n" + $0.broadcast } ?? ""))
    }

    private func frozen(_ extent: String) -> Impasse {
        Impasse(
            .heartRate, .unavailable, "The device is stuck",
            extent + ", the last \(sameInARow) the same, interval for interval",
            advice: """
                It is stuck and repeats its last measurement, as devices do whose battery fails or whose measuring
                was stopped. Take it off and wear it again, restart its measuring, change its battery.
                """)
    }

    private static let silence = """
        Wear it: without a pulse many send nothing. On a watch, switch on its heart-rate broadcast; some show
        a question on the watch that has to be answered first.
        """
}
