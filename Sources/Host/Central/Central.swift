public import HCI
import SMP
public import Wire

/// The host's one actor: it feeds the engine with what the controller says, carries out the engine's effects in order, and lets
/// callers wait for answers.
///
/// It runs on its link's executor, so that packets reach the engine without a hop. Make one with `run(over:configuration:_:)`:
/// the scope is its lifetime.
public actor Central: ControllerLinkOwner {
    let link: any ControllerLink
    private(set) var engine: HostEngine
    private var effects: [HostEngine.Effect] = []
    private var isDraining = false
    private var tickets = 0 as UInt64
    /// Who waits for an answer; `nil` stands for nobody, where the answer is not needed.
    private(set) var waiters: [Ticket: CheckedContinuation<HostEngine.Answer, any Error>?] = [:]
    /// Answers for which no ticket was open.
    private(set) var strayAnswers = 0
    var scans = ScanDesk()
    var peers = PeerDesk()
    var sharing = SharingDesk()
    var handles: HandleDesk
    var desk: SecurityDesk
    private var failure: HostError?
    private let observer: (@Sendable (HostEngine.Note, Timestamp) -> Void)?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe link.executor.asUnownedSerialExecutor() }

    private init(
        link: any ControllerLink, configuration: HostEngine.Configuration, security: SecuritySetup?,
        desk: SecurityDesk, handles: (any HandleStore)?, observer: (@Sendable (HostEngine.Note, Timestamp) -> Void)?
    ) {
        self.link = link
        self.handles = HandleDesk(handles)
        self.observer = observer
        self.desk = desk
        engine = HostEngine(configuration: configuration, security: security)
    }

    /// Initialises the controller behind `link`, hands a central to `body`, and gives the controller back when `body` is done.
    ///
    /// - Parameters:
    ///   - security: what it pairs with; without it every pairing is refused, and no private address is recognised
    ///   - handles: keeps what is learnt of peers' handles; without one it is known until the end of `body`
    ///   - observer: told of everything that deserves a line in a log, on the link's executor
    /// - Throws: `HostError` where the bonds cannot be read or the controller does not get ready, else what `body` throws
    public static func run<Result: Sendable>(
        over link: any ControllerLink, configuration: HostEngine.Configuration = .init(),
        security: CentralSecurity? = nil, handles: (any HandleStore)? = nil,
        observer: (@Sendable (HostEngine.Note, Timestamp) -> Void)? = nil, _ body: (Central) async throws -> Result
    ) async throws -> Result {
        let setup = try await security?.loaded()
        let central = Central(
            link: link, configuration: configuration, security: setup, desk: SecurityDesk(security), handles: handles,
            observer: observer)
        guard security != nil else { return try await central.live(body) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await central.runErrands() }
            return try await central.live(body)
        }
    }

    /// Starts, has `body` run, and stops, whatever happens.
    private nonisolated func live<Result: Sendable>(_ body: (Central) async throws -> Result) async throws -> Result {
        do {
            try await start()
            let result = try await body(self)
            await stop()
            return result
        } catch {
            await stop()
            throw error
        }
    }

    /// What is known of the controller.
    public var controller: Controller { engine.controller }

    /// The link's time.
    public var now: Moment { link.now }

    /// What the civil clock shows, or showed, at a moment.
    public nonisolated func civilTime(at moment: Moment) -> Timestamp {
        link.civilTime(at: moment)
    }

    /// Why nothing can be done any more; `nil` while things can.
    public var ending: HostError? { failure }

    // MARK: Life

    private func start() async throws {
        link.activate(self)
        _ = try await ask(.start)
    }

    /// Keeps what was learnt, disconnects what is connected, within a bound, and lets go of the link.
    private func stop() async {
        await saveHandles()
        await withCheckedContinuation { desk.wait($0) }
        if failure == nil { _ = try? await ask(.stop, canBeCancelled: false) }
        link.shutDown()
        fail(with: .linkEnded(.closed))
    }

    // MARK: What the link says

    public nonisolated func linkReceived(_ packet: [UInt8], at moment: Moment) {
        assumeIsolated { $0.feed { engine, effects in engine.receive(packet, at: moment, into: &effects) } }
    }

    public nonisolated func linkAlarm(at moment: Moment) {
        assumeIsolated { $0.feed { engine, effects in engine.advance(to: moment, into: &effects) } }
    }

    public nonisolated func linkEnded(_ reason: LinkEnd) {
        assumeIsolated { $0.feed { engine, effects in engine.linkEnded(reason, into: &effects) } }
    }

    // MARK: Asking

    /// Puts a request to the engine and waits for its answer. A cancelled task takes the request back and still waits for the
    /// engine to say so, so that nothing is left half done.
    func ask(_ request: HostEngine.Request, canBeCancelled: Bool = true) async throws(HostError) -> HostEngine.Answer {
        try await askWithTicket(request, canBeCancelled: canBeCancelled).answer
    }

    /// The same, and the ticket under which the answer came.
    func askWithTicket(
        _ request: HostEngine.Request, canBeCancelled: Bool = true
    ) async throws(HostError) -> (ticket: Ticket, answer: HostEngine.Answer) {
        try await waitForAnswer(canBeCancelled: canBeCancelled) { ticket in
            put(request, ticket)
        } cancel: { central, ticket in
            central.takeBack(ticket)
        }
    }

    /// Has `begin` ask for something under a ticket, and waits for the answer to it. A cancelled task has `cancel` take it back, and
    /// waits for the answer to that.
    func waitForAnswer(
        canBeCancelled: Bool = true, begin: (Ticket) -> Void,
        cancel: @escaping @Sendable (isolated Central, Ticket) -> Void
    ) async throws(HostError) -> (ticket: Ticket, answer: HostEngine.Answer) {
        if let failure { throw failure }
        if canBeCancelled, Task.isCancelled { throw .cancelled }
        let ticket = nextTicket()
        do {
            let answer = try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waiter in
                    waiters[ticket] = waiter
                    begin(ticket)
                    // Taken back before there was anything to take back: what the handler did then was in vain.
                    if canBeCancelled, Task.isCancelled { cancel(self, ticket) }
                }
            } onCancel: { [self] in
                guard canBeCancelled else { return }
                link.perform { [self] in assumeIsolated { cancel($0, ticket) } }
            }
            return (ticket, answer)
        } catch let error as HostError {
            throw error
        } catch {
            throw .ownFault("\(error)")
        }
    }

    /// Puts a request to the engine.
    func put(_ request: HostEngine.Request, _ ticket: Ticket) {
        feed { [now = link.now] engine, effects in engine.request(request, ticket: ticket, at: now, into: &effects) }
    }

    /// Takes a request back; it is answered all the same.
    func takeBack(_ ticket: Ticket) {
        feed { [now = link.now] engine, effects in engine.cancel(ticket, at: now, into: &effects) }
    }

    /// Puts a request to the engine whose answer nobody waits for.
    func tell(_ request: HostEngine.Request) {
        guard failure == nil else { return }
        let ticket = nextTicket()
        waiters.updateValue(nil, forKey: ticket)
        put(request, ticket)
    }

    /// Hands an answer to whom it concerns, once.
    func answer(_ ticket: Ticket, _ answer: Result<HostEngine.Answer, HostError>) {
        if case .failure = answer { peers.forget(ticket) }
        guard let waiter = waiters.removeValue(forKey: ticket) else {
            strayAnswers += 1
            return
        }
        waiter?.resume(with: answer.mapError { $0 as any Error })
    }

    /// Which bonded peer an address belongs to.
    func recognise(_ address: Address) -> DeviceAddress? {
        engine.identities.identity(of: DeviceAddress(.random, address))
            ?? engine.identities.identity(of: DeviceAddress(.public, address))
    }

    func nextTicket() -> Ticket {
        tickets += 1
        return Ticket(rawValue: tickets)
    }

    // MARK: Feeding and draining

    /// Lets `input` act on the engine, then carries out what comes of it. An effect may lead to further input; that is drained
    /// by the call already under way, so that effects keep their order.
    private func feed(_ input: (inout HostEngine, inout [HostEngine.Effect]) -> Void) {
        input(&engine, &effects)
        guard !isDraining else { return }
        isDraining = true
        var next = 0
        while next < effects.count {
            carryOut(effects[next])
            next += 1
        }
        effects.removeAll(keepingCapacity: true)
        isDraining = false
        link.setAlarm(failure == nil ? engine.nextDeadline : nil)
    }

    private func carryOut(_ effect: HostEngine.Effect) {
        switch effect {
        case .transmit(let packet): link.transmit(packet)
        case .answer(let ticket, let result):
            if case .success(.connected(let connection)) = result { peers.join(connection.id, ticket) }
            let askers = sharing.answered(ticket, with: result)?.map(\.ticket) ?? [ticket]
            for asker in askers { answer(asker, result) }
        case .sighting(let sighting): scans.deliver(sighting)
        case .scanEnded(let error): scans.end(error)
        case .notifying(let ticket, let source):
            for asker in sharing.notifying(ticket, from: source) { peers.open(source, for: asker) }
        case .notification(let source, let value, let moment):
            handles.endTrial(on: source.connection)
            peers.deliver(value, from: source, at: moment)
        case .connectionChanged(let connection): peers.update(connection)
        case .disconnected(let id, let status):
            sharing.close(id)
            handles.ended(id)
            peers.close(id, status)
        case .serviceChanged(let id, let range): serviceChanged(range, of: id)
        case .subscriptionEnded(let source): subscriptionEnded(source)
        case .ask(let id, let peer, let question): desk.ask(question, on: id, about: peer)
        case .show(_, let peer, let passkey): desk.user?.show(passkey, for: peer)
        case .withdraw(let id, let peer):
            desk.endQuestion(of: id)
            desk.user?.withdraw(for: peer)
        case .bonded(let id, let bond, let ownKey, let replaced):
            desk.keep(id, bond, ownKey: ownKey, replacing: replaced)
        case .notBonded(let id, let obstacle): if let peer = peers.peer(of: id) { desk.tell(peer, obstacle) }
        case .note(let note): observer?(note, link.civilTime)
        case .failed(let error): fail(with: error)
        }
    }

    /// Nothing can be done any more: everybody who waits is told, exactly once.
    private func fail(with error: HostError) {
        guard failure == nil else { return }
        failure = error
        link.setAlarm(nil)
        scans.end(error)
        peers.closeAll()
        desk.close()
        sharing.removeAll()
        // In the order in which they asked, so that a run repeats itself.
        for ticket in waiters.keys.sorted() { answer(ticket, .failure(error)) }
    }
}
