public import HCI
public import SMP
public import Wire

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
        if let failure = desk.takeFailure(of: id) { throw .bondStore(failure) }
        return security
    }

    // MARK: Errands

    /// Runs the errands until the central stops: bonds are kept one after the other, and what is asked of the user delays none.
    nonisolated func runErrands() async {
        let (user, store) = await (desk.user, desk.store)
        await withDiscardingTaskGroup { group in
            while let errand = await nextErrand() {
                switch errand {
                case .keep(let id, let bond, let ownKey, let replaced):
                    let outcome = await Self.keep(bond, ownKey, replacing: replaced, in: store)
                    await kept(id, outcome)
                    await user?.kept(bond, outcome)
                case .tell(let peer, let obstacle):
                    await user?.notBonded(with: peer, obstacle)
                case .ask(let id, let peer, let question, let withdrawn):
                    group.addTask { await self.put(question, to: user, about: peer, on: id, until: withdrawn) }
                }
            }
            group.cancelAll()
        }
    }

    private func nextErrand() async -> SecurityErrand? { await withCheckedContinuation { desk.next(for: $0) } }

    private func kept(_ id: ConnectionID, _ outcome: Result<Void, BondStoreError>) { desk.kept(id, outcome) }

    private static func keep(
        _ bond: Bond, _ ownKey: SecretKey, replacing identity: DeviceAddress?, in store: (any BondStore)?
    ) async -> Result<Void, BondStoreError> {
        do throws(BondStoreError) {
            try await store?.save(bond, ownKey: ownKey)
            if let identity { _ = try await store?.remove(identity) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

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
        if let answer { await tell(.answerPairing(id, question, answer)) }
    }
}
