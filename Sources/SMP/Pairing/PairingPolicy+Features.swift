import Wire

/// What this device says of itself in phase 1 (Core Vol 3, Part H, 3.5.1 and 3.5.2).
extension PairingPolicy {
    /// The Pairing Request.
    func request(_ goal: PairingGoal, gives identity: OwnIdentity?) -> PairingFeatures {
        features(goal, isSecureConnections: offersSecureConnections) { features in
            guard isBonding else { return }
            features.initiatorKeys = identity == nil ? [] : .identity
            features.responderKeys = [.encryption, .identity, .signing]
        }
    }

    /// The Pairing Response.
    func response(
        to request: PairingFeatures, _ goal: PairingGoal, gives identity: OwnIdentity?
    ) -> PairingFeatures {
        let isSecureConnections = offersSecureConnections && request.authentication.contains(.secureConnections)
        return features(goal, isSecureConnections: isSecureConnections) { features in
            // Whoever does not keep keys has no use for any.
            guard isBonding, request.authentication.contains(.bonding) else { return }
            features.initiatorKeys = request.initiatorKeys.intersection([.identity, .signing])
            var given: KeyDistribution = identity == nil ? [] : .identity
            // The key of Secure Connections is made by both, and is not handed out.
            if !isSecureConnections { given.insert(.encryption) }
            features.responderKeys = request.responderKeys.intersection(given)
        }
    }

    /// The Security Request by which a peripheral asks for what the goal is (3.6.7).
    func securityRequest(_ goal: PairingGoal) -> AuthenticationRequirements {
        authentication(goal, isSecureConnections: offersSecureConnections)
    }

    /// A temporary key, and nothing for Secure Connections, by another way is a wish for legacy pairing, which alone can use it.
    var offersSecureConnections: Bool {
        switch generation {
        case .legacyOnly: false
        case .secureConnectionsOnly: true
        case .any: outOfBand.map { $0.temporaryKey == nil || $0.peer != nil || $0.own != nil } ?? true
        }
    }

    /// Whether anything went another way than the air that a pairing can use.
    var hasOutOfBandData: Bool {
        guard let outOfBand else { return false }
        return offersSecureConnections && (outOfBand.peer != nil || outOfBand.own != nil)
            || generation != .secureConnectionsOnly && outOfBand.temporaryKey != nil
    }

    /// The bounds of a key's size in octets, whatever was asked for.
    var keySizes: ClosedRange<Int> {
        let most = min(max(maximumKeySize, 7), 16)
        return min(max(minimumKeySize, 7), most)...most
    }

    private func features(
        _ goal: PairingGoal, isSecureConnections: Bool, _ addKeys: (inout PairingFeatures) -> Void
    ) -> PairingFeatures {
        PairingFeatures { features in
            features.ioCapability = ioCapability
            features.outOfBand = hasPeersData(isSecureConnections: isSecureConnections) ? 1 : 0
            features.authentication = authentication(goal, isSecureConnections: isSecureConnections)
            features.maximumKeySize = UInt8(keySizes.upperBound)
            addKeys(&features)
        }
    }

    /// Whether something came from the peer by another way that this generation of pairing can use.
    private func hasPeersData(isSecureConnections: Bool) -> Bool {
        isSecureConnections ? outOfBand?.peer != nil : outOfBand?.temporaryKey != nil
    }

    private func authentication(_ goal: PairingGoal, isSecureConnections: Bool) -> AuthenticationRequirements {
        var requirements: AuthenticationRequirements = isBonding ? .bonding : []
        if goal.wantsProtection { requirements.insert(.manInTheMiddle) }
        if isSecureConnections { requirements.insert(.secureConnections) }
        return requirements
    }
}
