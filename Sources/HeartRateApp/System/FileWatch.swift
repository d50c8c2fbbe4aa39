import Glibc

/// Rests until a file may have changed: it grew, was cut, or another one took its name.
struct FileWatch: ~Copyable {
    /// What tells of changes; -1 where the system has none to give, and then only `patience` ends the rest.
    private let descriptor: Int32
    /// Milliseconds after which to look in any case: nobody tells of what is written to a network file system elsewhere.
    private static let patience: Int32 = 1000

    /// - Parameters:
    ///   - file: the open file
    ///   - path: where it was found; `nil` where nobody knows, as of standard input
    init(file: Int32, path: String?) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return }
        // Not by its path: that may be another file's by now.
        unsafe _ = inotify_add_watch(descriptor, "/proc/self/fd/\(file)", UInt32(IN_MODIFY | IN_ATTRIB))
        guard let path else { return }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        unsafe _ = inotify_add_watch(descriptor, folder, UInt32(IN_CREATE | IN_MOVED_TO))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Rests until something may have changed, a signal asks for the end, or the reader of standard output is gone.
    ///
    /// - Returns: whether it is worth while to look
    func wait() -> Bool {
        guard Interruption.rest(on: descriptor, while: STDOUT_FILENO, limit: Self.patience) else { return false }
        drain()
        return true
    }

    /// Takes what was told; that there was something is all that counts.
    private func drain() {
        var octets = [UInt8](repeating: 0, count: 4096)
        while descriptor >= 0, unsafe read(descriptor, &octets, octets.count) > 0 {}
    }
}
