import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP: the user's wish that the program end, cleanly and with status 0.
///
/// A loop that reads and writes asks `isRequested` and waits with `wait(for:of:)`; code that waits for other things runs in
/// `untilRequested(_:)`. A third signal ends the process at once, for the case that ending cleanly hangs; a second one
/// does not, because programs such as `timeout` pass on what the terminal has sent already. A terminal that is closed sends
/// SIGHUP, its shell another, the end of the session one more: all of them count as one.
///
/// SIGQUIT (Ctrl-\) is left as it is: it ends the process where it stands, with a core dump, for whoever wants to see why
/// it hangs. The adapter then stays down until the next run, as after SIGKILL.
enum Interruption {
    private static let count = Atomic<Int>(0)
    /// A pipe that has something to read from the first signal on, whichever thread got it.
    private static let readEnd = Atomic<Int32>(-1)
    private static let writeEnd = Atomic<Int32>(-1)

    /// Whether a signal has come.
    static var isRequested: Bool { count.load(ordering: .acquiring) > 0 }

    /// Takes over the signals. Call once, before anything else runs.
    static func install() {
        // A reader that closes the pipe is told by EPIPE, not by a signal.
        _ = signal(SIGPIPE, SIG_IGN)
        openPipe()
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { Interruption.handle($0) }
        action.sa_flags = SA_RESTART
        unsafe sigemptyset(&action.sa_mask)
        // Also where the parent ignores SIGINT, as a script's shell does for its background jobs, or left it blocked:
        // `kill -INT` is then the way in which the script ends the run.
        var mine = sigset_t()
        unsafe sigemptyset(&mine)
        // What `nohup` has started is to outlive its terminal.
        for number in [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP]) {
            unsafe sigaction(number, &action, nil)
            unsafe sigaddset(&mine, number)
        }
        unsafe pthread_sigmask(SIG_UNBLOCK, &mine, nil)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        unsafe sigaction(number, nil, &action)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func openPipe() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // The handler must not block in it.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd.store(ends[0], ordering: .releasing)
        writeEnd.store(ends[1], ordering: .releasing)
    }

    /// Runs in the signal handler: only calls that POSIX allows there.
    private static func handle(_ number: Int32) {
        if number == SIGHUP && isRequested { return }
        let earlier = count.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
        if earlier > 1 { _exit(ExitStatus.forced.rawValue) }
        var octet: UInt8 = 0
        unsafe _ = write(writeEnd.load(ordering: .acquiring), &octet, 1)
    }

    /// Rests until a descriptor is ready or a signal has come.
    ///
    /// - Parameters:
    ///   - events: POLLIN or POLLOUT
    ///   - grace: milliseconds that the descriptor still gets after a signal
    /// - Returns: whether the descriptor is ready
    @discardableResult
    static func wait(for events: Int32, of descriptor: Int32, grace: Int32 = 0) -> Bool {
        var requests = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: readEnd.load(ordering: .acquiring), events: Int16(POLLIN), revents: 0),
        ]
        unsafe _ = poll(&requests, 2, -1)
        guard requests[0].revents == 0, isRequested else { return true }
        return unsafe poll(&requests, 1, grace) > 0
    }

    /// Rests until a descriptor has something to read, or another one ends the wait, or a signal has come.
    ///
    /// - Returns: whether the first has something to read and nothing else has come
    static func wait(forInputOf descriptor: Int32, orEndBy other: Int32) -> Bool {
        var requests = [descriptor, other, readEnd.load(ordering: .acquiring)].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while unsafe poll(&requests, 3, -1) < 0, errno == EINTR, !isRequested {}
        return requests[0].revents != 0 && requests[1].revents == 0 && !isRequested
    }

    /// Rests until there is something to read, time is up, a signal has come or nobody reads on.
    ///
    /// - Parameters:
    ///   - source: what may have something to read; -1 is nothing
    ///   - output: what somebody is to read
    ///   - limit: milliseconds
    /// - Returns: whether to go on: `false` after a signal, and where the reader of `output` is gone
    static func rest(on source: Int32, while output: Int32, limit: Int32) -> Bool {
        var requests = [
            pollfd(fd: output, events: 0, revents: 0),
            pollfd(fd: source, events: Int16(POLLIN), revents: 0),
            pollfd(fd: readEnd.load(ordering: .acquiring), events: Int16(POLLIN), revents: 0),
        ]
        unsafe _ = poll(&requests, 3, limit)
        return requests[0].revents == 0 && !isRequested
    }

    /// Runs `body` until it ends by itself or a signal comes; then its task is cancelled and its end awaited.
    ///
    /// - Returns: what `body` returned; `nil` where it threw `CancellationError` after a signal.
    static func untilRequested<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let signals = signalStream()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await _ in signals { return nil }
                return nil
            }
            defer { group.cancelAll() }
            let first = try await group.next() ?? nil
            if first != nil { return first }
            group.cancelAll()
            do {
                return try await group.next() ?? nil
            } catch is CancellationError {
                return nil
            }
        }
    }

    /// One element once a signal has come.
    private static func signalStream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        startThread {
            while !isRequested { wait(for: POLLIN, of: readEnd.load(ordering: .acquiring)) }
            continuation.yield()
        }
        return stream
    }
}
