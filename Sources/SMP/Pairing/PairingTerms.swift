import HCI

/// What the two sides have agreed on in phase 1 (Core Vol 3, Part H, 2.3).
struct PairingTerms: Hashable {
    let isInitiator: Bool
    /// What the features of both add up to.
    let agreement: PairingAgreement
    let initiator: DeviceAddress
    let responder: DeviceAddress

    /// - Throws: `PairingBreak` where a side does not take what the other said, or it is not enough
    init(
        _ configuration: SecurityManager.Configuration, request: PairingFeatures, response: PairingFeatures,
        for goal: PairingGoal
    ) throws(PairingBreak) {
        isInitiator = configuration.role == .central
        agreement = PairingAgreement(request: request, response: response)
        initiator = isInitiator ? configuration.ownAddress : configuration.peerAddress
        responder = isInitiator ? configuration.peerAddress : configuration.ownAddress
        try check(configuration.policy, goal)
    }

    /// As it went over the air: parts of it are proven later.
    var request: PairingFeatures { agreement.request }
    /// As it went over the air.
    var response: PairingFeatures { agreement.response }
    /// What this side has said.
    var own: PairingFeatures { isInitiator ? request : response }
    /// What the other side has said.
    var peer: PairingFeatures { isInitiator ? response : request }

    var isSecureConnections: Bool { agreement.isSecureConnections }
    /// From this side's view.
    var model: AssociationModel { isInitiator ? agreement.models.initiator : agreement.models.responder }
    /// Octets of the keys.
    var keySize: Int { agreement.keySize }
    /// How well the keys protect.
    var level: SecurityLevel { agreement.level }
    /// Whether both sides keep the keys.
    var isBonding: Bool { agreement.isBonding }

    /// The keys that this side hands out.
    var ownKeys: KeyDistribution { isInitiator ? agreement.initiatorKeys : agreement.responderKeys }
    /// The keys that the other side hands out.
    var peerKeys: KeyDistribution { isInitiator ? agreement.responderKeys : agreement.initiatorKeys }
}

// MARK: - What is not agreed to

extension PairingTerms {
    private func check(_ policy: PairingPolicy, _ goal: PairingGoal) throws(PairingBreak) {
        guard isSecureConnections || policy.generation != .secureConnectionsOnly else {
            throw .refused(.authenticationRequirements, .legacyPairing)
        }
        let needsWholeKey = goal.level == .authenticatedSecureConnections
        guard keySize >= (needsWholeKey ? SecretKey.length : policy.keySizes.lowerBound) else {
            throw .refused(.encryptionKeySize, .shortKey(keySize))
        }
        guard level >= goal.level else { throw .outOfReach(goal.level) }
        let offered = PairingGoal.Standing(level: level, isSecureConnections: isSecureConnections, keySize: keySize)
        if let standing = goal.standing, !offered.reaches(standing) {
            throw .refused(.authenticationRequirements, .weakerThanNeeded)
        }
        try checkOutOfBand(policy.outOfBand)
    }

    /// Each side must have what the other relies on.
    private func checkOutOfBand(_ data: OutOfBand?) throws(PairingBreak) {
        guard model == .outOfBand else { return }
        let isThere =
            isSecureConnections
            ? (own.outOfBand == 0 || data?.peer != nil) && (peer.outOfBand == 0 || data?.own != nil)
            : data?.temporaryKey != nil
        guard isThere else { throw .refused(.outOfBandNotAvailable) }
    }
}

extension PairingFeatures {
    /// What the peer says must be within the specification (Core Vol 3, Part H, 3.5.1).
    ///
    /// - Parameter code: what the features came in
    func check(_ code: PairingCode) throws(PairingBreak) {
        guard (7...16).contains(maximumKeySize), ioCapability.rawValue <= IOCapability.keyboardDisplay.rawValue,
            outOfBand <= 1
        else { throw .refused(.invalidParameters, .malformed(code)) }
    }
}
