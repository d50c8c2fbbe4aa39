import ATT
import GATT
public import HCI
import SMP
public import Wire

/// The whole host as one value: packets, requests and time in, effects out. It never waits, reads no clock and opens no file, so
/// that a test or a replay repeats it exactly.
///
/// `Central` owns one and carries out its effects.
public struct HostEngine: Sendable {
    /// Whom a command's answer concerns.
    enum Asker: Hashable, Sendable {
        case initialisation(Initialisation.Step)
        case radio(Radio.Command)
        /// The tries count from 1.
        case disconnect(ConnectionID, try: Int)
        case signalStrength(ConnectionID, Ticket)
        /// Another connection that the controller does not know: it is asked whether it knows this one.
        case witness(ConnectionID, of: ConnectionID)
        /// The connection's parameters are to change.
        case update(ConnectionID)
        /// The connection is to be encrypted.
        case encryption(ConnectionID)
        /// Nobody: an event will tell, or nothing depends on it, but for the connection that it is about.
        case nobodyOn(ConnectionID)
        /// Nobody: an event will tell, or nothing depends on it.
        case nobody
    }

    struct Token: Hashable, Sendable {
        var asker: Asker
        var opcode: HCI.Opcode
    }

    /// A command that the queue has not been given yet.
    private struct Unsent: Hashable, Sendable {
        var parameters: [UInt8]
        var answer: CommandAnswer
        var token: Token
        var timeout: Duration
    }

    enum Phase: Hashable, Sendable {
        /// Can transition to `.initialising`, `.failed`.
        case asleep
        /// Can transition to `.ready`, `.failed`. Without a ticket, the controller is made ready again after a failure of its own.
        case initialising(Initialisation, Ticket?)
        /// Can transition to `.stopping`, `.initialising`, `.failed`.
        case ready
        /// Disconnecting everything. Can transition to `.failed`.
        case stopping(Ticket, giveUp: Moment)
        case failed(HostError)
    }

    /// How long a command may go unanswered that the host cannot do without, and one that it can.
    static let commandTimeout: Duration = .seconds(5)
    static let optionalCommandTimeout: Duration = .seconds(2)
    /// How long disconnecting may take, one connection and everything at the end.
    static let disconnectBound: Duration = .seconds(6)
    static let stopBound: Duration = .seconds(2)
    /// How long a disconnection waits for what was sent before.
    static let delayBound: Duration = .seconds(1)
    /// How often the controller is told to end a connection, where it does not answer.
    static let mostDisconnects = 5
    /// How many connections that nobody wanted may come about within `disconnectBound`. A cancel that is too late leads to one; a
    /// controller that tells of one after the other would fill the memory faster than they end.
    static let mostStrangers = 32
    /// Commands that may wait when nothing depends on them. A peer that keeps asking for other parameters must not fill the queue.
    static let mostUnimportantCommands = 16

    /// What the owner decided.
    public let configuration: Configuration
    /// `nil` for a host that does not pair.
    let security: SecuritySetup?
    var identities: IdentityTable
    /// Makes private addresses by which bonded peers recognise the host.
    var ownKey: SecretKey?
    var privacy = Privacy()
    var attempts = PairingAttempts()
    /// Who wants to pair anew with a bonded peer: the link is not encrypted with the bond's key then.
    var bondless: [Ticket: DeviceAddress] = [:]
    /// Bonded peers that are wanted and not recognised by the controller.
    var seekers: [Ticket: Seeker] = [:]
    /// What is known of the controller; complete once it is ready.
    public internal(set) var controller = Controller()
    var phase = Phase.asleep
    private var commands = CommandQueue<Token>()
    private var unsent: [Unsent] = []
    /// When the controller was last reset after failures of its own.
    var recoveries: [Moment] = []
    /// When connections came about lately that nobody wanted.
    var strangers: [Moment] = []
    var data = ACLCredits()
    var radio = Radio()
    var scan = ScanState()
    var links: [ConnectionHandle: Link] = [:]
    /// Requests that are answered when the controller has taken their frames.
    var unsentFrames: [ConnectionHandle: [UnsentFrame]] = [:]
    var generations: UInt64 = 0
    /// Whether the controller has accepted a command of the extended family.
    var hasUsedExtendedCommands = false
    /// Whether the controller left the first command of the extended family unanswered.
    var distrustsExtendedCommands = false
    let ownDatabase: AttributeTable
    /// Waits of `Request.wait`, and tickets of connection attempts.
    var waits: [Ticket: Moment] = [:]

    /// - Parameter security: without it every pairing is refused
    public init(configuration: Configuration, security: SecuritySetup? = nil) {
        self.configuration = configuration
        self.security = security
        identities = IdentityTable(security?.bonds.bonds ?? [], toolbox: security?.toolbox)
        ownKey = security?.bonds.ownKey
        ownDatabase = .ofHost(named: configuration.name)
    }

    // MARK: Asking

    /// Takes a request. Its one answer comes as `Effect.answer`, now or later.
    public mutating func request(_ request: Request, ticket: Ticket, at now: Moment, into effects: inout [Effect]) {
        if case .failed(let error) = phase {
            effects.append(.answer(ticket, .failure(error)))
            return
        }
        guard request.canBeMet(in: phase) else {
            effects.append(.answer(ticket, .failure(.cancelled)))
            return
        }
        switch request {
        case .start: start(ticket, at: now, into: &effects)
        case .stop: stop(ticket, at: now, into: &effects)
        case .wait(let duration): waits[ticket] = now + duration
        case .scan(let isActive): startScan(isActive: isActive, ticket, at: now, into: &effects)
        case .stopScanning: stopScan(ticket, at: now, into: &effects)
        case .connect(let target, let parameters, let duration):
            connect(to: target, parameters, within: duration, ticket, at: now, into: &effects)
        case .disconnect(let id): disconnect(id, ticket, at: now, into: &effects)
        case .gatt(let id, let request):
            self.request(request, of: id, ticket, at: now, into: &effects)
        case .secure(let id, let level): wish(level, isPairing: false, of: id, ticket, at: now, into: &effects)
        case .pair(let id, let level): wish(level, isPairing: true, of: id, ticket, at: now, into: &effects)
        case .answerPairing(let id, let question, let answer):
            effects.append(.answer(ticket, .success(.done)))
            guard links[id.handle]?.id == id else { break }
            act(on: id.handle, at: now, into: &effects) { link, effects in
                link.answered(question, answer, at: now, into: &effects)
            }
        case .forgetBond(let identity):
            forget(identity)
            effects.append(.answer(ticket, .success(.done)))
        case .readSignalStrength(let id): readSignalStrength(of: id, ticket, at: now, into: &effects)
        case .tune(let id, let tuning): tune(id, tuning, ticket, into: &effects)
        }
        flush(at: now, into: &effects)
    }

    /// Takes a request back. It is still answered: with `.cancelled`, or with what had come before.
    public mutating func cancel(_ ticket: Ticket, at now: Moment, into effects: inout [Effect]) {
        if case .failed = phase { return }
        if waits.removeValue(forKey: ticket) != nil || scan.cancel(ticket) {
            effects.append(.answer(ticket, .failure(.cancelled)))
            return
        }
        if cancelUnsent(ticket) {
            effects.append(.answer(ticket, .failure(.cancelled)))
            return
        }
        if case .initialising(_, let start) = phase, start == ticket {
            // A controller half made ready is of no use to anybody.
            fail(.cancelled, into: &effects)
            return
        }
        if cancelSeeking(ticket, at: now, into: &effects) {
            effects.append(.answer(ticket, .failure(.cancelled)))
            flush(at: now, into: &effects)
            return
        }
        actOnRadio(at: now, into: &effects) { radio, actions in radio.cancel(ticket, at: now, into: &actions) }
        for handle in links.keys.sorted() {
            act(on: handle, at: now, into: &effects) { link, effects in
                link.cancel(ticket, at: now, into: &effects)
            }
        }
        flush(at: now, into: &effects)
    }

    // MARK: Time

    /// When `advance(to:into:)` will next have something to do.
    public var nextDeadline: Moment? {
        if case .failed = phase { return nil }
        var deadlines = [
            commands.nextDeadline, radio.nextDeadline, scan.relaxAt, waits.values.min(), unsentDeadline,
            privacyDeadline,
            seekingDeadline,
        ]
        if case .stopping(_, let giveUp) = phase { deadlines.append(giveUp) }
        deadlines += links.values.map(\.nextDeadline)
        return deadlines.compactMap(\.self).min()
    }

    /// Does what is due up to `now`.
    public mutating func advance(to now: Moment, into effects: inout [Effect]) {
        if case .failed = phase { return }
        let over = waits.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        for (ticket, _) in over {
            waits[ticket] = nil
            effects.append(.answer(ticket, .success(.done)))
        }
        actOnCommands(at: now, into: &effects) { commands, actions in commands.advance(to: now, into: &actions) }
        actOnRadio(at: now, into: &effects) { radio, actions in radio.advance(to: now, into: &actions) }
        relaxScan(at: now, into: &effects)
        if radio.wantedScan != nil { renewPrivateAddressIfDue(at: now, into: &effects) }
        giveUpSeeking(at: now, into: &effects)
        for handle in links.keys.sorted() {
            act(on: handle, at: now, into: &effects) { link, effects in link.advance(to: now, into: &effects) }
        }
        disconnectDelayed(at: now)
        giveUpDisconnecting(at: now, into: &effects)
        giveUpUpdating(at: now, into: &effects)
        giveUpUnsent(at: now, into: &effects)
        if case .stopping(let ticket, let giveUp) = phase, giveUp <= now {
            finish(stop: ticket, into: &effects)
        }
        flush(at: now, into: &effects)
    }

    // MARK: Ends

    /// The way to the controller is gone.
    public mutating func linkEnded(_ reason: LinkEnd, into effects: inout [Effect]) {
        fail(.linkEnded(reason), into: &effects)
    }

    /// Nothing can be done any more. The owner answers every ticket that is open.
    mutating func fail(_ error: HostError, into effects: inout [Effect]) {
        if case .failed = phase { return }
        phase = .failed(error)
        forgetEverything()
        effects.append(.failed(error))
    }

    /// What was under way has nobody to go to any more.
    mutating func forgetEverything() {
        links = [:]
        seekers = [:]
        bondless = [:]
        strangers = []
        unsentFrames = [:]
        waits = [:]
        unsent = []
        commands = CommandQueue()
        data = ACLCredits()
        radio = Radio()
        scan = ScanState()
    }

    // MARK: Commands

    /// Commands that are not answered, sent or not.
    var commandCount: Int { commands.count + unsent.count }

    /// Forgets all commands, sent or not, as a reset of the controller does.
    ///
    /// - Returns: whom their answers concerned
    mutating func dropCommands() -> [Token] {
        defer { unsent = [] }
        return commands.removeAll() + unsent.map(\.token)
    }

    /// Has a command sent once the request, packet or moment at hand has been dealt with. An optional one may be refused or go
    /// unanswered without harm.
    mutating func send<Sent: Command>(_ command: Sent, _ asker: Asker, isOptional: Bool = false) {
        unsent.append(
            Unsent(
                parameters: command.encoded, answer: Sent.answer, token: Token(asker: asker, opcode: Sent.opcode),
                timeout: isOptional ? Self.optionalCommandTimeout : Self.commandTimeout))
    }

    /// Has an optional command sent where the controller offers it.
    ///
    /// - Returns: whether it will be sent
    @discardableResult
    mutating func sendIfOffered<Sent: Command>(_ command: Sent, _ asker: Asker) -> Bool {
        if asker.isUnimportant, !hasRoomForUnimportantCommand { return false }
        guard controller.offers(Sent.opcode) else { return false }
        send(command, asker, isOptional: true)
        return true
    }

    /// Whether a command on which nothing depends may wait with the others.
    var hasRoomForUnimportantCommand: Bool { commandCount < Self.mostUnimportantCommands }

    /// A command was begun, whether its answer comes or not.
    mutating func settle(_ asker: Asker, at now: Moment, into effects: inout [Effect]) {
        actOnCommands(at: now, into: &effects) { commands, actions in
            for token in commands.tokens where token.asker == asker { commands.settle(token, at: now, into: &actions) }
        }
    }

    /// Gives the queue what has gathered, and what comes of that.
    mutating func flush(at now: Moment, into effects: inout [Effect]) {
        while !unsent.isEmpty {
            let next = unsent.removeFirst()
            actOnCommands(at: now, into: &effects) { commands, actions in
                commands.enqueue(
                    next.token.opcode, parameters: next.parameters, answer: next.answer, token: next.token,
                    timeout: next.timeout, at: now, into: &actions)
            }
        }
    }

    /// Lets `change` act on the command queue and carries out what comes of it.
    mutating func actOnCommands(
        at now: Moment, into effects: inout [Effect],
        _ change: (inout CommandQueue<Token>, inout [CommandQueue<Token>.Effect]) -> Void
    ) {
        var actions: [CommandQueue<Token>.Effect] = []
        change(&commands, &actions)
        for action in actions {
            if case .failed = phase { return }
            switch action {
            case .transmit(let packet): effects.append(.transmit(packet))
            case .completed(let token, let octets): take(token, .completed(octets), at: now, into: &effects)
            case .status(let token, let status): take(token, .status(status), at: now, into: &effects)
            case .timedOut(let token): take(token, .silent, at: now, into: &effects)
            }
        }
    }
}

extension HostEngine.Asker {
    /// Whether nothing depends on the command.
    fileprivate var isUnimportant: Bool {
        switch self {
        case .nobody, .nobodyOn: true
        default: false
        }
    }

    /// The connection that the command is about.
    var connection: ConnectionID? {
        switch self {
        case .disconnect(let id, _), .signalStrength(let id, _), .witness(let id, _), .update(let id),
            .encryption(let id), .nobodyOn(let id):
            id
        case .initialisation, .radio, .nobody: nil
        }
    }
}
