public import HCI
import HCITransport
public import Host
public import SMP
package import Wire

/// Keeps bonds in one file of the user's, for its owner alone.
///
/// Each change replaces the file as a whole and is on disk when it is done. A second process that changes it waits for its turn; one
/// that reads sees the old file or the new one. What a newer version of the program has written is left alone. A file that cannot be
/// trusted is moved out of the way under a name of its own, and reported: the keys in it can then still be looked at.
public struct BondFile: BondStore {
    /// Where it is.
    public var path: String { file.path }

    private var file: StateFile
    private let report: @Sendable (BondStoreError) -> Void
    /// What bonds are dated by.
    package var clock: @Sendable () -> Timestamp = { SystemClock.civilTime }
    /// How long another process may hold the file.
    package var patience = Duration.seconds(5)
    /// Called before each step that changes something on disk, and after the last.
    package var onStep: (@Sendable () -> Void)? {
        get { file.onStep }
        set { file.onStep = newValue }
    }

    /// - Parameters:
    ///   - path: of the file, which need not be there; its folder is made when it is needed
    ///   - report: told of what was found and mended where the call itself succeeds
    public init(path: String, report: @escaping @Sendable (BondStoreError) -> Void = { _ in }) {
        file = StateFile(path: path)
        self.report = report
    }

    /// The file of the user who started the program; `nil` for one without a home.
    ///
    /// Under sudo call this after `Privileges.drop`, or the file will be root's.
    public static func ofInvokingUser(report: @escaping @Sendable (BondStoreError) -> Void = { _ in }) -> BondFile? {
        UserFolders.invokingUser.state.map { BondFile(path: $0 + "/bonds", report: report) }
    }

    @concurrent public func load() async throws(BondStoreError) -> KnownBonds {
        if case .whole(let known) = try read() { return known }
        let turn = try takeTurn()
        return try settle(turn).orThrow()
    }

    @concurrent public func save(_ bond: Bond, ownKey: SecretKey) async throws(BondStoreError) {
        try keep([bond], ownKey)
    }

    /// Keeps bonds that were made elsewhere, all or none of them.
    ///
    /// - Parameters:
    ///   - bonds: each in place of what there was of its identity
    ///   - ownKey: as in `save`; `nil` where no peer was told one
    @concurrent public func take(_ bonds: [Bond], ownKey: SecretKey?) async throws(BondStoreError) {
        try keep(bonds, ownKey)
    }

    @concurrent public func remove(_ identity: DeviceAddress) async throws(BondStoreError) -> Bool {
        // Where nothing is kept, no folder is made for it.
        guard file.isThere else { return false }
        let turn = try takeTurn()
        var known = try settle(turn).orThrow()
        guard known[identity] != nil else { return false }
        known[identity] = nil
        try write(known, turn)
        return true
    }

    private func keep(_ bonds: [Bond], _ ownKey: SecretKey?) throws(BondStoreError) {
        let turn = try takeTurn()
        let settled = try settle(turn)
        var known = settled.known
        for bond in bonds { known.keep(bond, ownKey: ownKey, at: clock()) }
        guard known.bonds.count <= KnownBonds.capacity else {
            throw BondStoreError(
                .full, "\(path) holds \(settled.known.bonds.count) bonds, and no more than \(KnownBonds.capacity)")
        }
        try write(known, turn)
        if let damage = settled.damage { report(damage) }
    }
}

extension KnownBonds {
    fileprivate mutating func keep(_ bond: Bond, ownKey: SecretKey?, at now: Timestamp) {
        var bond = bond
        bond.since = bond.since ?? now
        bond.name = bond.name ?? self[bond.identity]?.name
        if self.ownKey == nil { self.ownKey = ownKey }
        // The peer will not resolve addresses that are made with another key than the one it was told.
        if self.ownKey != ownKey { bond.ownIdentity = nil }
        self[bond.identity] = bond
    }
}

// MARK: The file

extension BondFile {
    /// What the file says.
    private enum Reading {
        case whole(KnownBonds)
        case damaged(String)
    }

    /// What is kept, now that no damage is in its place any more.
    private struct Settled {
        var known = KnownBonds()
        var damage: BondStoreError?

        func orThrow() throws(BondStoreError) -> KnownBonds {
            if let damage { throw damage }
            return known
        }
    }

    private func read() throws(BondStoreError) -> Reading {
        let content: StateFile.Content?
        do throws(StateFile.Obstacle) {
            content = try file.content()
        } catch .tooLong {
            return .damaged("it is too long")
        } catch {
            throw BondStoreError(reading: error, at: path)
        }
        guard let content else { return .whole(KnownBonds()) }
        if content.isOpenToOthers { closeToOthers() }
        do throws(KnownBonds.Damage) {
            return .whole(try KnownBonds(text: content.octets))
        } catch .newerVersion(let version) {
            throw BondStoreError(
                .newerVersion, "\(path) is of version \(version), which a newer hr-raw has written; it is left alone")
        } catch {
            return .damaged(error.text)
        }
    }

    private func closeToOthers() {
        let consequence = file.closeToOthers() ? "no longer" : "and still can"
        report(
            BondStoreError(
                .exposed,
                "others than its owner could read \(path), \(consequence); with the keys in it they can read along on your links"
            ))
    }

    private func takeTurn() throws(BondStoreError) -> StateFile.Turn {
        do throws(TransportError) {
            return try file.takeTurn(within: patience)
        } catch {
            throw BondStoreError(changing: error, at: path)
        }
    }

    /// Reads the file in its turn, and moves it out of the way where it is damaged.
    private func settle(_ turn: borrowing StateFile.Turn) throws(BondStoreError) -> Settled {
        switch try read() {
        case .whole(let known): return Settled(known: known)
        case .damaged(let damage):
            guard let place = turn.setAside() else {
                throw BondStoreError(.damaged, "\(path) is damaged (\(damage)) and cannot be moved out of the way")
            }
            return Settled(
                damage: BondStoreError(.damaged, "\(path) is damaged (\(damage)) and is not used; it is now \(place)"))
        }
    }

    private func write(_ known: KnownBonds, _ turn: borrowing StateFile.Turn) throws(BondStoreError) {
        let text = known.text
        // What could not be read again must not take the place of what can.
        guard (try? KnownBonds(text: text)) != nil else {
            throw BondStoreError(.system, "a bond that cannot be: nothing is kept of it")
        }
        do throws(TransportError) {
            try turn.replace(with: text)
        } catch {
            throw BondStoreError(changing: error, at: path)
        }
    }
}
