import Glibc

/// A file, or standard input, read from its beginning to its end.
struct InputFile: ~Copyable {
    private let descriptor: Int32
    /// `nil` for standard input.
    private let path: String?
    /// Whether all of it is there already: a reader need not hurry to show what it has before it reads on.
    let isComplete: Bool
    /// What tells of a file that is followed; `nil` for one that is read to its end, and for what ends by itself.
    private let watch: FileWatch?
    /// Why a file that is followed is read no further; `nil` where it is, or where a signal asks for the end.
    private(set) var ending: Ending?

    /// What keeps a file from being followed on.
    enum Ending {
        /// It is shorter than what was read.
        case truncated
        /// Another file has its name.
        case replaced
        /// Nobody reads what is told of it.
        case unread
    }

    /// Opens a file; `-` is standard input.
    ///
    /// - Parameter follows: whether to wait at its end for what is yet to be written
    init(path: String, follows: Bool = false) throws(SystemError) {
        self.path = path == "-" ? nil : path
        // A named pipe that nobody writes to yet would keep `open` from ending, also when a signal asks for it.
        descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        isComplete = isRegular && !follows
        watch = isRegular && follows ? FileWatch(file: descriptor, path: self.path) : nil
    }

    deinit { if descriptor > STDERR_FILENO { close(descriptor) } }

    /// The next octets, at most `count`; none at the end, and none where a signal asks the program to end.
    mutating func read(upTo count: Int) throws(SystemError) -> [UInt8] {
        while true {
            // A read of a file does not last; what else this may be can be silent for long.
            if !isComplete, !Interruption.wait(for: POLLIN, of: descriptor) { return [] }
            if Interruption.isRequested { return [] }
            var result = 0
            let octets = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
                unsafe result = Glibc.read(descriptor, buffer.baseAddress, count)
                used = max(0, result)
            }
            if result == 0, try waitForMore() { continue }
            if result >= 0 { return octets }
            guard errno == EINTR || errno == EAGAIN else { throw .last }
        }
    }

    /// At the end of a file that is followed: rests until there is more.
    ///
    /// - Returns: whether there is
    private mutating func waitForMore() throws(SystemError) -> Bool {
        while watch != nil {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
            let position = lseek(descriptor, 0, SEEK_CUR)
            if status.st_size > position { return true }
            if status.st_size < position {
                ending = .truncated
                // Standard input cannot be opened anew; whoever reads it again begins here.
                lseek(descriptor, 0, SEEK_SET)
                return false
            }
            if isReplaced(status) {
                ending = .replaced
                return false
            }
            guard watch?.wait() == true else {
                ending = .unread
                return false
            }
        }
        return false
    }

    /// Whether the name stands for another file by now. One that stands for none may come back.
    private func isReplaced(_ mine: stat) -> Bool {
        guard let path else { return false }
        var other = stat()
        guard unsafe stat(path, &other) == 0 else { return false }
        return other.st_ino != mine.st_ino || other.st_dev != mine.st_dev
    }
}
