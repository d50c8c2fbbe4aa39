import HCI
import Wire

/// Phase 3: over the encrypted link each side hands its keys out, the responder first (Core Vol 3, Part H, 2.4.3).
struct KeyExchange: Hashable {
    /// What of the peer's is still to come. The order is given (2.4.3) and not insisted on: it protects nobody.
    private var awaited: [PairingCode]
    private var peers = PeersKeys()
    private let own: OwnKeys
    private let isInitiator: Bool

    /// - Parameter identity: of this device, where it hands one out
    init(
        _ context: PairingContext, gives identity: OwnIdentity?, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        isInitiator = context.terms.isInitiator
        awaited = context.terms.peerKeys.codes
        own = try OwnKeys(context, identity)
        if !isInitiator || awaited.isEmpty { own.send(into: &effects) }
    }

    /// Whether both sides have handed out all they announced.
    var isComplete: Bool { awaited.isEmpty }

    /// Takes the next of the peer's keys.
    mutating func receive(
        _ pdu: PairingPDU, _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        guard let index = awaited.firstIndex(of: pdu.code) else {
            // What was not announced is not taken.
            guard pdu.code.isKey else { throw .outOfPlace(pdu.code) }
            return effects.append(.note(.passedOver(pdu.code)))
        }
        awaited.remove(at: index)
        switch pdu {
        case .encryptionInformation(let value): peers.longTermKey = try context.key(value.octets)
        case .centralIdentification(let identification): peers.identification = identification
        case .identityInformation(let value): peers.resolvingKey = SecretKey(value.octets)
        case .identityAddressInformation(let identity): peers.identity = try identity.checked()
        case .signingInformation(let value): peers.signingKey = SecretKey(value.octets)
        default: throw .outOfPlace(pdu.code)
        }
        if isInitiator, awaited.isEmpty { own.send(into: &effects) }
    }

    /// What is kept of the peer; `nil` where there is no key to encrypt a later connection with.
    ///
    /// - Parameters:
    ///   - longTermKey: that of Secure Connections, which was not handed out
    ///   - known: what was kept before
    func bond(
        _ terms: PairingTerms, longTermKey: SecretKey?, _ configuration: SecurityManager.Configuration, known: Bond?
    ) -> Bond? {
        guard terms.isBonding else { return nil }
        var bond = peers.bond(as: configuration.peerAddress, known: known, configuration.ownAddress)
        bond.level = terms.level
        if let longTermKey {
            bond.centralKey = LongTermKey(key: longTermKey, size: terms.keySize)
        } else if isInitiator {
            bond.centralKey = peers.key(size: terms.keySize)
        } else {
            bond.peripheralKey = own.longTermKey
        }
        guard bond.centralKey != nil || bond.peripheralKey != nil else { return nil }
        bond.signingKey = peers.signingKey
        bond.ownIdentity = own.identity?.address
        return bond
    }
}

/// What this side hands out.
private struct OwnKeys: Hashable {
    var longTermKey: LongTermKey?
    var identity: OwnIdentity?

    init(_ context: PairingContext, _ identity: OwnIdentity?) throws(PairingBreak) {
        let keys = context.terms.ownKeys
        if keys.contains(.identity) { self.identity = identity }
        guard keys.contains(.encryption) else { return }
        let octets = try context.random()
        let numbers = try context.random()
        longTermKey = LongTermKey(
            key: try context.key(octets), size: context.terms.keySize,
            // Both zero would name the key of Secure Connections.
            encryptedDiversifier: numbers.suffix(2).reduce(0) { $0 << 8 | UInt16($1) } | 1,
            random: numbers.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    func send(into effects: inout [SecurityManager.Effect]) {
        if let key = longTermKey {
            effects.append(.transmit(.encryptionInformation(PairingValue(key.key.octets))))
            let identification = CentralIdentification {
                $0.encryptedDiversifier = key.encryptedDiversifier
                $0.random = key.random
            }
            effects.append(.transmit(.centralIdentification(identification)))
        }
        if let identity {
            effects.append(.transmit(.identityInformation(PairingValue(identity.resolvingKey.octets))))
            effects.append(.transmit(.identityAddressInformation(IdentityAddress(identity.address))))
        }
    }
}

/// What the other side has handed out.
private struct PeersKeys: Hashable {
    var longTermKey: SecretKey?
    var identification: CentralIdentification?
    var resolvingKey: SecretKey?
    var identity: DeviceAddress?
    var signingKey: SecretKey?

    func key(size: Int) -> LongTermKey? {
        guard let longTermKey, let identification else { return nil }
        return LongTermKey(
            key: longTermKey, size: size, encryptedDiversifier: identification.encryptedDiversifier,
            random: identification.random)
    }

    /// A bond without keys to encrypt with.
    func bond(as address: DeviceAddress, known: Bond?, _ ownAddress: DeviceAddress) -> Bond {
        let address = DeviceAddress(address.kind.withoutIdentity, address.address)
        var bond = Bond(identity: address, level: .encrypted, ownAddress: ownAddress)
        bond.name = known?.name
        bond.identityResolvingKey = resolvingKey.flatMap { $0.isZero ? nil : $0 }
        if address.isPrivate {
            // What recognised the peer behind its private address does so on.
            bond.identity = identity ?? known?.identity ?? address
            if identity == nil { bond.identityResolvingKey = known?.identityResolvingKey }
        }
        return bond
    }
}

extension PairingCode {
    /// Whether it hands a key out.
    fileprivate var isKey: Bool {
        switch self {
        case .encryptionInformation, .centralIdentification, .identityInformation, .identityAddressInformation,
            .signingInformation:
            true
        default: false
        }
    }
}
