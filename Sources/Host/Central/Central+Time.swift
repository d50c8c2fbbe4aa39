public import Wire

extension Central {
    /// Lets time pass on the link's clock.
    public func wait(_ duration: Duration) async throws(HostError) {
        _ = try await ask(.wait(duration))
    }

    /// Runs `body` and gives it up at `deadline`, on the link's clock; `nil` sets no limit.
    ///
    /// - Throws: `HostError.timedOut(operation)` at the deadline, else what `body` throws
    public func within<Result: Sendable>(
        _ deadline: Moment?, _ operation: HostError.Operation, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let deadline else { return try await body() }
        let remaining = deadline - now
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await self.wait(remaining)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else { throw HostError.timedOut(operation) }
            return result
        }
    }
}
