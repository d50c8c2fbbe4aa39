import HCI
import HeartRate
import Host
import SMP
import Simulator
import Synchronization
import Testing
import Wire

/// What pairing means for those who ask for it through a central: several at once, somebody who gives up, a store that fails, a run that
/// ends in the midst of it.
@Suite struct PairingPeopleTests {
    private static let strap = DeviceAddress(.random, Address(rawValue: 0xC000_5E00_5301))

    /// Keeps bonds in memory, or refuses to.
    private final class Shelf: BondStore {
        private let known: Mutex<KnownBonds>
        private let failure: BondStoreError?
        private let saved = Mutex(0)

        init(_ bonds: [Bond] = [], failure: BondStoreError? = nil) {
            known = Mutex(KnownBonds(ownKey: SecretKey([UInt8](repeating: 7, count: 16)), bonds: bonds))
            self.failure = failure
        }

        var bonds: [Bond] { known.withLock { $0.bonds } }
        var saves: Int { saved.withLock { $0 } }

        func load() async throws(BondStoreError) -> KnownBonds { known.withLock { $0 } }

        @concurrent func save(_ bond: Bond, ownKey: SecretKey) async throws(BondStoreError) {
            if let failure { throw failure }
            saved.withLock { $0 += 1 }
            known.withLock { $0[bond.identity] = bond }
        }

        @concurrent func remove(_ identity: DeviceAddress) async throws(BondStoreError) -> Bool {
            known.withLock { known in
                defer { known[identity] = nil }
                return known[identity] != nil
            }
        }
    }

    private func run<Result: Sendable>(
        _ name: String, _ shelf: Shelf, _ body: @escaping @Sendable (Peer) async throws -> Result
    ) async throws -> Result {
        let scenario = try #require(Scenario.named(name))
        var pairing = Pairing.alone
        pairing.store = shelf
        return try await withVirtualCentral(scenario, pairing: pairing) { central in
            try await central.withConnection(to: Self.strap, body)
        }
    }

    @Test func aPairingIsKeptWhenItIsAnswered() async throws {
        let shelf = Shelf()
        let kept = try await run("encrypted", shelf) { peer in
            let protection = try await peer.pair()
            #expect(protection.isBonded)
            return shelf.bonds.count
        }
        #expect(kept == 1)
    }

    @Test func aBondThatCannotBeKeptIsNoSuccess() async throws {
        let failure = BondStoreError(.system, "the disk is full")
        let shelf = Shelf(failure: failure)
        await #expect(throws: HostError.bondStore(failure)) {
            try await run("encrypted", shelf) { peer in _ = try await peer.pair() }
        }
    }

    /// What both sides have agreed on is kept, whatever ends the run a moment later.
    @Test func aCancelledRunKeepsItsBond() async throws {
        let shelf = Shelf()
        let ending = await withTaskGroup(of: (any Error)?.self) { group in
            group.addTask {
                do {
                    try await run("encrypted", shelf) { peer in
                        _ = try await peer.secure(.encrypted)
                        // As by a signal: this task, and all below it, are taken back while the bond's errand is on its way.
                        unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
                        try Task.checkCancellation()
                    }
                    return nil
                } catch {
                    return error
                }
            }
            return await group.next() ?? nil
        }
        #expect(ending is CancellationError)
        #expect(shelf.bonds.count == 1)
    }

    /// Two want the same pairing: it is made once, and one who gives up takes nothing from the other.
    @Test func oneWhoGivesUpLeavesTheOtherWhatHeWaitsFor() async throws {
        let shelf = Shelf()
        let protection = try await run("encrypted", shelf) { peer in
            try await withThrowingTaskGroup(of: LinkProtection?.self) { group in
                group.addTask { try await peer.pair() }
                group.addTask {
                    await withTaskGroup(of: Void.self) { impatient in
                        impatient.addTask { _ = try? await peer.secure(.encrypted) }
                        impatient.cancelAll()
                    }
                    return nil
                }
                var result: LinkProtection?
                while let next = try await group.next() { result = next ?? result }
                return result
            }
        }
        #expect(protection?.level == .encrypted)
        #expect(shelf.bonds.count == 1)
    }

    /// A strap that asks for security itself is not paired with a second time because the user asks, too.
    @Test func aPairingThatIsUnderWayIsTheOneThatIsWanted() async throws {
        let shelf = Shelf()
        try await run("security-request", shelf) { peer in
            _ = try await peer.pair()
            try await peer.central.wait(.seconds(5))
        }
        #expect(shelf.saves == 1)
    }

    @Test func whatIsForgottenIsForgottenInTheStore() async throws {
        let shelf = Shelf()
        let scenario = try #require(Scenario.named("encrypted"))
        var pairing = Pairing.alone
        pairing.store = shelf
        let wasThere = try await withVirtualCentral(scenario, pairing: pairing) { central in
            try await central.withConnection(to: Self.strap) { peer in _ = try await peer.pair() }
            #expect(await central.identity(of: Self.strap.address) == Self.strap)
            return try await central.forget(Self.strap)
        }
        #expect(wasThere)
        #expect(shelf.bonds.isEmpty)
    }

    /// A peer that gives itself out for another one that is bonded gets no bond by that, and takes none from it.
    @Test func nobodyTakesAnothersBond() async throws {
        let other = DeviceAddress(.random, Address(rawValue: 0xC000_5E00_5302))
        var bond = Bond(identity: other, level: .encrypted, ownAddress: DeviceAddress(.public, .zero))
        bond.centralKey = SecretKey([UInt8](repeating: 9, count: 16)).map { LongTermKey(key: $0, size: 16) }
        let shelf = Shelf([bond])
        let scenario = try #require(Scenario.named("borrowed-identity"))
        var pairing = Pairing.alone
        pairing.store = shelf
        let protection = try await withVirtualCentral(scenario, pairing: pairing) { central in
            let target = try await central.find(.any)
            return try await central.withConnection(to: target) { peer in try await peer.pair() }
        }
        #expect(protection.level == .encrypted && !protection.isBonded)
        #expect(shelf.bonds == [bond])
        #expect(shelf.saves == 0)
    }
}
