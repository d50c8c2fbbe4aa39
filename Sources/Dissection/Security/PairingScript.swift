import SMP

/// The PDUs of phase 2, in their order (Core Vol 3, Part H, 2.3.5 and 2.3.5.6).
struct PairingScript: Hashable {
    /// One of them.
    struct Entry: Hashable {
        var side: PairingStep.Side
        var code: PairingCode
        /// Which bit of a passkey it is about, from 1.
        var bit: Int?
    }

    private let isSecureConnections: Bool
    private let model: AssociationModel
    /// Bits of a passkey.
    private static let bits = 20

    init(_ agreement: PairingAgreement) {
        isSecureConnections = agreement.isSecureConnections
        model = agreement.models.initiator
    }

    /// All entries. There are 84 at most; few packets are of a pairing.
    var entries: [Entry] {
        guard isSecureConnections else { return Self.commitments(bit: nil) }
        return [Entry(.initiator, .pairingPublicKey), Entry(.responder, .pairingPublicKey)] + proofs
            + [Entry(.initiator, .pairingDHKeyCheck), Entry(.responder, .pairingDHKeyCheck)]
    }

    private var proofs: [Entry] {
        switch model {
        case .justWorks, .numericComparison: Array(Self.commitments(bit: nil).dropFirst())
        case .passkeyShown, .passkeyEntered: (1...Self.bits).flatMap { Self.commitments(bit: $0) }
        case .outOfBand: Array(Self.commitments(bit: nil).dropFirst(2))
        }
    }

    /// Both commit themselves, then both show to what.
    private static func commitments(bit: Int?) -> [Entry] {
        [
            Entry(.initiator, .pairingConfirm, bit), Entry(.responder, .pairingConfirm, bit),
            Entry(.initiator, .pairingRandom, bit), Entry(.responder, .pairingRandom, bit),
        ]
    }
}

extension PairingScript.Entry {
    fileprivate init(_ side: PairingStep.Side, _ code: PairingCode, _ bit: Int? = nil) {
        self.init(side: side, code: code, bit: bit)
    }
}
