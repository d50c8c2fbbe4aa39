import ATT
import GATT
import HCI
import L2CAP
import Wire

/// What a strap does by itself or in answer to the host.
enum StrapEffect: Hashable, Sendable {
    /// Sends an L2CAP frame.
    case send([UInt8])
    /// Ends the link.
    case leave(Status)
    /// Is not heard any more. A link that was never used counts as not established.
    case vanish(isEstablished: Bool)
    /// Asks for parameters through the link layer.
    case requestParameters(ConnectionParameters)
}

/// A simulated strap: a peripheral with a heart behind it.
struct Strap: Hashable, Sendable {
    let plan: StrapPlan
    let database: StrapDatabase
    let noise: Noise
    private let start: Moment
    var sensor: HeartRateSensor
    private(set) var session: StrapSession?
    /// Until when nothing is heard of it.
    private var awayUntil: Moment?
    private var departures = 0

    init(_ plan: StrapPlan, noise: Noise, start: Moment) {
        self.plan = plan
        self.noise = noise
        self.start = start
        database = StrapDatabase(plan)
        sensor = HeartRateSensor(
            plan.measurement, heart: plan.heart, contact: plan.contact, noise: noise.branch(1), start: start)
    }

    /// Straps take one link, and are not to be found while they have it.
    func isAdvertising(at now: Moment) -> Bool {
        session == nil && (awayUntil.map { $0 <= now } ?? true)
    }

    /// Percent.
    func battery(at now: Moment) -> UInt8 {
        let steps = (now - start).wholeNanoseconds / Self.batteryStep
        let level = Int64(plan.battery) - steps
        // An empty battery is changed for a new one.
        return UInt8(clamping: level > 0 ? level : 100 - (-level) % 100)
    }

    static let batteryStep: Int64 = 20 * 60 * 1_000_000_000

    // MARK: The link

    mutating func handle(_ event: PeerEvent, at now: Moment, into effects: inout [StrapEffect]) {
        switch event {
        case .connected:
            connect(at: now, into: &effects)
        case .fragment(let octets, let isContinuation):
            session?.receive(octets, isContinuation: isContinuation, plan, database, &sensor, at: now, into: &effects)
        case .parametersChanged(let interval):
            session?.parametersChanged(to: interval, plan)
        case .parametersRefused:
            session?.parametersRefused(into: &effects)
        case .disconnected:
            session = nil
        }
        departIfDue(at: now, into: &effects)
    }

    private mutating func connect(at now: Moment, into effects: inout [StrapEffect]) {
        let shift = 1 + 0.3 * noise.branch(2).deviation(UInt64(bitPattern: now.nanoseconds))
        session = StrapSession(
            Server(database.table, receiveMTU: plan.mtu), plan, stretch: shift, battery: battery(at: now), database,
            at: now)
    }

    // MARK: Time

    var nextDeadline: Moment? { session?.nextDeadline(departure: canDepart ? plan.departure : nil) }

    mutating func advance(to now: Moment, into effects: inout [StrapEffect]) {
        let battery = battery(at: now)
        session?.advance(to: now, plan, database, &sensor, battery: battery, into: &effects)
        departIfDue(at: now, into: &effects)
    }

    // MARK: Going away

    private var canDepart: Bool { plan.departure?.times.map { departures < $0 } ?? true }

    private mutating func departIfDue(at now: Moment, into effects: inout [StrapEffect]) {
        guard let session, !session.isOver, let departure = plan.departure, canDepart,
            session.isTimeFor(departure.moment, at: now)
        else { return }
        departures += 1
        self.session?.isOver = true
        awayUntil = departure.returnsAfter.map { now + $0 } ?? Moment(nanoseconds: .max)
        if departure.moment == .atConnection || isCut(departure.moment) { effects.removeAll() }
        switch departure.manner {
        case .leaving(let reason): effects.append(.leave(reason))
        case .vanishing: effects.append(.vanish(isEstablished: departure.moment != .atConnection))
        }
    }

    /// Whether what was about to be said is said no more.
    private func isCut(_ moment: StrapPlan.Departure.Moment) -> Bool {
        if case .atRequest = moment { true } else { false }
    }
}
