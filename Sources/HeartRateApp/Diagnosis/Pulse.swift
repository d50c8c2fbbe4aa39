import HeartRate
import Wire

/// What the measurements so far come to.
struct Pulse: Hashable, Sendable {
    private(set) var count = 0
    /// Those with a heart rate.
    private(set) var rates: [UInt16] = []
    private var contact: Bool?
    private var hasIntervals = false
    private var repetition = Repetition()
    private var malformed: String?

    mutating func take(_ measurement: HeartRateMeasurement, at moment: Moment) {
        count += 1
        if let rate = measurement.beatsPerMinute { rates = (rates + [rate]).suffix(60) }
        contact = measurement.contact ?? contact
        malformed = measurement.malformed ?? malformed
        hasIntervals = measurement.beatsPerMinute != nil && !measurement.intervals.isEmpty
        repetition.take(measurement, at: moment)
    }

    /// Whether more measurements would change nothing.
    var isClear: Bool {
        guard !rates.isEmpty else { return count >= Self.most }
        guard repetition.count >= Self.least else { return rates.count >= Self.least }
        // Whether one is stuck that tells intervals is soon certain; a heart rate alone may stay the same for long.
        return repetition.isStuck || !hasIntervals && count >= Self.most
    }

    private static let least = 4
    /// A steady heart without RR intervals may well say the same so often.
    private static let most = 12

    /// What it is, once it is clear or nothing more comes.
    func finding(habit: Habit?) -> Result<Finding, Impasse> {
        guard let rate = rates.last else { return .failure(absence(habit)) }
        let extent = "\(rate) bpm, \(count) measurements" + (contact == true ? ", with skin contact" : "")
        if repetition.isStuck { return .failure(frozen(extent)) }
        if repetition.count >= Self.most {
            return .success(
                Finding(
                    .heartRate, .unknown, extent + ", the last \(repetition.count) the same",
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
            extent + ", the last \(repetition.count) the same" + (hasIntervals ? ", interval for interval" : ""),
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
