import GATT
import HCI
import SMP
import Wire

/// The security of one connection of a strap: its Security Manager, and the wearer whom that asks.
struct StrapSecurity: Sendable {
    /// What is to be done.
    enum Act: Hashable, Sendable {
        case send(PairingPDU)
        /// Give the link layer the key that it asked for.
        case provide([UInt8]?)
        /// The link is protected now, or not any more.
        case protected(LinkProtection)
        case keep(Bond)
        case leave(Status)
    }

    private let wearer: Wearer
    private let screen: HostScreen?
    private var manager: SecurityManager
    /// What the wearer is asked, and when there will be an answer.
    private var question: (due: Moment, question: PairingQuestion)?
    /// The identity of the central, where it is bonded with the strap.
    private(set) var bonded: DeviceAddress?
    /// The address of the central on air.
    var central: DeviceAddress { manager.configuration.peerAddress }
    private var told = LinkProtection()

    /// - Parameters:
    ///   - central: the address on air of the one who has connected
    ///   - own: the address on air of the strap
    init(
        _ plan: SecurityPlan, central: DeviceAddress, own: DeviceAddress, identity: DeviceAddress, bond: Bond?,
        _ toolbox: any SecurityToolbox, screen: HostScreen?
    ) {
        wearer = plan.wearer
        self.screen = screen
        var configuration = SecurityManager.Configuration(role: .peripheral, ownAddress: own, peerAddress: central)
        configuration.policy = plan.policy
        // Without the leaflet's data the strap pairs as if there were none.
        if let leaflet = plan.outOfBand { configuration.policy.outOfBand = try? leaflet.kept(toolbox) }
        configuration.ownIdentity = plan.hiding.map { OwnIdentity(resolvingKey: $0.key, address: identity) }
        let used: any SecurityToolbox = plan.hasOneRandomValue ? StuckToolbox(toolbox) : toolbox
        manager = SecurityManager(configuration, bond: bond, toolbox: used)
        bonded = bond?.identity
    }

    var nextDeadline: Moment? {
        var earliest = Earliest(manager.nextDeadline)
        earliest.consider(question?.due)
        return earliest.moment
    }

    /// Tells what happened, besides PDUs.
    mutating func handle(_ input: SecurityManager.Input, at now: Moment, into acts: inout [Act]) {
        var effects: [SecurityManager.Effect] = []
        manager.handle(input, at: now, into: &effects)
        carryOut(effects, at: now, into: &acts)
    }

    mutating func receive(_ payload: [UInt8], at now: Moment, into acts: inout [Act]) {
        var effects: [SecurityManager.Effect] = []
        manager.receive(payload.span, at: now, into: &effects)
        carryOut(effects, at: now, into: &acts)
    }

    mutating func advance(to now: Moment, into acts: inout [Act]) {
        if let question, question.due <= now {
            self.question = nil
            handle(.answered(wearer.answer(question.question, seeing: screen)), at: now, into: &acts)
        }
        guard let due = manager.nextDeadline, due <= now else { return }
        var effects: [SecurityManager.Effect] = []
        manager.advance(to: now, into: &effects)
        carryOut(effects, at: now, into: &acts)
    }

    private mutating func carryOut(_ effects: [SecurityManager.Effect], at now: Moment, into acts: inout [Act]) {
        for effect in effects {
            switch effect {
            case .transmit(let pdu): acts.append(.send(pdu))
            case .ask(let asked): question = (now + max(wearer.hesitation, .zero), asked)
            case .withdraw: question = nil
            case .provide(let key): acts.append(.provide(key?.octets))
            case .bonded(let bond):
                bonded = bond.identity
                acts.append(.keep(bond))
            case .disconnect(let status): acts.append(.leave(status))
            // A label shows what it shows; and encryption is for the central to begin.
            case .show, .encrypt, .secured, .failed, .note: break
            }
        }
        if manager.security != told {
            told = manager.security
            acts.append(.protected(told))
        }
    }
}

extension GATT.LinkSecurity {
    init(_ level: SecurityLevel) {
        self =
            switch level {
            case .none: .none
            case .encrypted: .encrypted
            case .authenticated: .authenticated
            case .authenticatedSecureConnections: .authenticatedSecureConnections
            }
    }
}

extension SecurityPlan.Demand {
    /// The demand as the server knows it.
    var access: Access { .needs(LinkSecurity(level), keySize: keySize, else: refusal) }
}
