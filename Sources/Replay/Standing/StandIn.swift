import GATT
public import HCI
public import HCITransport
public import Host
public import Wire

/// A recording in the place of a controller, and a host of ours that knows what the recorded one knew.
public struct StandIn: Sendable {
    /// How our host is held against the recorded one.
    public let matching: Matching
    private let link: VirtualLink
    private let host: RecordedHost
    private let script: Script

    /// - Parameter matching: `nil` for `strictly` where the recorded host is one of ours, by how it made its controller ready
    /// - Throws: `Unplayable` where the recording lacks what it takes
    public init(_ recording: Recording, _ matching: Matching? = nil, on loop: EventLoop) throws(Unplayable) {
        script = try Script(recording)
        host = RecordedHost(script)
        self.matching = matching ?? (host.isOurs(script) ? .strictly : .equivalently)
        let controller = script.controller(self.matching, host)
        link = VirtualLink(controller, clock: .virtual(start: script.start), on: loop)
    }

    /// Runs a host against the recording.
    ///
    /// - Parameters:
    ///   - observer: told of everything that deserves a line in a log
    ///   - tap: may put another link around that to the recording, to record what passes
    ///   - body: what the host does; the recording need not be played to its end
    /// - Throws: `Divergence` for the first packet that the host sent otherwise than the recorded one, where packets are compared,
    ///   else what `body` throws; `HostError.linkEnded(.recordingEnded)` reaches a body that wants more than was recorded
    public func run<Result: Sendable>(
        observer: (@Sendable (HostEngine.Note, Timestamp) -> Void)? = nil,
        through tap: (any ControllerLink) -> any ControllerLink = { $0 },
        _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result {
        let outcome = await self.outcome(observer, tap(link), body)
        // Whoever waits inside `body` sees an ended link at most; what ended it is the cause.
        if let divergence = (await link.controller as? Playback)?.divergence { throw divergence }
        return try outcome.get()
    }

    private func outcome<Result: Sendable>(
        _ observer: (@Sendable (HostEngine.Note, Timestamp) -> Void)?, _ tapped: any ControllerLink,
        _ body: @escaping @Sendable (Central) async throws -> Result
    ) async -> Swift.Result<Result, any Error> {
        do {
            let result = try await link.loop.runAll { [link, host, matching] in
                // What a simulated device knows of handles is not what the recorded host knew of the real one's.
                let handles = matching == .strictly ? RecordedHandles(host.handles) : nil
                return try await Central.run(
                    over: tapped, configuration: host.configuration, handles: handles, observer: observer
                ) { central in
                    let result = try await body(central)
                    await link.update { ($0 as? Playback)?.endedByHost(at: $1) }
                    return result
                }
            }
            return .success(result)
        } catch {
            return .failure(error)
        }
    }

    /// The first procedure in which our host differs from the recorded one, as far as it has come; `nil` where none does, and where
    /// packets are compared.
    ///
    /// - Parameter isDone: whether only what our host did counts, and not that it ended before the recorded one with a peer
    public func procedureDifference(ofDoneAlone isDone: Bool = false) async -> ProcedureDifference? {
        guard let world = await link.controller as? RecordedWorld else { return nil }
        return Procedures(world.records).firstDifference(
            from: Procedures(script.lines.map(\.record)), ofDoneAlone: isDone)
    }
}

extension Recording {
    /// Has the recording answer as the controller of a host of ours, on virtual time that begins where the recording does.
    ///
    /// - Parameters:
    ///   - matching: what our host has to do as the recorded one did
    ///   - body: what our host does; it may end before the recording does
    /// - Throws: `Unplayable`; `Divergence` or `ProcedureDifference` for the first thing that our host did otherwise; else what `body`
    ///   throws. `HostError.linkEnded(.recordingEnded)` reaches a body that wants more than was recorded
    public func play<Result: Sendable>(
        _ matching: Matching, _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result {
        let standIn = try StandIn(self, matching, on: EventLoop())
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await standIn.run(body))
        } catch {
            outcome = .failure(error)
        }
        // What the host did otherwise may be why it failed.
        if let difference = await standIn.procedureDifference(ofDoneAlone: true) { throw difference }
        return try outcome.get()
    }

    /// The same, packet by packet.
    public func play<Result: Sendable>(
        _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result {
        try await play(.strictly, body)
    }
}

extension Recording {
    /// The recording as a controller by itself, for whoever brings a host and a clock of his own. Its time begins with `Moment.zero`
    /// at the recorded host's first command.
    ///
    /// - Throws: `Unplayable` where the recording lacks what it takes
    public func controller(_ matching: Matching) throws(Unplayable) -> any VirtualController {
        let script = try Script(self)
        return script.controller(matching, RecordedHost(script))
    }
}

extension Script {
    fileprivate func controller(_ matching: Matching, _ host: RecordedHost) -> any VirtualController {
        switch matching {
        case .strictly: Playback(self)
        case .equivalently: RecordedWorld(self, host)
        }
    }
}

/// What a recorded host knew of handles. What ours learns is not kept.
private struct RecordedHandles: HandleStore {
    private let cache: HandleCache

    init(_ cache: HandleCache) { self.cache = cache }

    func load() -> HandleCache { cache }

    func save(_ handles: KnownHandles?, of peer: DeviceAddress) async {}
}
