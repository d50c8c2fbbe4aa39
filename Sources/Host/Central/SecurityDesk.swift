import HCI
import SMP

/// What has to be done for pairing away from the link's executor.
enum SecurityErrand: Sendable {
    /// Keep a bond, in place of another identity's where that is given.
    case keep(ConnectionID, Bond, ownKey: SecretKey, replacing: DeviceAddress?)
    /// Say that the keys of a pairing are not kept.
    case tell(DeviceAddress, HostEngine.BondObstacle)
    /// Ask the user, until the stream ends.
    case ask(ConnectionID, DeviceAddress, PairingQuestion, withdrawn: AsyncStream<Void>)
}

/// The errands of one central, in order.
///
/// Whoever runs them is not told of a cancelled task: what a peer has agreed to keep is kept here, too, whatever ends the program.
struct SecurityDesk {
    let user: (any PairingUser)?
    let store: (any BondStore)?
    private var errands: [SecurityErrand] = []
    private var isClosed = false
    private var runner: CheckedContinuation<SecurityErrand?, Never>?
    /// Ends the question of each connection.
    private var questions: [ConnectionID: AsyncStream<Void>.Continuation] = [:]
    private var unkept = 0
    /// Why a bond could not be kept, until somebody asks.
    private var failures: [ConnectionID: BondStoreError] = [:]
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Failures that nobody asks for are not gathered without end.
    private static let mostFailures = 64

    init(_ security: CentralSecurity?) {
        user = security?.user
        store = security?.store
    }

    /// Questions, and errands that are not done.
    var count: Int { questions.count + errands.count + unkept }

    // MARK: Giving errands

    mutating func keep(_ id: ConnectionID, _ bond: Bond, ownKey: SecretKey, replacing identity: DeviceAddress?) {
        unkept += 1
        failures[id] = nil
        give(.keep(id, bond, ownKey: ownKey, replacing: identity))
    }

    mutating func tell(_ peer: DeviceAddress, _ obstacle: HostEngine.BondObstacle) { give(.tell(peer, obstacle)) }

    mutating func ask(_ question: PairingQuestion, on id: ConnectionID, about peer: DeviceAddress) {
        endQuestion(of: id)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        questions[id] = continuation
        give(.ask(id, peer, question, withdrawn: stream))
    }

    mutating func endQuestion(of id: ConnectionID) { questions.removeValue(forKey: id)?.finish() }

    /// Nothing more will come; what there is is done first.
    mutating func close() {
        isClosed = true
        for id in Array(questions.keys) { endQuestion(of: id) }
        if errands.isEmpty { hand(nil) }
    }

    private mutating func give(_ errand: SecurityErrand) {
        if runner != nil { hand(errand) } else { errands.append(errand) }
    }

    private mutating func hand(_ errand: SecurityErrand?) {
        runner?.resume(returning: errand)
        runner = nil
    }

    // MARK: Running them

    /// Gives the next errand once there is one; `nil` when there will be none.
    mutating func next(for runner: CheckedContinuation<SecurityErrand?, Never>) {
        if !errands.isEmpty {
            runner.resume(returning: errands.removeFirst())
        } else if isClosed {
            runner.resume(returning: nil)
        } else {
            self.runner = runner
        }
    }

    mutating func kept(_ id: ConnectionID, _ outcome: Result<Void, BondStoreError>) {
        unkept -= 1
        if case .failure(let error) = outcome {
            if failures.count >= Self.mostFailures { failures = [:] }
            failures[id] = error
        }
        guard unkept == 0 else { return }
        for waiter in waiting { waiter.resume() }
        waiting = []
    }

    // MARK: Waiting for bonds

    /// Goes on once all bonds so far are kept, or could not be.
    mutating func wait(_ waiter: CheckedContinuation<Void, Never>) {
        if unkept == 0 { waiter.resume() } else { waiting.append(waiter) }
    }

    mutating func takeFailure(of id: ConnectionID) -> BondStoreError? { failures.removeValue(forKey: id) }
}
