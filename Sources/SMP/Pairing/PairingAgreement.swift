/// What the features of two sides add up to (Core Vol 3, Part H, 2.3): anybody can tell who has heard both.
public struct PairingAgreement: Hashable, Sendable {
    /// As it went over the air.
    public let request: PairingFeatures
    /// As it went over the air.
    public let response: PairingFeatures

    public init(request: PairingFeatures, response: PairingFeatures) {
        self.request = request
        self.response = response
    }

    /// LE Secure Connections instead of legacy pairing.
    public var isSecureConnections: Bool {
        [request, response].allSatisfy { $0.authentication.contains(.secureConnections) }
    }

    /// Octets of the keys.
    public var keySize: Int { Int(min(request.maximumKeySize, response.maximumKeySize)) }

    /// Whether either side wants protection against a third party in the middle.
    public var isProtected: Bool { [request, response].contains { $0.authentication.contains(.manInTheMiddle) } }

    /// Whether both sides keep the keys.
    public var isBonding: Bool { [request, response].allSatisfy { $0.authentication.contains(.bonding) } }

    /// How each side convinces the other.
    public var models: (initiator: AssociationModel, responder: AssociationModel) {
        let isOutOfBand =
            isSecureConnections
            ? request.outOfBand == 1 || response.outOfBand == 1 : request.outOfBand == 1 && response.outOfBand == 1
        guard !isOutOfBand else { return (.outOfBand, .outOfBand) }
        return AssociationModel.choice(
            initiator: request.ioCapability, responder: response.ioCapability, isProtected: isProtected,
            isSecureConnections: isSecureConnections)
    }

    /// How well the keys protect.
    public var level: SecurityLevel {
        guard models.initiator.isAuthenticated else { return .encrypted }
        return isSecureConnections && keySize == SecretKey.length ? .authenticatedSecureConnections : .authenticated
    }

    /// The keys that the initiator hands out. A responder that wants more than was offered does not get it.
    public var initiatorKeys: KeyDistribution { handedOut(\.initiatorKeys) }
    /// The keys that the responder hands out.
    public var responderKeys: KeyDistribution { handedOut(\.responderKeys) }

    /// Never a BR/EDR link key, which is made and not sent.
    private func handedOut(_ keys: KeyPath<PairingFeatures, KeyDistribution>) -> KeyDistribution {
        let both = request[keyPath: keys].intersection(response[keyPath: keys])
        return both.intersection(isSecureConnections ? [.identity, .signing] : [.encryption, .identity, .signing])
    }
}
