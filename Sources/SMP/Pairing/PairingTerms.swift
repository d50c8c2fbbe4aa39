import HCI

/// What the two sides have agreed on in phase 1 (Core Vol 3, Part H, 2.3).
struct PairingTerms: Hashable {
    let isInitiator: Bool
    /// As it went over the air: parts of it are proven later.
    let request: PairingFeatures
    /// As it went over the air.
    let response: PairingFeatures
    let initiator: DeviceAddress
    let responder: DeviceAddress
    let isSecureConnections: Bool
    /// From this side's view.
    let model: AssociationModel
    /// Octets of the keys.
    let keySize: Int

    /// - Throws: `PairingBreak` where a side does not take what the other said, or it is not enough
    init(
        _ configuration: SecurityManager.Configuration, request: PairingFeatures, response: PairingFeatures,
        for goal: PairingGoal
    ) throws(PairingBreak) {
        isInitiator = configuration.role == .central
        self.request = request
        self.response = response
        initiator = isInitiator ? configuration.ownAddress : configuration.peerAddress
        responder = isInitiator ? configuration.peerAddress : configuration.ownAddress
        isSecureConnections = [request, response].allSatisfy { $0.authentication.contains(.secureConnections) }
        keySize = Int(min(request.maximumKeySize, response.maximumKeySize))
        let isOutOfBand =
            isSecureConnections
            ? request.outOfBand == 1 || response.outOfBand == 1 : request.outOfBand == 1 && response.outOfBand == 1
        let choice = AssociationModel.choice(
            initiator: request.ioCapability, responder: response.ioCapability,
            isProtected: [request, response].contains { $0.authentication.contains(.manInTheMiddle) },
            isSecureConnections: isSecureConnections)
        model = isOutOfBand ? .outOfBand : isInitiator ? choice.initiator : choice.responder
        try check(configuration.policy, goal)
    }

    /// What this side has said.
    var own: PairingFeatures { isInitiator ? request : response }
    /// What the other side has said.
    var peer: PairingFeatures { isInitiator ? response : request }

    /// How well the keys protect.
    var level: SecurityLevel {
        guard model.isAuthenticated else { return .encrypted }
        return isSecureConnections && keySize == SecretKey.length ? .authenticatedSecureConnections : .authenticated
    }

    /// Whether both sides keep the keys.
    var isBonding: Bool { [request, response].allSatisfy { $0.authentication.contains(.bonding) } }

    /// The keys that this side hands out. A responder that wants more than was offered does not get it.
    var ownKeys: KeyDistribution { isInitiator ? initiatorKeys : responderKeys }
    /// The keys that the other side hands out.
    var peerKeys: KeyDistribution { isInitiator ? responderKeys : initiatorKeys }

    private var initiatorKeys: KeyDistribution { handedOut(\.initiatorKeys) }
    private var responderKeys: KeyDistribution { handedOut(\.responderKeys) }

    /// Never a BR/EDR link key, which is made and not sent, and which this host does not make.
    private func handedOut(_ keys: KeyPath<PairingFeatures, KeyDistribution>) -> KeyDistribution {
        let both = request[keyPath: keys].intersection(response[keyPath: keys])
        return both.intersection(isSecureConnections ? [.identity, .signing] : [.encryption, .identity, .signing])
    }
}

// MARK: - What is not agreed to

extension PairingTerms {
    private func check(_ policy: PairingPolicy, _ goal: PairingGoal) throws(PairingBreak) {
        guard isSecureConnections || policy.generation != .secureConnectionsOnly else {
            throw .refused(.authenticationRequirements, .weakerThanNeeded)
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
