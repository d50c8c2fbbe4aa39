import GATT
public import HCI
public import HCITransport
public import Host
public import Wire

/// A recording in the place of a controller, and a host of ours that knows what the recorded one knew.
public struct StandIn: Sendable {
    private let link: VirtualLink
    private let host: RecordedHost

    /// - Throws: `Unplayable` where the recording lacks what it takes
    public init(_ recording: Recording, on loop: EventLoop) throws(Unplayable) {
        let script = try Script(recording)
        host = RecordedHost(script)
        link = VirtualLink(Playback(script), clock: .virtual(start: script.start), on: loop)
    }

    /// Runs a host against the recording.
    ///
    /// - Parameters:
    ///   - observer: told of everything that deserves a line in a log
    ///   - tap: may put another link around that to the recording, to record what passes
    ///   - body: what the host does; the recording need not be played to its end
    /// - Throws: `Divergence` for the first thing that the host did otherwise than the recorded one, else what `body` throws;
    ///   `HostError.linkEnded(.recordingEnded)` reaches a body that wants more than was recorded
    public func run<Result: Sendable>(
        observer: (@Sendable (HostEngine.Note, Timestamp) -> Void)? = nil,
        through tap: (any ControllerLink) -> any ControllerLink = { $0 },
        _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result {
        let tapped = tap(link)
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(
                try await link.loop.runAll { [link, host] in
                    try await Central.run(
                        over: tapped, configuration: host.configuration, handles: RecordedHandles(host.handles),
                        observer: observer
                    ) { central in
                        let result = try await body(central)
                        await link.update { ($0 as? Playback)?.endedByHost(at: $1) }
                        return result
                    }
                })
        } catch {
            outcome = .failure(error)
        }
        // Whoever waits inside `body` sees an ended link at most; what ended it is the cause.
        if let divergence = (await link.controller as? Playback)?.divergence { throw divergence }
        return try outcome.get()
    }
}

extension Recording {
    /// Has the recording answer as the controller of a host of ours, on virtual time that begins where the recording does.
    ///
    /// What the host sends must be what the recorded host sent. A host of ours that was recorded, and does the same again, sees what
    /// it saw, with the same times.
    ///
    /// - Parameter body: what the host does; the recording need not be played to its end
    /// - Throws: `Unplayable`, `Divergence`, else what `body` throws; see `StandIn.run(observer:through:_:)`
    public func play<Result: Sendable>(
        _ body: @escaping @Sendable (Central) async throws -> Result
    ) async throws -> Result {
        try await StandIn(self, on: EventLoop()).run(body)
    }
}

/// What a recorded host knew of handles. What ours learns is not kept.
private struct RecordedHandles: HandleStore {
    private let cache: HandleCache

    init(_ cache: HandleCache) { self.cache = cache }

    func load() -> HandleCache { cache }

    func save(_ handles: KnownHandles?, of peer: DeviceAddress) async {}
}
