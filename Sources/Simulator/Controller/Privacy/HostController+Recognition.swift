import HCI
import SMP
import Wire

/// Who advertises, as far as the resolving list tells.
struct Recognition: Hashable, Sendable {
    /// The advertiser as the host is told of it: by its identity where that was found.
    var advertiser: DeviceAddress
    /// Its place in the resolving list.
    var entry: Int?

    /// As the filter accept list and commands know it.
    var identity: DeviceAddress { DeviceAddress(advertiser.kind.withoutIdentity, advertiser.address) }

    /// Whether the address on air was another one.
    var isResolved: Bool { advertiser.kind != advertiser.kind.withoutIdentity }
}

/// Whom a directed advertisement is for.
enum Aim: Hashable, Sendable {
    /// The host, as it is told.
    case host(DeviceAddress)
    /// Somebody with a private address, which may be the host's.
    case unresolved
    case somebodyElse
}

extension HostController {
    // MARK: Those who advertise

    /// Who a sender is; `nil` for one that is not believed (Core Vol 6, Part B, 6.3).
    func recognise(_ sender: DeviceAddress) -> Recognition? {
        guard settings.resolvingList.isEnabled else { return Recognition(advertiser: sender) }
        if let index = settings.resolvingList.index(of: sender) {
            let entry = settings.resolvingList[index]
            guard entry.peerKey == nil || entry.mode == .device else { return nil }
            return Recognition(advertiser: sender, entry: index)
        }
        guard sender.randomness == .resolvable,
            let index = settings.resolvingList.entries.firstIndex(where: { resolves(sender.address, with: $0.peerKey) })
        else { return Recognition(advertiser: sender) }
        var advertiser = settings.resolvingList[index].identity
        advertiser.kind = advertiser.kind == .public ? .publicIdentity : .randomIdentity
        return Recognition(advertiser: advertiser, entry: index)
    }

    /// Whom an advertisement is for that names its target.
    ///
    /// - Parameter kind: which of its addresses the host listens under
    func aim(of target: DeviceAddress, from recognition: Recognition, _ kind: OwnAddressKind) -> Aim {
        let own = ownAddress(kind)
        if target == own { return .host(own) }
        guard target.randomness == .resolvable else { return .somebodyElse }
        guard settings.resolvingList.isEnabled, let entry = recognition.entry,
            resolves(target.address, with: settings.resolvingList[entry].localKey)
        else { return .unresolved }
        return .host(DeviceAddress(own.kind == .public ? .publicIdentity : .randomIdentity, own.address))
    }

    private func resolves(_ address: Address, with key: SecretKey?) -> Bool {
        guard let key, let toolbox else { return false }
        // A toolbox that fails recognises nobody.
        return (try? toolbox.resolves(address, with: key)) ?? false
    }

    // MARK: The host's own addresses

    /// The address of a kind, where the resolving list has none for whom it is shown to.
    func ownAddress(_ kind: OwnAddressKind) -> DeviceAddress {
        switch kind {
        case .random, .resolvableOrRandom: DeviceAddress(.random, settings.randomAddress ?? .zero)
        default: DeviceAddress(.public, plan.address)
        }
    }

    /// The private address that the controller makes for a device; `nil` where it shows it none.
    func privateAddress(_ kind: OwnAddressKind, shownTo recognition: Recognition, at now: Moment) -> Address? {
        guard kind == .resolvableOrPublic || kind == .resolvableOrRandom, settings.resolvingList.isEnabled,
            let entry = recognition.entry
        else { return nil }
        return privateAddress(shownTo: settings.resolvingList[entry], at: now)
    }

    /// Another one each period, and for each device.
    func privateAddress(shownTo entry: ResolvingList.Entry, at now: Moment) -> Address? {
        guard let key = entry.localKey, let toolbox else { return nil }
        let period = max(settings.resolvingList.period.wholeNanoseconds, 1)
        let epoch = UInt64(bitPattern: now.nanoseconds / period)
        let bits = noise.branch(4).branch(entry.identity.address.rawValue).bits(epoch)
        return try? toolbox.makeResolvableAddress(with: key, from: bits)
    }
}
