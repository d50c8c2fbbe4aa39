/// The random values that both sides of LE Secure Connections have shown last, the most significant octet first.
struct PairingRandoms: Hashable {
    var own: [UInt8]
    var peer: [UInt8]
}

/// The keys of LE Secure Connections and the two checks that prove them (Core Vol 3, Part H, 2.3.5.6.5).
struct PairingProof: Hashable {
    let longTermKey: [UInt8]
    /// The check that the peer must show.
    let peersCheck: [UInt8]
    private let ownCheck: [UInt8]

    /// - Parameter proven: the passkey, where there is one
    init(
        _ keys: ExchangedKeys, _ randoms: PairingRandoms, proves passkey: [UInt8]?, _ context: PairingContext
    ) throws(PairingBreak) {
        let terms = context.terms
        let (n1, n2) = terms.isInitiator ? (randoms.own, randoms.peer) : (randoms.peer, randoms.own)
        let made = try context.work { tools throws(ToolboxError) in
            try tools.f5(w: keys.secret, n1: n1, n2: n2, a1: terms.initiator, a2: terms.responder)
        }
        longTermKey = made.longTermKey
        let (own, peer) = terms.isInitiator ? (terms.initiator, terms.responder) : (terms.responder, terms.initiator)
        let proofs = context.provenByOtherWay
        ownCheck = try context.work { tools throws(ToolboxError) in
            try tools.f6(
                w: made.macKey, n1: randoms.own, n2: randoms.peer, r: passkey ?? proofs.own,
                ioCapabilities: terms.own.inCheck, a1: own, a2: peer)
        }
        peersCheck = try context.work { tools throws(ToolboxError) in
            try tools.f6(
                w: made.macKey, n1: randoms.peer, n2: randoms.own, r: passkey ?? proofs.peer,
                ioCapabilities: terms.peer.inCheck, a1: peer, a2: own)
        }
    }

    /// This side's check.
    var pdu: PairingPDU { .pairingDHKeyCheck(PairingValue(mostSignificantFirst: ownCheck)) }
}

extension PairingContext {
    /// The random values that each side proves to have got by another way: zeros for one that has got none.
    fileprivate var provenByOtherWay: (own: [UInt8], peer: [UInt8]) {
        let nothing = [UInt8](repeating: 0, count: SecretKey.length)
        guard terms.model == .outOfBand else { return (nothing, nothing) }
        let (got, given) = (policy.outOfBand?.peer?.random, policy.outOfBand?.own?.random)
        return (
            terms.own.outOfBand == 1 ? got?.mostSignificantFirst ?? nothing : nothing,
            terms.peer.outOfBand == 1 ? given?.mostSignificantFirst ?? nothing : nothing
        )
    }
}

extension PairingFeatures {
    /// AuthReq, OOB data flag and IO Capability, as f6 takes them (Core Vol 3, Part H, 2.2.8).
    fileprivate var inCheck: [UInt8] { [authentication.rawValue, outOfBand, ioCapability.rawValue] }
}
