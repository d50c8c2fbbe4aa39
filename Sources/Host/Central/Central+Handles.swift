import ATT
import GATT
import HCI
import Wire

/// What is known of peers' handles, and what of it the store has still to be told.
struct HandleDesk {
    private let store: (any HandleStore)?
    private(set) var cache: HandleCache
    private var unsaved: Set<DeviceAddress> = []
    /// Whether the store is being told: one after the other, so that what is newer is told later.
    var isSaving = false
    /// Connections in which handles of an earlier one are used, and no value has come yet.
    private var onTrial: [ConnectionID: DeviceAddress] = [:]
    /// What was learnt of in each connection, or is being.
    private var learnt: [ConnectionID: NotifyingCharacteristic] = [:]

    init(_ store: (any HandleStore)?) {
        self.store = store
        cache = store?.load() ?? HandleCache()
    }

    mutating func set(_ handles: KnownHandles?, of peer: DeviceAddress) {
        // Of addresses that change nothing is kept.
        guard peer.lasting != nil, cache[peer] != handles else { return }
        cache[peer] = handles
        unsaved.insert(peer)
    }

    /// Handles of an earlier connection are in use: they are only worth keeping where values come.
    mutating func beginTrial(of peer: DeviceAddress, on id: ConnectionID) { onTrial[id] = peer }

    /// A value came.
    mutating func endTrial(on id: ConnectionID) { if !onTrial.isEmpty { onTrial[id] = nil } }

    /// The connection is over.
    mutating func ended(_ id: ConnectionID) {
        learnt[id] = nil
        if let peer = onTrial.removeValue(forKey: id) { set(nil, of: peer) }
    }

    /// Begins to learn of a characteristic; answers whether nobody has yet in this connection.
    mutating func beginLearning(of characteristic: NotifyingCharacteristic, on id: ConnectionID) -> Bool {
        guard learnt[id] != characteristic else { return false }
        learnt[id] = characteristic
        return true
    }

    /// Nothing was learnt, or what was learnt is no longer so.
    mutating func forgetLearning(on id: ConnectionID) { learnt[id] = nil }

    /// What the store has still to be told, and the store; asked for once.
    mutating func takeUnsaved() -> (store: any HandleStore, changes: [(peer: DeviceAddress, handles: KnownHandles?)])? {
        defer { unsaved = [] }
        guard let store, !unsaved.isEmpty else { return nil }
        return (store, unsaved.map { ($0, cache[$0]) })
    }
}

extension Central {
    /// Subscribes with what is known of the peer's handles; forgets it where it turns out to be stale.
    func subscribe(
        _ id: ConnectionID, for user: Ticket, of peer: DeviceAddress, service: BluetoothUUID,
        characteristic: BluetoothUUID
    ) async throws(HostError) -> Subscription {
        let known = handles.cache[peer].flatMap { $0.isOf(characteristic, in: service) ? $0 : nil }
        let (subscription, basis): (Subscription, HandleBasis)
        do throws(HostError) {
            (subscription, basis) = try await subscribe(
                id, for: user, .subscribe(service: service, characteristic: characteristic, known: known))
        } catch {
            // A peer that leaves, or falls silent, when its handles are used may do so each time.
            if known != nil, error != .cancelled { handles.set(nil, of: peer) }
            throw error
        }
        if basis != .found { handles.beginTrial(of: peer, on: id) }
        // Found anew where it was, it holds; so it does where another user of the connection has found it. The store is told later:
        // values may be on their way already.
        if let known, basis == .found, known.characteristic != subscription.characteristic {
            handles.set(nil, of: peer)
        }
        return subscription
    }

    /// Learns how long the handles of a subscription hold, has the peer tell when they no longer do, and keeps them for later
    /// connections. Once is enough for all users of a connection.
    func learnHandles(
        _ id: ConnectionID, for user: Ticket, of peer: DeviceAddress, service: BluetoothUUID,
        _ characteristic: NotifyingCharacteristic
    ) async throws(HostError) {
        guard handles.beginLearning(of: characteristic, on: id) else { return await saveHandles() }
        let caching = try await askForCaching(of: characteristic, id, for: user)
        let learnt = KnownHandles(
            service: service, characteristic: characteristic, hasServiceChanged: caching.hasServiceChanged,
            databaseHash: caching.databaseHash, learnt: link.civilTime)
        let before = handles.cache[peer]
        if !caching.doHandlesHold {
            handles.set(nil, of: peer)
        } else if before.map({ !$0.isSame(as: learnt) || $0.learnt + .seconds(86_400) < learnt.learnt }) ?? true {
            handles.set(learnt, of: peer)
        }
        await saveHandles()
    }

    private func askForCaching(
        of characteristic: NotifyingCharacteristic, _ id: ConnectionID, for user: Ticket
    ) async throws(HostError) -> Caching {
        do throws(HostError) {
            let answer = try await ask(.learnCaching(characteristic), of: id, for: user).answer
            guard case .caching(let caching) = answer else { throw answer.isOfAnotherKind }
            return caching
        } catch {
            handles.forgetLearning(on: id)
            throw error
        }
    }

    /// Ends the streams of values that came from there; whatever was known of the peer has shown not to hold.
    func subscriptionEnded(_ source: HostEngine.Source) {
        peers.endReading(from: source)
        sharing.forget(source.connection) { $0 == source.handle }
        handles.forgetLearning(on: source.connection)
        guard let peer = peers.peer(of: source.connection) else { return }
        handles.set(nil, of: peer)
    }

    /// Forgets the handles that may no longer hold.
    func serviceChanged(_ range: HandleRange, of id: ConnectionID) {
        handles.forgetLearning(on: id)
        guard let peer = peers.peer(of: id), var known = handles.cache[peer] else { return }
        // The hash stands for the whole database: no handle of it is proven by the old one.
        known.databaseHash = nil
        handles.set(known.characteristic.service.overlaps(range) ? nil : known, of: peer)
    }

    /// Tells the store what has changed. What changes meanwhile is told by whoever tells already; what changes without anybody to wait
    /// for the store, when the central stops.
    func saveHandles() async {
        guard !handles.isSaving else { return }
        handles.isSaving = true
        while let (store, changes) = handles.takeUnsaved() {
            for change in changes { await store.save(change.handles, of: change.peer) }
        }
        handles.isSaving = false
    }
}

extension KnownHandles {
    fileprivate func isOf(_ characteristic: BluetoothUUID, in service: BluetoothUUID) -> Bool {
        self.service == service && self.characteristic.uuid == characteristic
    }
}
