import Glibc

/// A file, or standard input, read from its beginning to its end.
struct InputFile: ~Copyable {
    private let descriptor: Int32
    /// Whether all of it is there already: a reader need not hurry to show what it has before it reads on.
    let isRegular: Bool

    /// Opens a file; `-` is standard input.
    init(path: String) throws(SystemError) {
        // A named pipe that nobody writes to yet would keep `open` from ending, also when a signal asks for it.
        descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }

    deinit { if descriptor > STDERR_FILENO { close(descriptor) } }

    /// The next octets, at most `count`; none at the end, and none where a signal asks the program to end.
    func read(upTo count: Int) throws(SystemError) -> [UInt8] {
        while true {
            // A read of a file does not last; what else this may be can be silent for long.
            if !isRegular, !Interruption.wait(for: POLLIN, of: descriptor) { return [] }
            if Interruption.isRequested { return [] }
            var result = 0
            let octets = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
                unsafe result = Glibc.read(descriptor, buffer.baseAddress, count)
                used = max(0, result)
            }
            if result >= 0 { return octets }
            guard errno == EINTR || errno == EAGAIN else { throw .last }
        }
    }
}
