import Glibc

/// One process of a crew, seen by the others.
final class Worker {
    /// The seed under way.
    var current: UInt64?
    private let process: pid_t
    private let output: Int32
    private var buffer: [UInt8] = []
    private var isOpen = true

    init?(_ order: Order, _ number: UInt64) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let arguments = [
            "/proc/self/exe", "--from", "\(order.first)", "--seeds", "\(order.count)", "--workers", "\(order.workers)",
            "--worker", "\(number)",
        ]
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
        var identity = pid_t()
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { _ = unsafe words.map { unsafe free($0) } }
        guard unsafe posix_spawn(&identity, "/proc/self/exe", &actions, nil, &words, environ) == 0 else { return nil }
        close(ends[1])
        process = identity
        output = ends[0]
    }

    deinit { close(output) }

    /// How long a trial may take, in milliseconds of the machine's time: thousands of times what it usually does.
    private static let patience: Int32 = 120_000

    /// One that has a line, or is at its end; `nil` when all are. Who tells nothing for too long is brought to an end.
    static func next(of workers: [Worker]) -> Worker? {
        let open = workers.filter(\.isOpen)
        guard !open.isEmpty else { return nil }
        if let ready = open.first(where: { $0.buffer.contains(UInt8(ascii: "\n")) }) { return ready }
        var waits = open.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
        if unsafe poll(&waits, nfds_t(waits.count), patience) == 0 {
            for worker in open { kill(worker.process, SIGKILL) }
        }
        return zip(open, waits).first { $0.1.revents != 0 }?.0 ?? open.first
    }

    /// The next line; `nil` when there will be none any more.
    func readLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(output, &piece, piece.count)
            guard count > 0 else {
                isOpen = false
                return nil
            }
            buffer += piece[..<count]
        }
    }

    /// Waits for its end and tells how it came.
    func end() -> String {
        var status: Int32 = 0
        unsafe waitpid(process, &status, 0)
        if status & 0x7F == SIGKILL { return "it went on for ever" }
        return status & 0x7F == 0 ? "it ended with \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
    }
}
