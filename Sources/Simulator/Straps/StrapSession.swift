import ATT
import GATT
import HCI
import HeartRate
import L2CAP
import Wire

/// One connection of a strap, from its side.
struct StrapSession: Hashable, Sendable {
    private let connected: Moment
    /// How much longer or shorter than planned this session's times are.
    private let stretch: Double
    private var server: Server
    private var reassembler = Reassembler(limit: 512)
    private var signaling = Signaling(role: .peripheral)
    /// How many ATT requests came, and how many measurements went.
    private var requests = 0
    private var measurements = 0
    /// When the next measurement is due; `nil` while nobody has subscribed.
    private var measurementDue: Moment?
    private var battery: UInt8
    private var wish: Wish
    /// Whether the strap has said its last word.
    var isOver = false

    /// What became of the wish for other parameters.
    private enum Wish: Hashable {
        /// Can transition to asked.
        case waiting(until: Moment)
        /// Asked, or promised and not yet done. Can transition to settled.
        case asked(patience: Moment)
        case settled
    }

    /// The identifier of the strap's one request on the signalling channel.
    private static let identifier: UInt8 = 1

    init(
        _ server: Server, _ plan: StrapPlan, stretch: Double, battery: UInt8, _ database: StrapDatabase, at now: Moment
    ) {
        connected = now
        self.stretch = stretch
        self.server = server
        self.battery = battery
        wish = plan.parameterWish.map { .waiting(until: now + $0.after) } ?? .settled
        var ignored: [Server.Effect] = []
        if let handle = database.batteryLevel { self.server.handle(.set(handle, [battery]), at: now, into: &ignored) }
    }

    // MARK: From the host

    mutating func receive(
        _ fragment: [UInt8], isContinuation: Bool, _ plan: StrapPlan, _ database: StrapDatabase,
        _ sensor: inout HeartRateSensor, at now: Moment, into effects: inout [StrapEffect]
    ) {
        guard !isOver, let frame = reassembler.receive(fragment.span, isContinuation: isContinuation).frame else {
            return
        }
        switch frame.channel {
        case .attribute:
            if ATT.Opcode(frame.payload.first ?? 0).kind == .request { requests += 1 }
            guard plan.answersRequests else { return }
            serve(.received(frame.payload), database, &sensor, plan, at: now, into: &effects)
        case .signaling:
            receiveSignal(frame.payload, plan, at: now, into: &effects)
        case .securityManager:
            // To a Pairing Request: Pairing Failed, Pairing Not Supported (Core Vol 3, Part H, 3.5.5).
            guard frame.payload.first == 0x01 else { return }
            effects.append(.send(BasicFrame(channel: .securityManager, payload: [0x05, 0x05]).encoded))
        default:
            break
        }
    }

    private mutating func receiveSignal(
        _ payload: [UInt8], _ plan: StrapPlan, at now: Moment, into effects: inout [StrapEffect]
    ) {
        if let packet = try? SignalingPacket(decoding: payload), packet.identifier == Self.identifier,
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

    mutating func parametersChanged(to interval: ConnectionInterval, _ plan: StrapPlan) {
        guard let wanted = plan.parameterWish, wanted.intervals.contains(interval) else { return }
        wish = .settled
    }

    /// A strap that does not get its parameters leaves.
    mutating func parametersRefused(into effects: inout [StrapEffect]) {
        if case .asked = wish { leave(into: &effects) }
    }

    // MARK: Serving

    private mutating func serve(
        _ input: Server.Input, _ database: StrapDatabase, _ sensor: inout HeartRateSensor, _ plan: StrapPlan,
        at now: Moment, into effects: inout [StrapEffect]
    ) {
        var outcome: [Server.Effect] = []
        server.handle(input, at: now, into: &outcome)
        for effect in outcome {
            switch effect {
            case .transmit(let pdu):
                effects.append(.send(BasicFrame(channel: .attribute, payload: pdu).encoded))
            case .askedToWrite(let handle, let value):
                let refusal = control(handle, value, database, &sensor)
                serve(.decided(refusal), database, &sensor, plan, at: now, into: &effects)
            case .configured(let handle, let bits) where handle == database.measurement:
                if bits.contains(.notifications) {
                    sensor.beginStreaming(at: now)
                    measurementDue = now + plan.measurement.period
                } else {
                    measurementDue = nil
                }
            case .disconnect:
                effects.append(.leave(.remoteUserTerminated))
            default:
                break
            }
        }
    }

    /// What the control point is told (Heart Rate Service 1.0, 3.3).
    private func control(
        _ handle: Handle, _ value: [UInt8], _ database: StrapDatabase, _ sensor: inout HeartRateSensor
    ) -> ErrorCode? {
        guard handle == database.controlPoint, value == HeartRateControlPoint.resetEnergyExpended.encoded else {
            return ErrorCode(HeartRateServiceError.controlPointNotSupported.rawValue)
        }
        sensor.resetEnergy()
        return nil
    }

    // MARK: Time

    func nextDeadline(departure: StrapPlan.Departure?) -> Moment? {
        guard !isOver else { return nil }
        var deadlines = [measurementDue, server.nextDeadline]
        switch wish {
        case .waiting(let until): deadlines.append(until)
        case .asked(let patience): deadlines.append(patience)
        case .settled: break
        }
        if case .after(let time) = departure?.moment { deadlines.append(end(after: time)) }
        return deadlines.compactMap(\.self).min()
    }

    mutating func advance(
        to now: Moment, _ plan: StrapPlan, _ database: StrapDatabase, _ sensor: inout HeartRateSensor, battery: UInt8,
        into effects: inout [StrapEffect]
    ) {
        guard !isOver else { return }
        serve(.wake, database, &sensor, plan, at: now, into: &effects)
        advanceWish(to: now, plan, into: &effects)
        guard let due = measurementDue, due <= now, let handle = database.measurement else { return }
        measurementDue = max(due + plan.measurement.period, now)
        measure(handle, database, &sensor, plan, at: now, into: &effects)
        if battery != self.battery, let handle = database.batteryLevel {
            self.battery = battery
            serve(.update(handle, [battery]), database, &sensor, plan, at: now, into: &effects)
        }
    }

    /// Sends a measurement, and more where intervals wait that would fill them.
    private mutating func measure(
        _ handle: Handle, _ database: StrapDatabase, _ sensor: inout HeartRateSensor, _ plan: StrapPlan,
        at now: Moment, into effects: inout [StrapEffect]
    ) {
        let room = server.mtu - 3
        var count = 0
        repeat {
            let value = sensor.measurement(at: now, room: room)
            serve(.update(handle, value), database, &sensor, plan, at: now, into: &effects)
            measurements += 1
            count += 1
        } while sensor.hasBacklog(room: room) && count < 4
    }

    private mutating func advanceWish(to now: Moment, _ plan: StrapPlan, into effects: inout [StrapEffect]) {
        switch wish {
        case .waiting(let until) where until <= now:
            guard let wanted = plan.parameterWish else { return }
            wish = .asked(patience: now + wanted.patience)
            effects.append(ask(for: wanted))
        case .asked(let patience) where patience <= now:
            leave(into: &effects)
        default:
            break
        }
    }

    private func ask(for wanted: StrapPlan.ParameterWish) -> StrapEffect {
        let parameters = ConnectionParameters {
            $0.intervalMin = wanted.intervals.lowerBound
            $0.intervalMax = wanted.intervals.upperBound
            $0.latency = wanted.latency
            $0.supervisionTimeout = wanted.supervisionTimeout
        }
        switch wanted.channel {
        case .signaling:
            let request = SignalingCommand.connectionParameterUpdateRequest(parameters)
            return .send(request.packet(identifier: Self.identifier).frame.encoded)
        case .linkLayer:
            return .requestParameters(parameters)
        }
    }

    private mutating func leave(into effects: inout [StrapEffect]) {
        isOver = true
        effects.append(.leave(.unacceptableConnectionParameters))
    }

    // MARK: Going away

    func isTimeFor(_ moment: StrapPlan.Departure.Moment, at now: Moment) -> Bool {
        switch moment {
        case .atConnection: true
        case .atRequest(let number): requests >= number
        case .afterMeasurements(let number): measurements >= number
        case .after(let time): end(after: time) <= now
        }
    }

    private func end(after time: Duration) -> Moment {
        connected + .nanoseconds(Int64(Double(time.wholeNanoseconds) * stretch))
    }
}
