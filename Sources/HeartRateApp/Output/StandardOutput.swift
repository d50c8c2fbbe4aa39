import Glibc
import Synchronization

/// Why nothing more can be written to standard output.
enum OutputError: Error, Hashable {
    /// The reader has closed the pipe, or the terminal: it has what it wanted.
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
    /// Whether a reader who does not read can keep a write from ending.
    private let canBlock: Bool

    /// - Parameter follows: whether each line must reach its reader at once, because the next one may be long in coming
    init(follows: Bool) {
        isTerminal = isatty(STDOUT_FILENO) == 1
        var status = stat()
        canBlock =
            unsafe fstat(STDOUT_FILENO, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
            || isTerminal
        threshold = follows || isTerminal ? 0 : 1 << 16
    }

    /// Writes what `body` appends: one line or several whole ones.
    func write(_ body: (inout [UInt8]) -> Void) throws(OutputError) {
        try buffer.withLock { (octets: inout [UInt8]) throws(OutputError) in
            body(&octets)
            if octets.count > threshold { try drain(&octets) }
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
        try buffer.withLock { (octets: inout [UInt8]) throws(OutputError) in try drain(&octets) }
    }

    private func drain(_ octets: inout [UInt8]) throws(OutputError) {
        defer { octets.removeAll(keepingCapacity: true) }
        var written = 0
        while written < octets.count {
            var count = octets.count - written
            if canBlock {
                // A pipe that is ready has room for a page: so much is written without waiting where no signal is heard.
                guard Interruption.wait(for: POLLOUT, of: STDOUT_FILENO, grace: 1000) else { throw .readerGone }
                count = min(count, 4096)
            }
            let result = unsafe octets.withUnsafeBytes { bytes in
                unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress.map { unsafe $0 + written }, count)
            }
            if result >= 0 {
                written += result
                continue
            }
            switch errno {
            case EINTR, EAGAIN: break
            case EPIPE: throw .readerGone
            case EIO where isTerminal: throw .readerGone
            default: throw .failed(.last)
            }
        }
    }
}
