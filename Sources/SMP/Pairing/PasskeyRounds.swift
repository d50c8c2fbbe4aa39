/// Passkey entry of LE Secure Connections: a round for each bit, so that a wrong guess gives one bit away and no more
/// (Core Vol 3, Part H, 2.3.5.6.3).
struct PasskeyRounds: Hashable {
    /// Bits of a number of six decimal digits.
    static let count = 20

    let passkey: Passkey
    let keys: ExchangedKeys
    private var round = 0
    private var own: Commitment
    /// The peer's commitment of this round.
    private var peersConfirm: [UInt8]?
    /// The random values that the peer has shown.
    private var seen: Set<[UInt8]> = []

    private struct Commitment: Hashable {
        var random: [UInt8]
        var confirm: [UInt8]
    }

    init(
        _ passkey: Passkey, _ keys: ExchangedKeys, _ context: PairingContext,
        into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        self.passkey = passkey
        self.keys = keys
        own = Commitment(random: [], confirm: [])
        try begin(context, into: &effects)
    }

    /// Takes a PDU.
    ///
    /// - Returns: the random values of the last round, when it is over
    mutating func receive(
        _ pdu: PairingPDU, _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) -> PairingRandoms? {
        switch (peersConfirm, pdu) {
        case (nil, .pairingConfirm(let value)):
            try committed(value.mostSignificantFirst, context, into: &effects)
            return nil
        case (let confirm?, .pairingRandom(let value)):
            return try opened(value.mostSignificantFirst, confirm, context, into: &effects)
        default:
            throw .outOfPlace(pdu.code)
        }
    }

    private var bit: UInt8 { 0x80 | UInt8(truncatingIfNeeded: passkey.value >> UInt32(round)) & 1 }

    private mutating func begin(
        _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        let random = try context.random()
        let confirm = try context.confirm(by: keys.own.publicKey, to: keys.peer, random, bit)
        own = Commitment(random: random, confirm: confirm)
        peersConfirm = nil
        if context.terms.isInitiator { effects.append(.transmit(confirmPDU)) }
    }

    private mutating func committed(
        _ confirm: [UInt8], _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) {
        guard confirm != own.confirm else { throw .refused(.confirmValueFailed, .reflectedConfirm) }
        peersConfirm = confirm
        effects.append(.transmit(context.terms.isInitiator ? randomPDU : confirmPDU))
    }

    private mutating func opened(
        _ random: [UInt8], _ confirm: [UInt8], _ context: PairingContext, into effects: inout [SecurityManager.Effect]
    ) throws(PairingBreak) -> PairingRandoms? {
        // A value that is shown twice gives away which bits of the passkey are the same.
        guard random != own.random, seen.insert(random).inserted else {
            throw .refused(.confirmValueFailed, .repeatedRandom)
        }
        guard try context.confirm(by: keys.peer, to: keys.own.publicKey, random, bit) == confirm else {
            throw .refused(.confirmValueFailed, .confirmMismatch)
        }
        if !context.terms.isInitiator { effects.append(.transmit(randomPDU)) }
        round += 1
        guard round < Self.count else { return PairingRandoms(own: own.random, peer: random) }
        try begin(context, into: &effects)
        return nil
    }

    private var confirmPDU: PairingPDU { .pairingConfirm(PairingValue(mostSignificantFirst: own.confirm)) }
    private var randomPDU: PairingPDU { .pairingRandom(PairingValue(mostSignificantFirst: own.random)) }
}
