/// A point in civil time: microseconds since 1970-01-01 00:00:00 UTC, without leap seconds, before 1970 negative.
public struct Timestamp: Hashable, Sendable, Comparable {
    /// Microseconds since 1970-01-01T00:00:00Z; negative before.
    public let microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    /// Saturates at the ends of what 64 bits hold.
    public static func + (timestamp: Timestamp, duration: Duration) -> Timestamp {
        let (sum, overflow) = timestamp.microseconds.addingReportingOverflow(duration.wholeNanoseconds / 1000)
        return Timestamp(microseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with microseconds: `2026-05-01T12:00:00.000000Z`. Years beyond 0…9999 are written with their sign or all their digits.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(27)
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends `description` in ASCII.
    public func append(to text: inout [UInt8]) {
        let day = microseconds.floored(by: 86_400_000_000)
        let date = CivilDate(daysSince1970: day.quotient)
        let second = day.remainder.floored(by: 1_000_000)
        if date.year < 0 { text.append(UInt8(ascii: "-")) }
        text.append(decimal: date.year.magnitude, digits: 4)
        text.append(addingCapacity: 23) { output in
            output.append("-", twoDigits: date.month)
            output.append("-", twoDigits: date.day)
            output.append("T", twoDigits: second.quotient / 3600)
            output.append(":", twoDigits: second.quotient / 60 % 60)
            output.append(":", twoDigits: second.quotient % 60)
            output.append(".", twoDigits: second.remainder / 10_000)
            output.append(twoDigits: second.remainder / 100 % 100)
            output.append(twoDigits: second.remainder % 100)
            output.append(UInt8(ascii: "Z"))
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a mark and a number below 100.
    @_lifetime(self: copy self)
    fileprivate mutating func append(_ mark: Unicode.Scalar, twoDigits number: Int64) {
        append(UInt8(ascii: mark))
        append(twoDigits: number)
    }

    @_lifetime(self: copy self)
    fileprivate mutating func append(twoDigits number: Int64) {
        let number = UInt8(truncatingIfNeeded: number)
        append(UInt8(ascii: "0") &+ number / 10)
        append(UInt8(ascii: "0") &+ number % 10)
    }
}

/// A day of the proleptic Gregorian calendar.
private struct CivilDate {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Counts in eras of 400 years from 1 March of the year 0, so that the leap day comes last.
    init(daysSince1970: Int64) {
        let era = (daysSince1970 + 719_468).floored(by: 146_097)
        let dayOfEra = era.remainder
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era.quotient * 400 + (month <= 2 ? 1 : 0)
    }
}

extension Int64 {
    /// Division that rounds towards minus infinity, so that the remainder is never negative.
    fileprivate func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
