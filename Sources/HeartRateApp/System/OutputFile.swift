import Glibc

/// A file that is written beside its place and put there once it is whole: a failure leaves what was there before.
struct OutputFile: ~Copyable {
    private let path: String
    private let temporaryPath: String
    private let descriptor: Int32
    private var isCommitted = false

    /// - Parameters:
    ///   - path: of the file, which need not be there; where it is a link, the file that the link leads to
    ///   - permissions: of the file, in whose place what was there before is put
    init(replacing path: String, permissions: mode_t) throws(SystemError) {
        let target = Self.resolved(path)
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
        var template = Array((folder + ".hr-raw-XXXXXX").utf8CString)
        descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe mkstemp($0) } ?? -1
        }
        self.path = target
        guard descriptor >= 0 else { throw .last }
        temporaryPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        fchmod(descriptor, permissions)
    }

    deinit {
        close(descriptor)
        if !isCommitted { unsafe unlink(temporaryPath) }
    }

    mutating func write(_ octets: [UInt8]) throws(SystemError) {
        var written = 0
        while written < octets.count {
            let result = unsafe octets.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + written }, octets.count - written)
            }
            if result >= 0 {
                written += result
            } else if errno != EINTR {
                throw .last
            }
        }
    }

    /// Puts the file in its place. Some file systems find out only here that there is no room.
    mutating func commit() throws(SystemError) {
        guard fsync(descriptor) == 0, unsafe rename(temporaryPath, path) == 0 else { throw .last }
        isCommitted = true
    }

    /// The file that a path leads to; the path itself where there is none.
    private static func resolved(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}

/// Which file a path leads to, and what kind of file that is.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t
    private let mode: mode_t

    /// - Parameter path: `-` is standard input
    init?(_ path: String) {
        var status = stat()
        let result = unsafe path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
        guard result == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
        mode = status.st_mode
    }

    var isRegular: Bool { mode & S_IFMT == S_IFREG }

    /// What may be done with a file; `nil` for what is none.
    var permissions: mode_t? { isRegular ? mode & 0o777 : nil }

    /// What it is, in words.
    var kind: String {
        switch mode & S_IFMT {
        case S_IFREG: "a file"
        case S_IFDIR: "a folder"
        case S_IFIFO: "a named pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }

    static func == (left: FileIdentity, right: FileIdentity) -> Bool {
        left.device == right.device && left.number == right.number
    }
}
