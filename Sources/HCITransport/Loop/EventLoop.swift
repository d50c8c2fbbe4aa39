import CHCI
import Glibc
import Synchronization
public import Wire

/// One thread that waits for descriptors, the clock and jobs, and runs whatever is due, one thing after the other.
///
/// An actor that names the loop as its executor runs on that thread, so that octets from a descriptor reach it without a
/// hop and in order. The loop neither polls nor sleeps: with nothing to do its thread rests in the kernel. The thread ends
/// when the last reference to the loop is gone.
public final class EventLoop: SerialExecutor {
    let reactor: Reactor
    /// Civil time at `Moment.zero`.
    private let start = Mutex(Timestamp(microseconds: 0))

    /// Starts the thread.
    ///
    /// - Throws: `TransportError.system` when the system grants no descriptor or no thread.
    public init() throws(TransportError) {
        reactor = try Reactor()
        reactor.attach(self)
        try reactor.startThread()
    }

    deinit { reactor.stop() }

    /// Runs code that belongs to no actor on the loop's thread.
    ///
    /// Under a virtual clock that matters: the clock jumps only when the loop has nothing left to run, and knows nothing of
    /// what runs elsewhere.
    public nonisolated(nonsending) func run<Value: Sendable, Failure: Error>(
        _ body: nonisolated(nonsending) @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await Resident(on: self).run(body)
    }

    /// The machine's clock, suspended time included.
    public var now: Moment { SystemClock.now }

    /// What the civil clock shows, or showed, at a moment of the machine's clock. The civil clock may be set while the program runs.
    public func civilTime(at moment: Moment) -> Timestamp {
        let before = SystemClock.now
        let civil = SystemClock.civilTime
        let isCertain = SystemClock.now - before < .milliseconds(1)
        return start.withLock { start in
            // The two clocks cannot be read at the same instant; what that is off by must not give one moment two times. Least of all
            // where the thread had to stand back between the readings.
            let seen = civil + (.zero - before)
            let isSet = (seen.microseconds - start.microseconds).magnitude > 2000
            if isSet, isCertain || start.microseconds == 0 { start = seen }
            return start
        } + (moment - .zero)
    }

    /// Whether the caller runs on the loop's thread.
    public var isCurrent: Bool { reactor.isCurrent }

    public func enqueue(_ job: consuming ExecutorJob) {
        reactor.enqueue(UnownedJob(job))
    }

    /// Whether the caller runs on the loop's thread.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }
}

/// Where code of no actor runs.
private actor Resident {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private var isInUse = false

    init(on loop: EventLoop) { self.loop = loop }

    func run<Value: Sendable, Failure: Error>(
        _ body: nonisolated(nonsending) @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // Touching its own state brings the actor onto its executor; the compiler leaves out a hop that serves the body alone.
        isInUse = true
        return try await body()
    }
}

/// The machine's clocks.
public enum SystemClock {
    /// CLOCK_BOOTTIME: never runs backwards, and a suspend shows in it as a gap.
    public static var now: Moment { Moment(nanoseconds: chci_boot_nanoseconds()) }

    /// CLOCK_REALTIME.
    public static var civilTime: Timestamp { Timestamp(microseconds: chci_civil_nanoseconds() / 1000) }
}
