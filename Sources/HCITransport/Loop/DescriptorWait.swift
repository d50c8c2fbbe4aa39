import Wire

extension EventLoop {
    /// Waits until the descriptor is ready or the moment has come; `nil` when it has come first. Without a moment, for ever.
    ///
    /// - Throws: `TransportError.cancelled` when the task is cancelled.
    func readiness(
        of descriptor: Int32, for readiness: Readiness, until deadline: Moment? = nil
    ) async throws(TransportError) -> Readiness? {
        let wait = DescriptorWait(on: self)
        let found = await withTaskCancellationHandler {
            await wait.wait(for: descriptor, readiness, until: deadline)
        } onCancel: {
            reactor.post { wait.assumeIsolated { $0.finish(nil) } }
        }
        if found == nil && Task.isCancelled { throw .cancelled }
        return found
    }
}

/// One wait, for a caller that is a task.
private actor DescriptorWait {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private var watch: Watch?
    private var alarm: LoopAlarm?
    private var waiter: CheckedContinuation<Readiness?, Never>?
    private var isOver = false

    init(on loop: EventLoop) { self.loop = loop }

    func wait(for descriptor: Int32, _ readiness: Readiness, until deadline: Moment?) async -> Readiness? {
        await withCheckedContinuation { continuation in
            waiter = continuation
            guard !isOver else { return finish(nil) }
            alarm = LoopAlarm(on: loop) { [self] _ in assumeIsolated { $0.finish(nil) } }
            alarm?.set(deadline)
            watch = try? loop.reactor.watch(descriptor, for: readiness) { [self] found in
                assumeIsolated { $0.finish(found) }
            }
        }
    }

    func finish(_ found: Readiness?) {
        isOver = true
        watch = nil
        alarm = nil
        waiter?.resume(returning: found)
        waiter = nil
    }
}
