public import ATT
public import GATT
public import HCI
public import SMP
public import Wire

/// One notification or indication as it came.
public struct AttributeNotification: Hashable, Sendable {
    /// The value as it was sent.
    public var value: [UInt8]
    /// When it arrived.
    public var moment: Moment
}

/// A connected peripheral, as one of its users has it: others may share the connection, which lasts until the last one
/// disconnects. It knows its connection's generation: used after the connection ended, every call throws
/// `HostError.disconnected`, and nothing is ever sent to a later connection in its stead.
public struct Peer: Sendable {
    /// The host that holds the connection.
    public let central: Central
    /// Names the connection for good.
    public let id: ConnectionID
    /// Names the user among those who share the connection: the ticket under which it was asked for.
    let user: Ticket
    /// Whom the connection is with, by the address that was asked for.
    public let target: DeviceAddress

    /// What is known of the connection now; `nil` once it has ended.
    public var connection: Connection? {
        get async { await central.peers.connection(id, user) }
    }

    /// What is known of the connection, now and whenever its interval, latency, timeout or MTU changes, until it ends. Only the newest
    /// waits for a slow reader.
    public var changes: AsyncStream<Connection> {
        get async { await central.changes(of: id, user) }
    }

    /// Why the connection ended; `nil` while it lasts.
    public var ending: Status? {
        get async { await central.peers.ending(of: id, user) }
    }

    /// All services, characteristics and descriptors (Core Vol 3, Part G, 4.4 to 4.7).
    public func discover() async throws(HostError) -> Database {
        let answer = try await ask(.discover)
        guard case .database(let database) = answer else { throw answer.isOfAnotherKind }
        return database
    }

    /// The first service of that UUID with its characteristics; `nil` where the peer has none.
    public func discover(service: BluetoothUUID) async throws(HostError) -> Service? {
        let answer = try await ask(.discoverService(service))
        guard case .service(let service) = answer else { throw answer.isOfAnotherKind }
        return service
    }

    /// A whole value, however long (Core Vol 3, Part G, 4.8.1 and 4.8.3).
    public func read(_ handle: Handle) async throws(HostError) -> [UInt8] {
        let answer = try await ask(.read(handle))
        guard case .value(let value) = answer else { throw answer.isOfAnotherKind }
        return value
    }

    /// Several values, whole, in as few requests as can be; a value that the peer refuses says so in its place (Core Vol 3, Part G,
    /// 4.8.1 to 4.8.5).
    ///
    /// - Parameter raisesSecurity: whether the link is protected better for a value that the peer refuses for want of that
    public func read(_ handles: [Handle], raisesSecurity: Bool = false) async throws(HostError) -> [ReadEveryValue
        .Content]
    {
        let answer = try await ask(.readValues(handles, raisesSecurity: raisesSecurity))
        guard case .values(let values) = answer else { throw answer.isOfAnotherKind }
        return values
    }

    /// Several values whose lengths are known, in one request; for the last, as many octets as come (Core Vol 3, Part G, 4.8.4).
    public func read(_ handles: [Handle], lengths: [Int]) async throws(HostError) -> [[UInt8]] {
        let answer = try await ask(.readTogether(handles, lengths: lengths))
        guard case .values(let values) = answer else { throw answer.isOfAnotherKind }
        return values.compactMap { try? $0.get() }
    }

    /// The values of all attributes of a type, with their handles, without discovery (Core Vol 3, Part G, 4.8.2).
    ///
    /// - Parameter raisesSecurity: whether the link is protected better for a value that the peer refuses for want of that
    public func read(
        every type: BluetoothUUID, raisesSecurity: Bool = false
    ) async throws(HostError) -> [ReadByTypeResponse.Entry] {
        let answer = try await ask(.readEvery(type, raisesSecurity: raisesSecurity))
        guard case .entries(let entries) = answer else { throw answer.isOfAnotherKind }
        return entries
    }

    /// Writes a value of up to 512 octets and waits for the peer's agreement (Core Vol 3, Part G, 4.9.3 and 4.9.4).
    public func write(_ value: [UInt8], to handle: Handle) async throws(HostError) {
        _ = try await ask(.write(handle, value))
    }

    /// Writes values all or not at all, and not at all where the peer has understood any otherwise (Core Vol 3, Part G, 4.9.5).
    public func writeReliably(_ targets: [WriteParts.Target]) async throws(HostError) {
        _ = try await ask(.writeReliably(targets))
    }

    /// Refuses a signed write (Core Vol 3, Part G, 4.9.2): it takes a signing key, which two devices exchange when they bond.
    ///
    /// - Throws: `GATTError.noSigningKey`, always; nothing is sent
    public func writeSigned(_ value: [UInt8], to handle: Handle) throws(HostError) {
        throw .peer(.noSigningKey(handle: handle))
    }

    /// Writes without being told whether the peer took it; answered once the value is with the controller, so that who waits for it
    /// writes no faster than it goes (Core Vol 3, Part G, 4.9.1).
    ///
    /// - Throws: `GATTError.notSent` for a value that does not fit into one PDU, and where too many wait already
    public func writeWithoutResponse(_ value: [UInt8], to handle: Handle) async throws(HostError) {
        _ = try await ask(.writeWithoutResponse(handle, value))
    }

    /// Makes the connection fit for its work: MTU, packet length and PHY, as far as the two sides have them. Best done once what is
    /// urgent is done.
    public func tune(_ tuning: LinkTuning) async throws(HostError) {
        try await reasoned { () async throws(HostError) in try await central.tune(id, tuning, for: user) }
        try await exchangeMTU()
    }

    /// Agrees on the largest MTU that both can do, in octets (Core Vol 3, Part F, 3.4.2).
    @discardableResult
    public func exchangeMTU() async throws(HostError) -> Int {
        let answer = try await ask(.exchangeMTU)
        guard case .mtu(let mtu) = answer else { throw answer.isOfAnotherKind }
        return mtu
    }

    /// The strength of the peer's signal in dBm; `nil` where the controller does not know (Core Vol 4, Part E, 7.5.4).
    public func signalStrength() async throws(HostError) -> Int8? {
        let answer = try await central.readSignalStrength(of: id, for: user)
        guard case .signalStrength(let strength) = answer else { throw answer.isOfAnotherKind }
        return strength
    }

    /// Finds a characteristic, enables its notifications (indications where it has no notifications) and gives what it sends.
    ///
    /// The stream is open before the peer is told to notify, so that the first value is not missed. It ends with the connection, or
    /// when the peer's attributes change: where the connection lasts, subscribe again.
    ///
    /// Handles that `learnHandles(of:in:)` kept in an earlier connection are used where they hold.
    public func subscribe(
        service: BluetoothUUID, characteristic: BluetoothUUID
    ) async throws(HostError) -> Subscription {
        try await reasoned { () async throws(HostError) in
            try await central.subscribe(id, for: user, of: target, service: service, characteristic: characteristic)
        }
    }

    /// Enables the notifications of a characteristic that discovery has found, and gives what it sends.
    public func subscribe(to characteristic: NotifyingCharacteristic) async throws(HostError) -> Subscription {
        try await reasoned { () async throws(HostError) in
            try await central.subscribe(id, for: user, .enable(characteristic)).subscription
        }
    }

    /// Learns how long the handles of a subscription hold, and keeps them for later connections, which then need one or two
    /// requests for it (Core Vol 3, Part G, 2.5.2). One subscription is kept a peer. Takes some requests: best done once values
    /// come.
    public func learnHandles(of subscription: Subscription, in service: BluetoothUUID) async throws(HostError) {
        try await reasoned { () async throws(HostError) in
            try await central.learnHandles(id, for: user, of: target, service: service, subscription.characteristic)
        }
    }

    /// Has the link protected at least so well: with the key of the bond where that is enough, else by pairing. Accesses that the peer
    /// refuses for want of protection do so by themselves.
    ///
    /// - Returns: what protects it now
    /// - Throws: `HostError.security` where that does not come about
    @discardableResult
    public func secure(_ level: SecurityLevel) async throws(HostError) -> LinkProtection {
        try await reasoned { () async throws(HostError) in try await central.secure(id, level, for: user) }
    }

    /// Pairs, whatever keys there are. Done, the keys are kept, unless one side wants no bond.
    ///
    /// - Parameter level: what the pairing must bring at least
    /// - Returns: what protects the link now
    /// - Throws: `HostError.security` where the pairing fails, `.bondStore` where its keys cannot be kept
    @discardableResult
    public func pair(_ level: SecurityLevel = .encrypted) async throws(HostError) -> LinkProtection {
        try await reasoned { () async throws(HostError) in try await central.pair(id, level, for: user) }
    }

    /// Leaves: the streams end that were opened through this peer, and with the last user's leave the connection
    /// (Core Vol 4, Part E, 7.1.6).
    public func disconnect() async { await central.leave(id, user) }

    private func ask(_ request: HostEngine.GATTRequest) async throws(HostError) -> HostEngine.Answer {
        try await reasoned { () async throws(HostError) in try await central.ask(request, of: id, for: user).answer }
    }

    /// Runs `body`; a connection that had ended before is told with the reason for its end.
    private func reasoned<Value: Sendable>(
        _ body: () async throws(HostError) -> Value
    ) async throws(HostError) -> Value {
        do {
            return try await body()
        } catch .disconnected(.unknownConnectionIdentifier) {
            throw .disconnected(await ending ?? .unknownConnectionIdentifier)
        } catch {
            throw error
        }
    }
}

/// A characteristic that notifies.
public struct Subscription: Sendable {
    /// What was subscribed to.
    public let characteristic: NotifyingCharacteristic
    /// What it sends, until the connection ends or the peer's attributes change.
    public let notifications: AsyncStream<Delivery<AttributeNotification>>

    /// The handle of the characteristic's value.
    public var valueHandle: Handle { characteristic.valueHandle }
}
