import Glibc
import Synchronization

/// Why nothing more can be written to standard output.
enum OutputError: Error, Hashable {
    /// The reader has closed the pipe: it has what it wanted.
    case readerGone
    case failed(SystemError)

    /// How the program ends: quietly, or saying what went wrong.
    var failure: Failure? {
        switch self {
        case .readerGone: nil
        case .failed(let error): Failure(.failure, "cannot write to standard output: \(error.text)")
        }
    }
}

/// Standard output, for data. Lines are collected and written together; a reader who follows gets each one at once.
final class StandardOutput: Sendable {
    private let buffer = Mutex<[UInt8]>([])
    private let threshold: Int
    /// Whether a person is looking.
    let isTerminal: Bool

    /// - Parameter follows: whether each line must reach its reader at once, because the next one may be long in coming
    init(follows: Bool) {
        isTerminal = isatty(STDOUT_FILENO) == 1
        threshold = follows || isTerminal ? 0 : 1 << 16
    }

    /// Writes what `body` appends: one line or several whole ones.
    func write(_ body: (inout [UInt8]) -> Void) throws(OutputError) {
        try buffer.withLock { (octets: inout [UInt8]) throws(OutputError) in
            body(&octets)
            if octets.count > threshold { try Self.drain(&octets) }
        }
    }

    /// Writes text and the end of the line.
    func writeLine(_ text: String) throws(OutputError) {
        try write { octets in
            octets.append(contentsOf: text.utf8)
            octets.append(UInt8(ascii: "\n"))
        }
    }

    /// Writes what was collected.
    func flush() throws(OutputError) {
        try buffer.withLock { (octets: inout [UInt8]) throws(OutputError) in try Self.drain(&octets) }
    }

    private static func drain(_ octets: inout [UInt8]) throws(OutputError) {
        defer { octets.removeAll(keepingCapacity: true) }
        var written = 0
        while written < octets.count {
            let result = unsafe octets.withUnsafeBytes { bytes in
                unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
            }
            if result >= 0 {
                written += result
                continue
            }
            switch errno {
            // A signal while the reader does not read: what is left would block again.
            case EINTR: if Interruption.isRequested { throw .readerGone }
            case EAGAIN: waitUntilWritable()
            case EPIPE: throw .readerGone
            default: throw .failed(.last)
            }
        }
    }

    /// A non-blocking descriptor that somebody else shares with us is waited for.
    private static func waitUntilWritable() {
        var request = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        unsafe _ = poll(&request, 1, -1)
    }
}
