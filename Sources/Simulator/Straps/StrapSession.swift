import ATT
import GATT
import HCI
import HeartRate
import L2CAP
import SMP
import Wire

/// One connection of a strap, from its side.
struct StrapSession: Sendable {
    let plan: StrapPlan
    private(set) var database: StrapDatabase
    private let connected: Moment
    /// How much longer or shorter than planned this session's times are.
    private let stretch: Double
    private(set) var sensor: HeartRateSensor
    private var battery: Battery
    var server: Server
    private var reassembler = Reassembler(limit: 512)
    private var signaling = Signaling(role: .peripheral)
    /// `nil` for a strap that does not pair.
    var security: StrapSecurity?
    /// What the central had subscribed to when it was here last, until the link is protected.
    var kept: [Handle: ClientConfiguration]
    /// Keys that are to be kept.
    var newBond: Bond?
    var wish: Wish
    var offender: Offender
    private var recorded: RecordedActs
    /// How many ATT requests came, and how many measurements went.
    private var requests = 0
    private var measurements = 0
    /// When the next measurement is due; `nil` while nobody has subscribed.
    private var measurementDue: Moment?
    /// Whether the host has subscribed to the battery's level.
    private var tellsBattery = false
    /// Whether the strap has said its last word.
    var isOver = false

    init(
        _ plan: StrapPlan, _ database: StrapDatabase, sensor: HeartRateSensor, battery: Battery, stretch: Double,
        recorded: RecordedPeripheral.Connection, security: StrapSecurity?, kept: [Handle: ClientConfiguration],
        number: Int, at now: Moment
    ) {
        self.security = security
        self.kept = kept
        self.recorded = RecordedActs(recorded)
        self.plan = plan
        self.database = database
        self.sensor = sensor
        self.battery = battery
        self.stretch = stretch
        connected = now
        server = Server(database.table, receiveMTU: plan.mtu)
        wish = plan.parameterWish.map { .waiting(until: now + $0.after) } ?? .settled
        offender = Offender(plan.misconduct, connection: number, at: now)
    }

    /// Says what it has to say by itself.
    mutating func begin(at now: Moment, into effects: inout [StrapEffect]) {
        guard let level = plan.security?.requests else { return }
        secure(at: now, into: &effects) { $0.handle(.secure(level), at: now, into: &$1) }
    }

    // MARK: From the host

    mutating func receive(
        _ fragment: [UInt8], isContinuation: Bool, at now: Moment, into effects: inout [StrapEffect]
    ) {
        guard !isOver, let frame = reassembler.receive(fragment.span, isContinuation: isContinuation).frame else {
            return
        }
        switch frame.channel {
        case .attribute:
            receiveAttribute(frame.payload, at: now, into: &effects)
        case .signaling:
            receiveSignal(frame.payload, into: &effects)
        case .securityManager:
            receiveSecurity(frame.payload, at: now, into: &effects)
        default:
            break
        }
    }

    private mutating func receiveAttribute(_ pdu: [UInt8], at now: Moment, into effects: inout [StrapEffect]) {
        if ATT.Opcode(pdu.first ?? 0).kind == .request { requests += 1 }
        keepBatteryLevel(at: now)
        var proper: [StrapEffect] = []
        serve(.received(pdu), at: now, into: &proper)
        if let acts = offender.acts(on: pdu) {
            misbehave(acts, answering: pdu, with: proper, into: &effects)
        } else {
            effects += proper
        }
    }

    private mutating func receiveSignal(_ payload: [UInt8], into effects: inout [StrapEffect]) {
        if let packet = try? SignalingPacket(decoding: payload), packet.identifier == Wish.identifier,
            packet.code.isResponse
        {
            let response = try? ConnectionParameterUpdateResponse(decoding: packet.data)
            let isAccepted = packet.code == .connectionParameterUpdateResponse && response?.result == .accepted
            // What was promised has still to be done.
            if !isAccepted { parametersRefused(into: &effects) }
        }
        var answers: [Signaling.Effect] = []
        signaling.handle(payload.span, into: &answers)
        for case .transmit(let frame) in answers { effects.append(.send(frame.encoded)) }
    }

    // MARK: Breaking the rules

    mutating func misbehave(
        _ acts: [Misconduct.Act], answering pdu: [UInt8] = [], with proper: [StrapEffect] = [],
        into effects: inout [StrapEffect]
    ) {
        for act in acts where !isOver {
            effects += act.effects(answering: pdu, with: proper, by: database.table, offender)
            isOver = act.endsTheLink
        }
    }

    // MARK: Serving

    /// All that ATT says, in either direction, goes through here.
    private mutating func serve(_ input: Server.Input, at now: Moment, into effects: inout [StrapEffect]) {
        var outcome: [Server.Effect] = []
        server.handle(input, at: now, into: &outcome)
        for effect in outcome {
            switch effect {
            case .transmit(let pdu):
                effects.append(.send(BasicFrame(channel: .attribute, payload: pdu).encoded))
            case .askedToWrite(let handle, let value):
                serve(.decided(control(handle, value)), at: now, into: &effects)
            case .configured(let handle, let bits):
                configured(handle, bits, at: now)
            case .disconnect:
                effects.append(.leave(.remoteUserTerminated))
            default:
                break
            }
        }
    }

    mutating func configured(_ handle: Handle, _ bits: ClientConfiguration, at now: Moment) {
        switch handle {
        case database.measurement:
            if !bits.isEmpty {
                sensor.beginStreaming(at: now)
                offender.subscribed(at: now)
            }
            measurementDue = bits.isEmpty ? nil : now + period
        case database.batteryLevel: tellsBattery = bits.contains(.notifications)
        default: recorded.configured(handle, isOn: !bits.isEmpty, at: now)
        }
    }

    /// Who reads the battery's level reads the present one.
    private mutating func keepBatteryLevel(at now: Moment) {
        guard let handle = database.batteryLevel else { return }
        var ignored: [Server.Effect] = []
        server.handle(.set(handle, [battery.level(at: now)]), at: now, into: &ignored)
    }

    /// What the control point is told (Heart Rate Service 1.0, 3.3).
    private mutating func control(_ handle: Handle, _ value: [UInt8]) -> ErrorCode? {
        if let recorded = plan.recorded { return recorded.refusedWrites[handle]?[value] }
        guard handle == database.controlPoint, value == HeartRateControlPoint.resetEnergyExpended.encoded else {
            return ErrorCode(HeartRateServiceError.controlPointNotSupported.rawValue)
        }
        sensor.resetEnergy()
        return nil
    }

    // MARK: Time

    func nextDeadline(departure: StrapPlan.Departure?) -> Moment? {
        guard !isOver else { return nil }
        var earliest = Earliest(measurementDue)
        earliest.consider(server.nextDeadline)
        earliest.consider(batteryDue)
        earliest.consider(offender.nextDeadline)
        earliest.consider(recorded.nextDeadline)
        earliest.consider(security?.nextDeadline)
        earliest.consider(wish.nextDeadline)
        if let departure { earliest.consider(due(departure.moment)) }
        return earliest.moment
    }

    mutating func advance(to now: Moment, into effects: inout [StrapEffect]) {
        guard !isOver else { return }
        if let due = server.nextDeadline, due <= now { serve(.wake, at: now, into: &effects) }
        if let due = security?.nextDeadline, due <= now {
            secure(at: now, into: &effects) { $0.advance(to: now, into: &$1) }
        }
        advanceWish(to: now, into: &effects)
        misbehave(offender.outbursts(upTo: now), into: &effects)
        actAsRecorded(upTo: now, into: &effects)
        guard !isOver else { return }
        if let due = measurementDue, due <= now, let handle = database.measurement {
            measurementDue = max(due + period, now)
            measure(handle, at: now, into: &effects)
        }
        if let due = batteryDue, due <= now, let handle = database.batteryLevel {
            battery.tell(at: now)
            serve(.update(handle, [battery.level(at: now)]), at: now, into: &effects)
        }
    }

    private mutating func actAsRecorded(upTo now: Moment, into effects: inout [StrapEffect]) {
        while !isOver, let act = recorded.next(upTo: now) {
            switch act {
            case .tell(let handle, let value): serve(.update(handle, value), at: now, into: &effects)
            case .leave(let reason):
                isOver = true
                effects.append(.leave(reason))
            }
        }
    }

    /// From one measurement to the next: never so short that time would stand still.
    private var period: Duration { max(plan.measurement.period, .milliseconds(10)) }

    /// When the battery's level changes; `nil` while nobody has subscribed to it.
    private var batteryDue: Moment? { tellsBattery ? battery.nextChange : nil }

    /// Sends a measurement, and more where intervals wait that would fill them.
    private mutating func measure(_ handle: Handle, at now: Moment, into effects: inout [StrapEffect]) {
        let room = server.mtu - 3
        var count = 0
        if isTimeForChange { return changeDatabase(at: now, into: &effects) }
        repeat {
            var proper: [StrapEffect] = []
            serve(.update(handle, sensor.measurement(at: now, room: room)), at: now, into: &proper)
            if let acts = offender.actsOnMeasurement() {
                misbehave(acts, with: proper, into: &effects)
            } else {
                effects += proper
            }
            measurements += 1
            count += 1
        } while sensor.hasBacklog(room: room) && count < 4
    }

    private var isTimeForChange: Bool {
        guard case .afterMeasurements(let number) = plan.databaseChange else { return false }
        return measurements >= number && !database.isChanged
    }

    /// The attributes are others from now on, and the subscriptions gone with them, but for that to Service Changed.
    private mutating func changeDatabase(at now: Moment, into effects: inout [StrapEffect]) {
        let mtu = server.mtu
        let serviceChanged = database.table.valueHandle(of: .serviceChanged)
        let isTold = serviceChanged.map { server.configurations[$0]?.contains(.indications) == true } ?? false
        database = StrapDatabase(plan, isChanged: true)
        server = Server(database.table, receiveMTU: plan.mtu)
        server.mtu = mtu
        measurementDue = nil
        tellsBattery = false
        guard isTold, let serviceChanged, let configuration = database.table.configurationHandle(of: serviceChanged)
        else {
            return
        }
        var range: [UInt8] = []
        range.append(littleEndian: database.changedRange.first.rawValue)
        range.append(littleEndian: database.changedRange.last.rawValue)
        serve(.set(configuration, ClientConfiguration.indications.octets), at: now, into: &effects)
        serve(.update(serviceChanged, range), at: now, into: &effects)
    }

    // MARK: Going away

    func isTimeFor(_ moment: StrapPlan.Departure.Moment, at now: Moment) -> Bool {
        guard !isOver else { return false }
        return switch moment {
        case .atConnection: true
        case .atRequest(let number): requests >= number
        case .afterMeasurements(let number): measurements >= number
        case .after, .withoutContact: due(moment).map { $0 <= now } ?? false
        }
    }

    /// The strap says no more.
    mutating func end() { isOver = true }

    /// When the clock makes the strap go; `nil` where it is something else that does.
    private func due(_ moment: StrapPlan.Departure.Moment) -> Moment? {
        switch moment {
        case .after(let time): connected.later(by: Int64(Double(time.wholeNanoseconds) * stretch))
        case .withoutContact(let time): sensor.lossOfContact(after: connected, lasting: time)
        case .atConnection, .atRequest, .afterMeasurements: nil
        }
    }
}
