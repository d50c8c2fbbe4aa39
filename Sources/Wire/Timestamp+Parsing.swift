extension Timestamp {
    /// Reads a time as RFC 3339 writes it: `2026-05-01T12:00:00.25Z`, `2026-05-01 14:00+02:00`.
    ///
    /// What is left out counts as nothing: the zone is then UTC; the fraction, the seconds and the time of day are 0. Digits beyond
    /// microseconds are passed over. `nil` for other text, and for days and times that do not exist.
    public init?(_ text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "Tt ".contains($0) }
        guard let date = parts.first, let day = Self.day(date) else { return nil }
        var microseconds: Int64 = 0
        if parts.count > 1 {
            guard let time = Self.timeOfDay(parts[1]) else { return nil }
            microseconds = time
        }
        self.init(microseconds: day * 86_400_000_000 + microseconds)
    }

    /// Days since 1970-01-01.
    private static func day(_ text: Substring) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = number(parts[0], digits: 4), let month = number(parts[1], digits: 2),
            let day = number(parts[2], digits: 2), (1...12).contains(month),
            (1...daysInMonth(month, of: year)).contains(day)
        else { return nil }
        // Counts in eras of 400 years from 1 March of the year 0, so that the leap day comes last.
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Microseconds from midnight in UTC: before the day or after it where a zone makes it so.
    private static func timeOfDay(_ text: Substring) -> Int64? {
        let clock = text.prefix { $0.isWholeNumber || ":.".contains($0) }
        guard let offset = zone(text[clock.endIndex...]) else { return nil }
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hour = number(parts[0], digits: 2), hour < 24,
            let minute = number(parts[1], digits: 2), minute < 60
        else { return nil }
        let second = parts.count > 2 ? microseconds(parts[2]) : 0
        guard let second else { return nil }
        return (hour * 60 + minute - offset) * 60_000_000 + second
    }

    /// Minutes east of Greenwich: of `Z`, `+02:00`, or nothing.
    private static func zone(_ text: Substring) -> Int64? {
        if text.isEmpty || text == "Z" || text == "z" { return 0 }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard let sign = text.first, "+-".contains(sign), parts.count == 2, let hours = number(parts[0], digits: 2),
            hours < 24, let minutes = number(parts[1], digits: 2), minutes < 60
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 60 + minutes)
    }

    /// Of seconds with or without a fraction.
    private static func microseconds(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let second = number(parts[0], digits: 2), second < 60 else { return nil }
        guard parts.count == 2 else { return second * 1_000_000 }
        guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let digits = parts[1].prefix(6)
        let filled = digits + String(repeating: "0", count: 6 - digits.utf8.count)
        return Int64(filled).map { second * 1_000_000 + $0 }
    }

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
