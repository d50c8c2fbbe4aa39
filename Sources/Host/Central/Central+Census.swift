extension Central {
    /// How much the host holds, in entries, so that a test sees what is left over and what grows.
    package struct Census: Hashable, Sendable {
        package var engine = HostEngine.Census()
        /// Callers that wait for an answer.
        package var callers = 0
        /// Answers that nobody had asked for, or that came a second time.
        package var strayAnswers = 0
        /// Who listens to advertising reports.
        package var listeners = 0
        /// Connections, what has been asked for on them, and who reads their values or watches them.
        package var peers = 0

        package init() {}

        /// All that could grow.
        package var entries: Int { engine.entries + callers + listeners + peers }
    }

    package var census: Census {
        var census = Census()
        census.engine = engine.census
        census.callers = waiters.count
        census.strayAnswers = strayAnswers
        census.listeners = scans.count
        census.peers = peers.count + sharing.count + desk.count
        return census
    }
}
