/// How the process ends, after sysexits. Scripts rely on the numbers.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    /// Done, or ended by the user, by `--duration` or by `--count`.
    static let done = ExitStatus(rawValue: 0)
    /// Any failure that has no number of its own.
    static let failure = ExitStatus(rawValue: 1)
    /// Wrong usage.
    static let usage = ExitStatus(rawValue: 64)
    /// An input file is missing, unreadable, damaged or no capture.
    static let badInput = ExitStatus(rawValue: 65)
    /// No such adapter or peer, or it does not answer.
    static let unavailable = ExitStatus(rawValue: 69)
    /// The adapter is in use, carries other programs' connections, or is blocked.
    static let busy = ExitStatus(rawValue: 75)
    /// The peer broke the protocol or refused.
    static let protocolError = ExitStatus(rawValue: 76)
    /// Permission is missing.
    static let noPermission = ExitStatus(rawValue: 77)
    /// Forced by a third signal while ending cleanly took too long.
    static let forced = ExitStatus(rawValue: 130)
}

/// Why a command ends without success, in words for its user.
struct Failure: Error, Hashable {
    var status: ExitStatus
    /// What happened, and where.
    var message: String
    /// What to do about it; `nil` where nothing is known to help.
    var remedy: String?

    init(_ status: ExitStatus, _ message: String, remedy: String? = nil) {
        self.status = status
        self.message = message
        self.remedy = remedy
    }
}

/// Thrown alone, a status ends the program with it where everything has been said already.
extension ExitStatus: Error {}
