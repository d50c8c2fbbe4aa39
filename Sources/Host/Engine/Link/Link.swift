import ATT
import GATT
import HCI
import L2CAP
import SMP
import Wire

/// One connection: the layers above its ACL data, from reassembly to GATT procedures.
struct Link: Sendable {
    /// What a link wants of the engine, in order.
    enum Effect: Sendable {
        /// Send a frame to the peer.
        case frame(BasicFrame)
        /// Ask the controller for new parameters.
        case updateConnection(HCI.ConnectionParameters)
        /// End the connection.
        case disconnect(Status)
        /// Have the controller encrypt it.
        case encrypt(LongTermKey)
        case bonded(Bond)
        /// It is better protected; whether that came by a pairing.
        case secured(isPaired: Bool)
        case notSecured(SecurityFailure, isOfPairing: Bool)
        /// Answer this request when the frames so far are with the controller.
        case answerWhenSent(Ticket)
        case host(HostEngine.Effect)
    }

    /// A procedure under way: whose, and what it does next.
    struct Running: Sendable {
        /// `nil` once it was taken back, and answered: it only tidies up.
        var ticket: Ticket?
        var operation: any Operation
        /// Whether it has the peer queue what is written: there is one queue for the whole bearer (Core Vol 3, Part F, 3.4.6), so that
        /// only one may have parts in it.
        var usesQueue = false
        /// Whether the link is protected for it where the peer wants that. Who reads everything there is wants what is open.
        var raisesSecurity = true
        /// What the peer was asked last.
        var request: ClientPDU?
        /// How well the link was protected when that was handed on.
        var level = SecurityLevel.none
    }

    /// A disconnection that was asked for.
    struct Ending: Hashable, Sendable {
        var tickets: [Ticket]
        var giveUp: Moment
        /// The controller is told once it has sent what it was given, which many drop with the connection, or then; `nil` where it is
        /// told.
        var delayEnd: Moment?
    }

    /// A change of the connection's parameters that is under way.
    struct ParameterUpdate: Hashable, Sendable {
        /// When its completion is no longer waited for.
        var giveUp: Moment
        /// What the peer has asked for meanwhile.
        var next: HCI.ConnectionParameters?
    }

    private(set) var connection: Connection
    /// `nil` while none is.
    var parameterUpdate: ParameterUpdate?
    /// When the controller is no longer waited for to end the connection.
    var ending: Ending?
    private var reassembler = Reassembler(limit: Link.longestFrame)
    private var signaling = Signaling(role: .central)
    var securityManager: SecurityManager
    /// What waits for the link's protection.
    var shelter = SecurityQueue()
    private var bearer = Bearer()
    private var server: Server
    var running: [Bearer.Ticket: Running] = [:]
    /// Those that wait for the peer's queue, the first in front.
    private var waitingForQueue: [Running] = []
    private static let mostWaitingForQueue = 64
    private var requests: UInt64 = 0
    /// What is subscribed to.
    var subscriptions: [SubscribedCharacteristic] = []
    /// What a proof said last is not there any more.
    var disproven: NotifyingCharacteristic?
    /// The value handle of the peer's Service Changed characteristic, once it is known.
    private var serviceChangedHandle: Handle?

    /// The longest frame taken: more than the longest ATT PDU that the host agrees to.
    static let longestFrame = 4096

    /// The peer's address as the radio knows it: the one that was connected to.
    let radioAddress: Address

    /// - Parameters:
    ///   - radioAddress: the address that was connected to
    ///   - table: what peers find on us
    init(
        _ connection: Connection, reachedAt radioAddress: Address, securedBy securityManager: SecurityManager,
        serving table: AttributeTable
    ) {
        self.connection = connection
        self.radioAddress = radioAddress
        self.securityManager = securityManager
        server = Server(table)
    }

    var id: ConnectionID { connection.id }

    /// Requests that are not answered.
    var requestCount: Int { running.count + waitingForQueue.count + shelter.tickets.count }

    var nextDeadline: Moment? {
        ([bearer.nextDeadline, ending?.delayEnd, ending?.giveUp, parameterUpdate?.giveUp, securityManager.nextDeadline]
            + subscriptions.map(\.deadline))
            .compactMap(\.self).min()
    }

    // MARK: From the host

    mutating func request(
        _ request: HostEngine.GATTRequest, ticket: Ticket, at now: Moment, into effects: inout [Effect]
    ) {
        guard !hold(request, ticket, into: &effects) else { return }
        if case .writeWithoutResponse(let handle, let value) = request {
            return send(WriteCommand(handle: handle, value: value), ticket, at: now, into: &effects)
        }
        let new = Running(
            ticket: ticket, operation: operation(for: request), usesQueue: usesQueue(request),
            raisesSecurity: request.raisesSecurity)
        guard new.usesQueue, running.values.contains(where: \.usesQueue) else {
            return begin(new, at: now, into: &effects)
        }
        guard waitingForQueue.count < Self.mostWaitingForQueue else {
            return effects.append(.host(.answer(ticket, .failure(.peer(.notSent(.queueFull))))))
        }
        waitingForQueue.append(new)
    }

    private mutating func begin(_ new: Running, at now: Moment, into effects: inout [Effect]) {
        let key = nextKey()
        var new = new
        let step = new.operation.start()
        running[key] = new
        follow(step, key, at: now, into: &effects)
    }

    private mutating func send(
        _ command: WriteCommand, _ ticket: Ticket, at now: Moment, into effects: inout [Effect]
    ) {
        if let refusal = bearer.refusal(of: .writeCommand(command)) {
            return effects.append(.host(.answer(ticket, .failure(.peer(.notSent(refusal))))))
        }
        drive(.command(.writeCommand(command)), at: now, into: &effects)
        effects.append(.answerWhenSent(ticket))
    }

    mutating func nextKey() -> Bearer.Ticket {
        requests += 1
        return Bearer.Ticket(requests)
    }

    /// Whether a request is written part by part.
    private func usesQueue(_ request: HostEngine.GATTRequest) -> Bool {
        switch request {
        case .write(_, let value): value.count + 3 > bearer.mtu
        case .writeReliably: true
        default: false
        }
    }

    private func operation(for request: HostEngine.GATTRequest) -> any Operation {
        switch request {
        case .discover:
            ProcedureOperation(DiscoverAll()) { .database($0) }
        case .discoverService(let uuid):
            ChainedOperation(DiscoverServices(uuid)) { services in
                guard let service = services.first else { return SettledOperation(answer: .service(nil)) }
                return ProcedureOperation(DiscoverCharacteristics(in: service.range)) { characteristics in
                    var whole = service
                    whole.characteristics = characteristics
                    return .service(whole)
                }
            }
        case .read(let handle):
            ProcedureOperation(ReadValue(handle, mtu: bearer.mtu)) { .value($0) }
        case .readValues(let handles, _):
            ProcedureOperation(ReadEveryValue(handles, mtu: bearer.mtu)) { .values($0) }
        case .readTogether(let handles, let lengths):
            ProcedureOperation(ReadValues(handles, lengths: lengths)) { .values($0.map { .success($0) }) }
        case .readEvery(let uuid, _):
            ProcedureOperation(ReadByType(uuid, mtu: bearer.mtu)) { .entries($0) }
        case .write(let handle, let value), .writeWithoutResponse(let handle, let value):
            if usesQueue(request) {
                ProcedureOperation(WriteParts(value, to: handle, mtu: bearer.mtu)) { _ in .done }
            } else {
                ProcedureOperation(WriteValue(value, to: handle)) { _ in .done }
            }
        case .writeReliably(let targets):
            ProcedureOperation(WriteParts(reliably: targets, mtu: bearer.mtu)) { _ in .done }
        case .subscribe(let service, let characteristic, let known):
            SubscribeOperation(service: service, characteristic: characteristic, known: known)
        case .learnCaching(let characteristic):
            ProcedureOperation(LearnCaching(characteristic)) { .caching($0) }
        case .enable(let characteristic):
            EnableOperation(characteristic)
        case .exchangeMTU:
            MTUOperation(current: bearer.mtu)
        }
    }

    /// Takes a request back. One that the peer already has still keeps the bearer until it is answered.
    mutating func cancel(_ ticket: Ticket, at now: Moment, into effects: inout [Effect]) {
        if let index = waitingForQueue.firstIndex(where: { $0.ticket == ticket }) {
            waitingForQueue.remove(at: index)
            return effects.append(.host(.answer(ticket, .failure(.cancelled))))
        }
        guard !cancelWaitingForSecurity(ticket, at: now, into: &effects) else { return }
        guard let key = running.first(where: { $0.value.ticket == ticket })?.key else { return }
        if running[key]?.usesQueue == true {
            // The peer has to forget what it has queued, and may take half a minute to answer: that is nothing to wait for.
            running[key]?.ticket = nil
            effects.append(.host(.answer(ticket, .failure(.cancelled))))
        }
        drive(.cancel(key), at: now, into: &effects)
    }

    // MARK: From the peer

    /// Takes the data of one ACL packet.
    mutating func receive(_ packet: ACLPacket, at now: Moment, into effects: inout [Effect]) {
        let outcome = reassembler.receive(packet.payload.span, isContinuation: !packet.boundary.isStart)
        for fault in outcome.faults { note("L2CAP: \(fault)", into: &effects) }
        if let frame = outcome.frame { receive(frame, at: now, into: &effects) }
    }

    private mutating func receive(_ frame: BasicFrame, at now: Moment, into effects: inout [Effect]) {
        switch frame.channel {
        case .attribute:
            drive(.received(frame.payload), at: now, into: &effects)
        case .signaling:
            receive(signaling: frame.payload, into: &effects)
        case .securityManager:
            receive(security: frame.payload, at: now, into: &effects)
        default:
            note("L2CAP: frame on \(frame.channel), which is not open", into: &effects)
        }
    }

    private mutating func receive(signaling payload: [UInt8], into effects: inout [Effect]) {
        var actions: [Signaling.Effect] = []
        signaling.handle(payload.span, into: &actions)
        for action in actions {
            switch action {
            case .transmit(let frame): effects.append(.frame(frame))
            case .updateConnection(let parameters):
                effects.append(.updateConnection(parameters))
            case .note(let text): note("L2CAP: \(text)", into: &effects)
            }
        }
    }

    // MARK: From the controller

    mutating func update(into effects: inout [Effect], _ change: (inout Connection) -> Void) {
        change(&connection)
        effects.append(.host(.connectionChanged(connection)))
    }

    /// The connection is over: every procedure is answered.
    mutating func disconnected(_ status: Status, at now: Moment, into effects: inout [Effect]) {
        if let lost = reassembler.reset() { note("L2CAP: \(lost)", into: &effects) }
        withdraw(into: &effects)
        abandonRequests(securityFailure(of: status).map { .security($0) } ?? .disconnected(status), into: &effects)
        for ticket in ending?.tickets ?? [] { effects.append(.host(.answer(ticket, .success(.done)))) }
        effects.append(.host(.disconnected(id, status)))
    }

    /// What the procedures make of an end is one thing; what their callers want to know is why the link ended.
    mutating func abandonRequests(_ error: HostError, into effects: inout [Effect]) {
        let waiting = (running.values + waitingForQueue).compactMap(\.ticket) + shelter.tickets
        for ticket in waiting.sorted() { effects.append(.host(.answer(ticket, .failure(error)))) }
        running = [:]
        waitingForQueue = []
        shelter = SecurityQueue()
    }

    // MARK: Time

    mutating func advance(to now: Moment, into effects: inout [Effect]) {
        if let deadline = bearer.nextDeadline, deadline <= now { drive(.wake, at: now, into: &effects) }
        advanceSubscriptions(to: now, into: &effects)
        advanceSecurity(to: now, into: &effects)
    }

    // MARK: The bearer

    mutating func drive(_ input: Bearer.Input, at now: Moment, into effects: inout [Effect]) {
        var actions: [Bearer.Effect] = []
        bearer.handle(input, at: now, into: &actions)
        for action in actions { carryOut(action, at: now, into: &effects) }
    }

    private mutating func carryOut(_ action: Bearer.Effect, at now: Moment, into effects: inout [Effect]) {
        switch action {
        case .transmit(let pdu):
            effects.append(.frame(BasicFrame(channel: .attribute, payload: pdu)))
        case .completed(let key, let outcome):
            guard !raise(for: key, outcome, at: now, into: &effects) else { return }
            guard let step = running[key]?.operation.receive(outcome) else {
                return receive(outcome, of: key, at: now, into: &effects)
            }
            follow(step, key, at: now, into: &effects)
        case .notification(let handle, let value):
            heard(value, from: handle, at: now, into: &effects)
        case .indication(let handle, let value):
            heard(value, from: handle, at: now, into: &effects)
            // Service Changed is only ever indicated (Core Vol 3, Part G, 7.1).
            if handle == serviceChangedHandle {
                serviceChanged(HandleRange(serviceChanged: value), at: now, into: &effects)
            }
        case .serve(let pdu):
            serve(pdu, at: now, into: &effects)
        case .mtuChanged(let mtu):
            server.mtu = mtu
            update(into: &effects) { $0.mtu = mtu }
        case .noted(let oddity):
            note("ATT: \(oddity)", into: &effects)
        case .disconnect:
            effects.append(.disconnect(.remoteUserTerminated))
        }
    }

    private mutating func heard(
        _ value: [UInt8], from handle: Handle, at now: Moment, into effects: inout [Effect]
    ) {
        heard(from: handle)
        effects.append(.host(.notification(.init(connection: id, handle: handle), value, now)))
    }

    /// Has our small server answer the peer. It holds nothing that can be written or that changes, so that only answers come.
    private mutating func serve(_ pdu: [UInt8], at now: Moment, into effects: inout [Effect]) {
        var actions: [Server.Effect] = []
        server.handle(.received(pdu), at: now, into: &actions)
        for action in actions {
            switch action {
            case .transmit(let answer): drive(.serverSends(answer), at: now, into: &effects)
            case .noted(let oddity): note("GATT server: \(oddity)", into: &effects)
            case .askedToWrite, .written, .configured, .confirmed, .indicationDropped, .disconnect: continue
            }
        }
    }

    private mutating func follow(
        _ step: OperationStep, _ key: Bearer.Ticket, at now: Moment, into effects: inout [Effect]
    ) {
        switch step {
        case .request(let pdu):
            ask(pdu, key, at: now, into: &effects)
        case .prepareFor(let handle, let pdu):
            if let ticket = running[key]?.ticket {
                effects.append(.host(.notifying(ticket, .init(connection: id, handle: handle))))
            }
            ask(pdu, key, at: now, into: &effects)
        case .finished(let result):
            finish(key, result.mapError(HostError.init), at: now, into: &effects)
        }
    }

    mutating func ask(
        _ pdu: ClientPDU, _ key: Bearer.Ticket, at now: Moment, into effects: inout [Effect]
    ) {
        running[key]?.request = pdu
        running[key]?.level = connection.security.level
        drive(.request(pdu, key), at: now, into: &effects)
    }

    /// A procedure is over, one way or another.
    mutating func finish(
        _ key: Bearer.Ticket, _ result: Result<HostEngine.Answer, HostError>, at now: Moment,
        into effects: inout [Effect]
    ) {
        guard let done = running.removeValue(forKey: key) else { return }
        if case .success(let answer) = result { note(answer, at: now, into: &effects) }
        if let ticket = done.ticket { effects.append(.host(.answer(ticket, result))) }
        if done.usesQueue, !waitingForQueue.isEmpty {
            begin(waitingForQueue.removeFirst(), at: now, into: &effects)
        }
    }

    /// Keeps what an answer says of the peer's handles.
    private mutating func note(_ answer: HostEngine.Answer, at now: Moment, into effects: inout [Effect]) {
        switch answer {
        case .subscribed(let characteristic, let basis):
            subscribed(to: characteristic, basis, at: now)
        case .caching(let caching):
            serviceChangedHandle = caching.serviceChanged
            if !caching.doHandlesHold { serviceChanged(.all, at: now, into: &effects) }
        default:
            break
        }
    }

    private func note(_ text: String, into effects: inout [Effect]) {
        effects.append(.host(.note(.lowerLayer(id, text))))
    }
}

extension HostError {
    init(_ error: GATTError) {
        self = error == .cancelled ? .cancelled : .peer(error)
    }
}
