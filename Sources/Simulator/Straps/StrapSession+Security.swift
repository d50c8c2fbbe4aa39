import ATT
import GATT
import HCI
import L2CAP
import SMP
import Wire

extension StrapSession {
    // MARK: From the host

    mutating func receiveSecurity(_ payload: [UInt8], at now: Moment, into effects: inout [StrapEffect]) {
        var proper: [StrapEffect] = []
        if security == nil {
            // To a Pairing Request: Pairing Failed, Pairing Not Supported (Core Vol 3, Part H, 3.5.5).
            if payload.first == PairingCode.pairingRequest.rawValue {
                say(.pairingFailed(PairingFailed(.pairingNotSupported)), into: &proper)
            }
        } else {
            secure(at: now, into: &proper) { $0.receive(payload, at: now, into: &$1) }
        }
        let code = PairingCode(rawValue: payload.first ?? 0)
        if let acts = offender.acts(onPairing: code) {
            misbehave(acts, answering: payload, with: proper, into: &effects)
        } else {
            effects += proper
        }
    }

    /// The link layer wants the key that these name.
    mutating func keyRequested(
        random: UInt64, diversifier: UInt16, at now: Moment, into effects: inout [StrapEffect]
    ) {
        guard !isOver else { return }
        var proper: [StrapEffect] = []
        if security == nil {
            proper.append(.provide(nil))
        } else {
            let input = SecurityManager.Input.keyRequested(random: random, encryptedDiversifier: diversifier)
            secure(at: now, into: &proper) { $0.handle(input, at: now, into: &$1) }
        }
        if let acts = offender.actsOnKeyRequest() {
            misbehave(acts, with: proper, into: &effects)
        } else {
            effects += proper
        }
    }

    mutating func encrypted(at now: Moment, into effects: inout [StrapEffect]) {
        guard !isOver else { return }
        secure(at: now, into: &effects) { $0.handle(.encryptionChanged(.success, isOn: true), at: now, into: &$1) }
    }

    // MARK: Carrying out

    /// Has the Security Manager act, and does what comes of it.
    mutating func secure(
        at now: Moment, into effects: inout [StrapEffect],
        _ act: (inout StrapSecurity, inout [StrapSecurity.Act]) -> Void
    ) {
        guard var security else { return }
        var acts: [StrapSecurity.Act] = []
        act(&security, &acts)
        self.security = security
        for act in acts {
            switch act {
            case .send(let pdu): say(pdu, into: &effects)
            case .provide(let key): effects.append(.provide(key))
            case .protected(let protection): protected(protection, at: now)
            case .keep(let bond): newBond = bond
            case .leave(let reason): effects.append(.leave(reason))
            }
        }
    }

    private mutating func say(_ pdu: PairingPDU, into effects: inout [StrapEffect]) {
        let payload = pdu.encoded
        let proper = StrapEffect.send(BasicFrame(channel: .securityManager, payload: payload).encoded)
        if let acts = offender.acts(saying: pdu.code, payload) {
            misbehave(acts, with: [proper], into: &effects)
        } else {
            effects.append(proper)
        }
    }

    private mutating func protected(_ protection: LinkProtection, at now: Moment) {
        server.security = LinkSecurity(protection.level)
        server.keySize = protection.keySize
        guard protection.isBonded, protection.level > .none, !kept.isEmpty else { return }
        let subscriptions = kept
        kept = [:]
        for (handle, bits) in subscriptions.sorted(by: { $0.key < $1.key }) {
            guard let descriptor = database.table.configurationHandle(of: handle) else { continue }
            var ignored: [Server.Effect] = []
            server.handle(.set(descriptor, bits.octets), at: now, into: &ignored)
            configured(handle, bits, at: now)
        }
    }

    // MARK: What the strap keeps

    /// Takes the keys out that are to be kept.
    mutating func takeBond() -> Bond? {
        defer { newBond = nil }
        return newBond
    }

    /// Whose bond protects the link, under which address it is here, and what it is subscribed to.
    var bondedCentral: (identity: DeviceAddress, address: DeviceAddress, subscriptions: [Handle: ClientConfiguration])?
    {
        guard let security, let identity = security.bonded else { return nil }
        return (identity, security.central, server.configurations)
    }
}
