/// Has tasks run on a loop that are no actor's.
///
/// A virtual clock jumps when its loop has nothing to run, and must not jump while a task elsewhere is about to ask for something.
final class LoopTasks: TaskExecutor {
    private let loop: EventLoop

    init(_ loop: EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job) }
}

extension EventLoop {
    /// Runs `body` on the loop's thread, and with it every task that it waits for.
    public nonisolated(nonsending) func runAll<Value: Sendable>(
        _ body: nonisolated(nonsending) @Sendable @escaping () async throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(LoopTasks(self)) { try await run(body) }
    }
}
