import ATT
import GATT
import HCI
import L2CAP
import SMP
import Wire

/// What a strap does by itself or in answer to the host.
enum StrapEffect: Hashable, Sendable {
    /// Sends an L2CAP frame.
    case send([UInt8])
    /// Gives its link layer the key that this asked for, 16 octets; nothing where there is none.
    case provide([UInt8]?)
    /// Ends the link.
    case leave(Status)
    /// Is not heard any more. A link that was never used counts as not established.
    case vanish(isEstablished: Bool)
    /// Asks for parameters through the link layer.
    case requestParameters(ConnectionParameters)
}

/// A simulated strap: a peripheral with a heart behind it.
struct Strap: Sendable {
    private let plan: StrapPlan
    private let noise: Noise
    private let battery: Battery
    private let toolbox: (any SecurityToolbox)?
    private let screen: HostScreen?
    private var memory: StrapMemory
    private var sensor: HeartRateSensor
    private var session: StrapSession?
    /// Until when nothing is heard of it.
    private var awayUntil: Moment?
    private var departures = 0
    private var connections = 0

    init(_ plan: StrapPlan, noise: Noise, start: Moment, toolbox: (any SecurityToolbox)?, screen: HostScreen?) {
        self.plan = plan
        self.noise = noise
        self.toolbox = toolbox
        self.screen = screen
        memory = StrapMemory(plan.security)
        battery = Battery(percent: plan.battery, start: start)
        sensor = HeartRateSensor(
            plan.measurement, heart: plan.heart, contact: plan.contact, noise: noise.branch(1), start: start)
    }

    /// Straps take one link, and are not to be found while they have it.
    func isAdvertising(at now: Moment) -> Bool {
        session == nil && (awayUntil.map { $0 <= now } ?? true)
    }

    /// Whom its advertisements are for; `nil` where for everybody. A central with private addresses is called by another one of them.
    func advertisesTo(at now: Moment) -> DeviceAddress? {
        guard plan.security?.advertisesToBonded == true, let kept = memory.bonds.last else { return nil }
        // Who came under a lasting address is called by that.
        let address = kept.address ?? kept.bond.identity
        guard address.randomness == .resolvable, let key = kept.bond.identityResolvingKey, let toolbox else {
            return address
        }
        let epoch = UInt64(bitPattern: now.nanoseconds / Self.targetPeriod)
        let target = try? toolbox.makeResolvableAddress(with: key, from: noise.branch(5).bits(epoch))
        return target.map { DeviceAddress(.random, $0) } ?? address
    }

    /// How long it calls a central by one private address: 15 minutes, in nanoseconds.
    private static let targetPeriod: Int64 = 900_000_000_000

    // MARK: The link

    mutating func handle(_ event: PeerEvent, at now: Moment, into effects: inout [StrapEffect]) {
        switch event {
        case .connected(let central, let own): connect(by: central, as: own, at: now, into: &effects)
        case .fragment(let octets, let isContinuation):
            session?.receive(octets, isContinuation: isContinuation, at: now, into: &effects)
        case .parametersChanged(let interval): session?.parametersChanged(to: interval)
        case .parametersRefused: session?.parametersRefused(into: &effects)
        case .keyRequested(let random, let diversifier):
            session?.keyRequested(random: random, diversifier: diversifier, at: now, into: &effects)
        case .encrypted: session?.encrypted(at: now, into: &effects)
        case .disconnected: disconnect(at: now)
        }
        keepBond()
        departIfDue(at: now, into: &effects)
    }

    private mutating func connect(
        by central: DeviceAddress, as own: DeviceAddress, at now: Moment, into effects: inout [StrapEffect]
    ) {
        let known = memory.kept(of: central, toolbox)
        if known == nil, plan.security?.acceptsOnlyBonded == true, !memory.bonds.isEmpty {
            // Its link layer does not answer, as if it had heard nothing.
            return effects.append(.vanish(isEstablished: false))
        }
        connections += 1
        var battery = battery
        battery.tell(at: now)
        let stretch = 1 + 0.3 * noise.branch(2).deviation(UInt64(bitPattern: now.nanoseconds))
        session = StrapSession(
            plan, StrapDatabase(plan, isChanged: isChanged), sensor: sensor, battery: battery, stretch: stretch,
            recorded: recorded, security: security(with: central, as: own, known?.bond),
            kept: known?.subscriptions ?? [:], number: connections, at: now)
        session?.begin(at: now, into: &effects)
    }

    private func security(with central: DeviceAddress, as own: DeviceAddress, _ bond: Bond?) -> StrapSecurity? {
        guard let security = plan.security, let toolbox else { return nil }
        return StrapSecurity(
            security, central: central, own: own, identity: plan.address, bond: bond, toolbox, screen: screen)
    }

    private mutating func keepBond() {
        if let bond = session?.takeBond() { memory.keep(bond) }
    }

    /// What a recorded peripheral did in the connection of this number; nothing in more of them than it had.
    private var recorded: RecordedPeripheral.Connection {
        let all = plan.recorded?.connections ?? []
        return connections <= all.count ? all[connections - 1] : .init()
    }

    /// Whether the strap's attributes are others from now on.
    private var isChanged: Bool {
        if case .afterConnections(let number) = plan.databaseChange { connections > number } else { false }
    }

    /// The sensor goes on for the next session where this one leaves it.
    private mutating func disconnect(at now: Moment) {
        if let session {
            sensor = session.sensor
            if let central = session.bondedCentral {
                memory.connectionEnded(central.identity, at: central.address, central.subscriptions)
            }
        }
        session = nil
    }

    // MARK: Time

    var nextDeadline: Moment? { session?.nextDeadline(departure: canDepart ? plan.departure : nil) }

    mutating func advance(to now: Moment, into effects: inout [StrapEffect]) {
        session?.advance(to: now, into: &effects)
        keepBond()
        departIfDue(at: now, into: &effects)
    }

    // MARK: Going away

    private var canDepart: Bool { plan.departure?.times.map { departures < $0 } ?? true }

    private mutating func departIfDue(at now: Moment, into effects: inout [StrapEffect]) {
        guard let departure = plan.departure, canDepart, session?.isTimeFor(departure.moment, at: now) == true else {
            return
        }
        departures += 1
        session?.end()
        awayUntil = departure.returnsAfter.map { now + $0 } ?? Moment(nanoseconds: .max)
        // What was about to be said is said no more.
        if departure.moment.isInsteadOfAnswer { effects.removeAll() }
        if departure.manner == .vanishing { memory.switchedOff() }
        switch departure.manner {
        case .leaving(let reason): effects.append(.leave(reason))
        case .vanishing: effects.append(.vanish(isEstablished: departure.moment != .atConnection))
        }
    }
}

extension StrapPlan.Departure.Moment {
    fileprivate var isInsteadOfAnswer: Bool {
        switch self {
        case .atConnection, .atRequest: true
        case .afterMeasurements, .after, .withoutContact: false
        }
    }
}
