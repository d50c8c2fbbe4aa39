import Glibc
import HCITransport

/// A system call failed.
struct SystemError: Error, Hashable {
    /// errno
    let code: Int32

    init(code: Int32) { self.code = code }

    /// The error that the call just made left behind.
    static var last: SystemError { SystemError(code: errno) }

    /// The system's words for it.
    var text: String { SystemText.of(errno: code) }
}

/// An environment variable; `nil` where it is not set.
@Sendable func environmentVariable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
}
