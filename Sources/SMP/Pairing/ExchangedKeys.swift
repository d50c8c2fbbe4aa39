/// What both sides of LE Secure Connections have after their public keys (Core Vol 3, Part H, 2.3.5.6.1).
struct ExchangedKeys: Hashable {
    let own: KeyPair
    let peer: PublicKey
    /// DHKey, which nobody else can have.
    let secret: [UInt8]

    /// Checks the peer's key and makes the shared secret.
    init(own: KeyPair, peer: PublicKey, _ context: PairingContext) throws(PairingBreak) {
        let allowsDebugKeys = context.policy.usesDebugKeys
        if peer.isDebugKey, !allowsDebugKeys { throw .refused(.authenticationRequirements, .debugKey) }
        // Both would make the same values, and the peer could send ours back for its own (CVE-2020-26558). The sign of y is of no account.
        if peer.x == own.publicKey.x, !(peer.isDebugKey && allowsDebugKeys) {
            throw .refused(.dhKeyCheckFailed, .reflectedPublicKey)
        }
        self.own = own
        self.peer = peer
        do throws(ToolboxError) {
            secret = try context.toolbox.sharedSecret(of: own, with: peer)
        } catch {
            throw error == .notOnCurve ? .refused(.dhKeyCheckFailed, .pointOffCurve) : .toolbox(error)
        }
    }
}

extension PairingContext {
    /// The pair of keys for this pairing: a new one, but for that which went to the peer by another way.
    func ownKeyPair() throws(PairingBreak) -> KeyPair {
        if let committed = policy.outOfBand?.own { return committed.keyPair }
        let isDebug = policy.usesDebugKeys
        return try work { tools throws(ToolboxError) in
            isDebug ? try tools.keyPair(privateKey: PublicKey.debugPrivateKey) : try tools.makeKeyPair()
        }
    }

    /// What commits a side of Secure Connections to its random value (2.2.6).
    func confirm(
        by committed: PublicKey, to other: PublicKey, _ random: [UInt8], _ z: UInt8
    ) throws(PairingBreak) -> [UInt8] {
        try work { tools throws(ToolboxError) in try tools.f4(u: committed.x, v: other.x, x: random, z: z) }
    }

    /// Whether the key is the one that the peer committed itself to by another way (2.3.5.6.4).
    func checkOutOfBand(_ keys: ExchangedKeys) throws(PairingBreak) {
        guard terms.own.outOfBand == 1 else { return }
        guard let data = policy.outOfBand?.peer else { throw .refused(.outOfBandNotAvailable) }
        let confirm = try confirm(by: keys.peer, to: keys.peer, data.random.mostSignificantFirst, 0)
        guard confirm == data.confirm.mostSignificantFirst else {
            throw .refused(.confirmValueFailed, .confirmMismatch)
        }
    }
}

extension PublicKey {
    /// The private key that everybody knows (Core Vol 3, Part H, 2.3.5.6.1), so that a link can be read along for debugging.
    static let debugPrivateKey: [UInt8] = [
        0x3F, 0x49, 0xF6, 0xD4, 0xA3, 0xC5, 0x5F, 0x38, 0x74, 0xC9, 0xB3, 0xE3, 0xD2, 0x10, 0x3F, 0x50,
        0x4A, 0xFF, 0x60, 0x7B, 0xEB, 0x40, 0xB7, 0x99, 0x58, 0x99, 0xB8, 0xA6, 0xCD, 0x3C, 0x1A, 0xBD,
    ]

    private static let debugX: [UInt8] = [
        0x20, 0xB0, 0x03, 0xD2, 0xF2, 0x97, 0xBE, 0x2C, 0x5E, 0x2C, 0x83, 0xA7, 0xE9, 0xF9, 0xA5, 0xB9,
        0xEF, 0xF4, 0x91, 0x11, 0xAC, 0xF4, 0xFD, 0xDB, 0xCC, 0x03, 0x01, 0x48, 0x0E, 0x35, 0x9D, 0xE6,
    ]

    /// Whether everybody knows the private key: that of the point, and so that of the other point with this x.
    public var isDebugKey: Bool { x == Self.debugX }

    /// The key as it came over the air.
    public init(_ pdu: PairingPublicKey) { self.init(x: pdu.x.reversed(), y: pdu.y.reversed()) }
}

extension PairingPublicKey {
    init(_ key: PublicKey) {
        self.init()
        x = key.x.reversed()
        y = key.y.reversed()
    }
}
