import Glibc
import Wire

extension Timestamp {
    /// `12:00:01`, in the time zone of this machine: for people. What programs read is in UTC, with its date.
    var timeOfDay: String {
        var seconds = time_t(microseconds / 1_000_000)
        var parts = unsafe tm()
        guard unsafe localtime_r(&seconds, &parts) != nil else { return description }
        func digits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let (hour, minute, second) = unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec)
        return "\(digits(hour)):\(digits(minute)):\(digits(second))"
    }
}
