import Glibc
import Wire

extension Timestamp {
    /// `12:00:01`, in the time zone of this machine: for people. What programs read is in UTC, with its date.
    var timeOfDay: String { local?.time.map(Self.twoDigits).joined(separator: ":") ?? description }

    /// `2026-05-01`, in the time zone of this machine.
    var date: String { local?.date.map(Self.twoDigits).joined(separator: "-") ?? description }

    /// Year, month and day; hour, minute and second.
    private var local: (date: [Int], time: [Int])? {
        var seconds = time_t(microseconds / 1_000_000)
        var parts = unsafe tm()
        guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
        let date = unsafe [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
        return unsafe (date, [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)])
    }

    private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}
