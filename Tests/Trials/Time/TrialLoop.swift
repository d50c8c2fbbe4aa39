import Glibc
import Synchronization

/// Where everything of one trial runs: actors, tasks and their children, one job after the other, in the order in which they were
/// given. It has no thread of its own: whoever starts a trial runs it to its end.
final class TrialLoop: SerialExecutor, TaskExecutor {
    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        var isStopped = false
        /// Whether a job came from elsewhere: then a run is not repeatable.
        var hasForeignWork = false
    }

    private let inbox = Mutex(Inbox())
    private let thread = pthread_self()

    private var isCurrent: Bool { pthread_self() == thread }

    func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Has `call` done behind all that was given before.
    func post(_ call: @escaping @Sendable () -> Void) { add(.call(call)) }

    func isIsolatingCurrentContext() -> Bool? { isCurrent }

    func checkIsolated() {}

    private func add(_ work: Work) {
        let isForeign = !isCurrent
        inbox.withLock { inbox in
            inbox.work.append(work)
            if isForeign { inbox.hasForeignWork = true }
        }
    }

    /// Whether all of it came from the thread that runs it.
    var isRepeatable: Bool { inbox.withLock { !$0.hasForeignWork } }

    /// Ends `run` once the work at hand is done.
    func stop() { inbox.withLock { $0.isStopped = true } }

    /// Works until `stop` is called; whenever nothing is left to do, calls `idle`, which answers whether it found anything.
    ///
    /// - Returns: whether it was stopped, and not stuck
    func run(idle: () -> Bool) -> Bool {
        var work: [Work] = []
        while true {
            inbox.withLock { swap(&$0.work, &work) }
            if work.isEmpty {
                if inbox.withLock({ $0.isStopped }) { return true }
                if !idle() && inbox.withLock({ $0.work.isEmpty }) { return false }
            }
            for item in work {
                switch item {
                case .job(let job):
                    unsafe job.runSynchronously(
                        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
                case .call(let call): call()
                }
            }
            work.removeAll(keepingCapacity: true)
        }
    }
}
