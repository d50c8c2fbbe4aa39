public import HCI
public import SMP
public import Wire

/// What has to be done for pairing away from the link's executor.
enum SecurityErrand: Sendable {
    /// Keep a bond.
    case keep(Bond, ownKey: SecretKey)
    /// Ask the user, until the stream ends.
    case ask(ConnectionID, DeviceAddress, PairingQuestion, withdrawn: AsyncStream<Void>)
}

/// Which errands are under way.
struct SecurityDesk {
    private let outlet: AsyncStream<SecurityErrand>.Continuation
    let errands: AsyncStream<SecurityErrand>
    let user: (any PairingUser)?
    let store: (any BondStore)?
    /// Ends the question of each connection.
    private var questions: [ConnectionID: AsyncStream<Void>.Continuation] = [:]
    private var unkept = 0
    /// Why a bond could not be kept, until somebody asks.
    private var failures: [DeviceAddress: BondStoreError] = [:]
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ security: CentralSecurity?) {
        user = security?.user
        store = security?.store
        (errands, outlet) = AsyncStream.makeStream()
    }

    /// Questions, and bonds that are not kept yet.
    var count: Int { questions.count + unkept }

    mutating func keep(_ bond: Bond, ownKey: SecretKey) {
        unkept += 1
        failures[bond.identity] = nil
        outlet.yield(.keep(bond, ownKey: ownKey))
    }

    mutating func kept(_ bond: Bond, _ outcome: Result<Void, BondStoreError>) {
        unkept -= 1
        if case .failure(let error) = outcome { failures[bond.identity] = error }
        guard unkept == 0 else { return }
        for waiter in waiting { waiter.resume() }
        waiting = []
    }

    mutating func ask(_ question: PairingQuestion, on id: ConnectionID, about peer: DeviceAddress) {
        withdraw(id)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        questions[id] = continuation
        outlet.yield(.ask(id, peer, question, withdrawn: stream))
    }

    mutating func withdraw(_ id: ConnectionID) { questions.removeValue(forKey: id)?.finish() }

    mutating func closeAll() {
        for id in Array(questions.keys) { withdraw(id) }
        outlet.finish()
    }

    mutating func wait(_ waiter: CheckedContinuation<Void, Never>) {
        if unkept == 0 { waiter.resume() } else { waiting.append(waiter) }
    }

    mutating func takeFailure(of identity: DeviceAddress) -> BondStoreError? {
        failures.removeValue(forKey: identity)
    }
}

extension Central {
    /// The peers that the host is bonded with.
    public var bonds: [Bond] { engine.identities.all }

    /// Which bonded peer an address belongs to, as its identity or as one of its private ones; `nil` where none.
    public func identity(of address: Address) -> DeviceAddress? { recognise(address) }

    /// Forgets the keys of a peer, here and in the store. The peer itself is not told: it keeps its own.
    ///
    /// - Returns: whether there were any
    /// - Throws: `HostError.bondStore`
    @discardableResult
    public func forget(_ identity: DeviceAddress) async throws(HostError) -> Bool {
        let isKnown = engine.identities[identity] != nil
        _ = try await ask(.forgetBond(identity))
        do throws(BondStoreError) {
            let isKept = try await desk.store?.remove(identity.plain) ?? false
            return isKnown || isKept
        } catch {
            throw .bondStore(error)
        }
    }

    func secure(_ id: ConnectionID, _ level: SecurityLevel, for user: Ticket) async throws(HostError) -> LinkProtection
    {
        guard !peers.hasLeft(id, user) else { throw .disconnected(.terminatedByLocalHost) }
        let answer = try await ask(.secure(id, level))
        guard case .secured(let security) = answer else { throw answer.isOfAnotherKind }
        return security
    }

    func pair(_ id: ConnectionID, _ level: SecurityLevel, for user: Ticket) async throws(HostError) -> LinkProtection {
        guard !peers.hasLeft(id, user) else { throw .disconnected(.terminatedByLocalHost) }
        let answer = try await ask(.pair(id, level))
        guard case .secured(let security) = answer else { throw answer.isOfAnotherKind }
        await withCheckedContinuation { desk.wait($0) }
        if let peer = peers.peer(of: id), let failure = desk.takeFailure(of: peer) { throw .bondStore(failure) }
        return security
    }

    // MARK: Errands

    /// Runs the errands until the central stops: bonds are kept one after the other, and what is asked of the user delays none.
    nonisolated func runErrands() async {
        let (errands, user, store) = await (desk.errands, desk.user, desk.store)
        await withDiscardingTaskGroup { group in
            for await errand in errands {
                switch errand {
                case .keep(let bond, let ownKey):
                    let outcome = await Self.keep(bond, ownKey, in: store)
                    await kept(bond, outcome)
                    await user?.kept(bond, outcome)
                case .ask(let id, let peer, let question, let withdrawn):
                    group.addTask { await self.put(question, to: user, about: peer, on: id, until: withdrawn) }
                }
            }
            group.cancelAll()
        }
    }

    private static func keep(
        _ bond: Bond, _ ownKey: SecretKey, in store: (any BondStore)?
    ) async -> Result<Void, BondStoreError> {
        do throws(BondStoreError) {
            try await store?.save(bond, ownKey: ownKey)
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func kept(_ bond: Bond, _ outcome: Result<Void, BondStoreError>) { desk.kept(bond, outcome) }

    private nonisolated func put(
        _ question: PairingQuestion, to user: (any PairingUser)?, about peer: DeviceAddress, on id: ConnectionID,
        until withdrawn: AsyncStream<Void>
    ) async {
        let answer = await withTaskGroup(of: PairingAnswer?.self) { group in
            group.addTask { await user?.answer(question, about: peer) ?? PairingAnswer.none }
            group.addTask {
                for await _ in withdrawn {}
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let answer { await tell(.answerPairing(id, answer)) }
    }
}
