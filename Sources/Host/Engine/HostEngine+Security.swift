import HCI
import SMP
import Wire

extension HostEngine {
    /// What secures a new connection.
    func makeSecurityManager(of connection: Connection) -> SecurityManager {
        var configuration = SecurityManager.Configuration(
            role: .central, ownAddress: connection.ownAddress, peerAddress: connection.airAddress)
        if let security { configuration.policy = security.policy }
        configuration.ownIdentity = ownKey.map { OwnIdentity(resolvingKey: $0, address: controller.ownAddress) }
        configuration.notBefore = attempts.notBefore(connection.peer)
        return SecurityManager(configuration, bond: identities[connection.peer], toolbox: security?.toolbox)
    }

    /// The key by which bonded peers recognise this host: the one that is kept, or a new one.
    mutating func prepareOwnKey() throws(HostError) {
        guard let security, ownKey == nil else { return }
        do throws(ToolboxError) {
            ownKey = SecretKey(try security.toolbox.random(SecretKey.length))
        } catch {
            throw .security(.toolbox(error))
        }
    }

    /// Somebody wants a connection protected, or paired anew.
    mutating func wish(
        _ level: SecurityLevel, isPairing: Bool, of id: ConnectionID, _ ticket: Ticket, at now: Moment,
        into effects: inout [Effect]
    ) {
        actOnLink(id, ticket, at: now, into: &effects) { link, effects in
            let wish = SecurityQueue.Wish(ticket: ticket, level: level, isPairing: isPairing)
            link.wish(wish, at: now, into: &effects)
        }
    }

    /// A connection is better protected.
    mutating func secured(
        _ handle: ConnectionHandle, isPaired: Bool, at now: Moment, into effects: inout [Effect]
    ) {
        if let peer = links[handle]?.connection.peer { attempts.succeeded(with: peer) }
        act(on: handle, at: now, into: &effects) { link, effects in
            link.secured(isPaired: isPaired, at: now, into: &effects)
        }
    }

    /// A connection is no better protected: the next attempt has to wait, on a later connection, too.
    mutating func notSecured(
        _ handle: ConnectionHandle, _ failure: SecurityFailure, isOfPairing: Bool, at now: Moment,
        into effects: inout [Effect]
    ) {
        if let peer = links[handle]?.connection.peer { attempts.failed(with: peer, failure, at: now) }
        act(on: handle, at: now, into: &effects) { link, effects in
            link.notSecured(failure, isOfPairing: isOfPairing, at: now, into: &effects)
        }
    }

    /// Has the controller encrypt a connection.
    mutating func encrypt(_ handle: ConnectionHandle, with key: LongTermKey) {
        guard let link = links[handle] else { return }
        send(
            LEEnableEncryption {
                $0.handle = handle
                $0.random = key.random
                $0.diversifier = key.encryptedDiversifier
                $0.longTermKey = key.key.octets
            }, .encryption(link.id))
    }

    /// The controller has encrypted a connection, or not, or no longer.
    mutating func encryptionChanged(
        _ handle: ConnectionHandle, _ status: Status, isOn: Bool, at now: Moment, into effects: inout [Effect]
    ) {
        act(on: handle, at: now, into: &effects) { link, effects in
            link.tell(.encryptionChanged(status, isOn: isOn), at: now, into: &effects)
        }
    }

    /// The controller did not take the command; taken, it is followed by Encryption Change.
    mutating func encryptionAnswered(
        _ id: ConnectionID, _ outcome: CommandOutcome, _ opcode: HCI.Opcode, at now: Moment,
        into effects: inout [Effect]
    ) {
        guard links[id.handle]?.id == id, let failure = outcome.failure(of: opcode) else { return }
        let status: Status = if case .command(.refused(_, let status)) = failure { status } else { .unspecifiedError }
        encryptionChanged(id.handle, status, isOn: false, at: now, into: &effects)
    }

    /// Keeps what a pairing has brought, where the peer can be met again by it.
    mutating func keep(_ bond: Bond, of handle: ConnectionHandle, at now: Moment, into effects: inout [Effect]) {
        guard let link = links[handle], let ownKey else { return }
        if let obstacle = obstacle(to: bond, of: link.connection) {
            effects.append(.notBonded(link.id, obstacle))
            let before = identities[link.connection.peer]
            return act(on: handle, at: now, into: &effects) { link, effects in
                link.notBonded(before, into: &effects)
            }
        }
        let isFirst = identities.isEmpty
        let replaced =
            link.connection.peer.plain == bond.identity.plain ? nil : identities[link.connection.peer]?.identity
        if let replaced { forget(replaced) }
        identities.set(bond)
        // What the controller was told of the peer's keys before is no longer so.
        privacy.list.forget(bond.identity.plain)
        effects.append(.bonded(link.id, bond, ownKey: ownKey, replacing: replaced))
        if isFirst { renewPrivateAddress(at: now, into: &effects) }
        act(on: handle, at: now, into: &effects) { link, effects in
            link.update(into: &effects) { $0.peer = bond.identity.plain }
        }
    }

    /// Why the keys of a pairing are not worth keeping; `nil` where they are.
    private func obstacle(to bond: Bond, of connection: Connection) -> BondObstacle? {
        // Anybody can claim to be a known peer.
        if identities[bond.identity] != nil, connection.peer.plain != bond.identity.plain {
            return .claimsIdentity(bond.identity)
        }
        if bond.identityResolvingKey == nil, bond.identity.lasting == nil { return .addressChanges }
        if bond.ownIdentity == nil, connection.ownAddress.lasting == nil { return .knowsPrivateAddress }
        return nil
    }

    /// Forgets a bond; a connection that it protects goes on.
    mutating func forget(_ identity: DeviceAddress) {
        identities.remove(identity)
        privacy.list.forget(identity.plain)
    }
}
