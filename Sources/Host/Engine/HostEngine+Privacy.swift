import HCI
import SMP
import Wire

/// The private address that the host shows, and how long still.
struct Privacy: Hashable, Sendable {
    /// When the next one is due; `nil` where none is used.
    var renewal: Moment?
    /// How many of a recorded host's addresses have been used.
    var replayed = 0
    /// What the controller is told of bonded peers.
    var list = ResolvingList()
}

extension HostEngine {
    /// How long a private address is kept (Core Vol 3, Part C, Appendix A: TGAP(private_addr_int)).
    static let privateAddressPeriod: Duration = .seconds(900)

    /// Under which address scan responses are asked for: whoever listens learns it.
    var scanningAddress: OwnAddressUse { usesPrivateAddresses ? .private : .identity }

    private var usesPrivateAddresses: Bool {
        configuration.recordedAddresses != nil || security?.ownAddress == .private
    }

    /// Under which address a peer is connected to. A bonded one has to recognise the host: by the identity that it was told, or by
    /// the address that it was paired with. To all others the host is nobody in particular once it has a key to be recognised by.
    func connectingAddress(to identity: DeviceAddress?) -> OwnAddressUse {
        if let recorded = configuration.recordedAddresses { return recorded.connects ? .private : .identity }
        guard usesPrivateAddresses, !identities.isEmpty else { return .identity }
        guard let identity, let bond = identities[identity] else { return .private }
        return bond.ownIdentity == nil ? .identity : .private
    }

    /// The host's addresses; a new private one where it uses any.
    ///
    /// - Throws: `HostError.security` where the toolbox has no random numbers: any other address would tell who the host is
    mutating func makeOwnAddresses(at now: Moment) throws(HostError) -> OwnAddresses {
        var own = OwnAddresses()
        own.identity = controller.ownAddress
        guard usesPrivateAddresses else { return own }
        own.private = try nextPrivateAddress()
        privacy.renewal = now + Self.privateAddressPeriod
        return own
    }

    private mutating func nextPrivateAddress() throws(HostError) -> Address? {
        guard let recorded = configuration.recordedAddresses else {
            guard let security else { return nil }
            return try makePrivateAddress(with: security.toolbox)
        }
        defer { privacy.replayed += 1 }
        return recorded.addresses.indices.contains(privacy.replayed)
            ? recorded.addresses[privacy.replayed] : recorded.addresses.last
    }

    /// A resolvable one once there is a peer that can resolve it; else one that means nothing to anybody.
    private func makePrivateAddress(with toolbox: any SecurityToolbox) throws(HostError) -> Address {
        do throws(ToolboxError) {
            guard let ownKey, !identities.isEmpty else { return try toolbox.makeNonResolvableAddress() }
            return try toolbox.makeResolvableAddress(with: ownKey)
        } catch {
            throw .security(.toolbox(error))
        }
    }

    /// When the private address has been used for long enough. Only a scan shows it to others by itself.
    var privacyDeadline: Moment? { radio.wantedScan?.ownAddress == .private ? privacy.renewal : nil }

    /// Exchanges a private address that has been used for long enough, before it is used again.
    mutating func renewPrivateAddressIfDue(at now: Moment, into effects: inout [Effect]) {
        guard let due = privacy.renewal, due <= now else { return }
        renewPrivateAddress(at: now, into: &effects)
    }

    mutating func renewPrivateAddress(at now: Moment, into effects: inout [Effect]) {
        guard privacy.renewal != nil else { return }
        do throws(HostError) {
            let address = try makeOwnAddresses(at: now).private
            actOnRadio(at: now, into: &effects) { radio, actions in
                radio.renew(privateAddress: address, at: now, into: &actions)
            }
        } catch {
            fail(error, into: &effects)
        }
    }

    // MARK: The controller's resolving list

    /// Whether the controller is told how to recognise bonded peers.
    var offersResolvingList: Bool {
        security?.usesControllerPrivacy == true && controller.lowEnergyFeatures.contains(.privacy)
            && identities.all.contains { $0.identityResolvingKey != nil }
            && [
                LEReadResolvingListSize.opcode, LEClearResolvingList.opcode, LEAddDeviceToResolvingList.opcode,
                LERemoveDeviceFromResolvingList.opcode, LESetPrivacyMode.opcode, LESetAddressResolutionEnable.opcode,
            ].allSatisfy(controller.offers)
    }

    /// Sends the next command that fills the list.
    mutating func issueResolvingList(_ asker: Asker) {
        switch privacy.list.next {
        case .clear: send(LEClearResolvingList(), asker, isOptional: true)
        case .add(let identity):
            guard let bond = identities[identity] else { return }
            send(
                LEAddDeviceToResolvingList {
                    $0.identity = identity
                    $0.peerKey = bond.identityResolvingKey?.octets ?? SecretKey.none
                    // With it, the controller sees that a directed advertisement is meant for this host.
                    $0.localKey = bond.ownIdentity == nil ? SecretKey.none : ownKey?.octets ?? SecretKey.none
                }, asker, isOptional: true)
        case .trustIdentity(let identity):
            send(
                LESetPrivacyMode {
                    $0.identity = identity
                    $0.mode = .device
                }, asker, isOptional: true)
        case .remove(let identity):
            send(LERemoveDeviceFromResolvingList { $0.identity = identity }, asker, isOptional: true)
        case .enable: send(LESetAddressResolutionEnable { $0.isEnabled = true }, asker, isOptional: true)
        case nil: return
        }
    }

    /// Takes the answer to it.
    mutating func learnResolvingList(_ outcome: CommandOutcome, into effects: inout [Effect]) {
        guard let step = privacy.list.next else { return }
        let failure = outcome.failure(of: step.opcode)
        if let failure { effects.append(.note(.optionalCommandRefused(step.opcode, failure))) }
        privacy.list.answered(failure == nil)
    }
}

extension SecretKey {
    /// What stands for no key.
    fileprivate static let none = [UInt8](repeating: 0, count: length)
}
