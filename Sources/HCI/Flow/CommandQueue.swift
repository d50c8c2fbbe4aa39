public import Wire

/// Sends commands to the controller when it has room for them, and matches its answers to them (Core Vol 4, Part E, 4.4).
///
/// One command is in flight unless the controller grants more, and never two of the same opcode, whose answers nobody could tell apart.
/// An answer that names another connection than the command's is a late one to an earlier command, and passed over.
/// A credit is never lost: each answer carries the controller's own count, and a command that times out gives its credit back.
public struct CommandQueue<Token: Hashable & Sendable>: Hashable, Sendable {
    /// What the queue asks for or tells.
    public enum Effect: Hashable, Sendable {
        /// Send this packet, its H4 type octet first.
        case transmit([UInt8])
        /// Command Complete came; the return parameters are not looked into.
        case completed(Token, returnParameters: [UInt8])
        /// Command Status came: the command is begun, or refused.
        case status(Token, Status)
        /// No answer came in time. A late one is passed over.
        case timedOut(Token)
    }

    private struct Entry: Hashable, Sendable {
        var token: Token
        var opcode: Opcode
        var parameters: [UInt8]
        var answer: CommandAnswer
        var timeout: Duration

        /// What the answer has to name: the connection that all such commands begin with.
        var connection: ConnectionHandle? {
            guard answer == .completeOfConnection, parameters.count >= 2 else { return nil }
            return ConnectionHandle(rawValue: UInt16(parameters[0]) | UInt16(parameters[1]) << 8)
        }
    }

    private struct Sent: Hashable, Sendable {
        var token: Token
        var opcode: Opcode
        var answer: CommandAnswer
        /// What the answer has to name, where it names a connection.
        var connection: ConnectionHandle?
        var deadline: Moment
        /// Whether another event has told that the controller took it; the answer is not waited for, and tells nothing any more.
        var isSettled = false
    }

    private var waiting: [Entry] = []
    private var inFlight: [Sent] = []
    /// Commands that may be sent now.
    private var credits = 1
    /// When waiting for credits with nothing in flight ends: a controller that never grants one again would silence the host for ever.
    private var stalledUntil: Moment?

    public init() {}

    /// Commands not yet answered, sent or not.
    public var count: Int { waiting.count + inFlight.count }

    /// Whom the answers to come concern, in the order of the commands.
    public var tokens: [Token] { inFlight.filter { !$0.isSettled }.map(\.token) + waiting.map(\.token) }

    /// When `advance(to:into:)` will next have something to do.
    public var nextDeadline: Moment? {
        inFlight.map(\.deadline).min() ?? stalledUntil
    }

    // MARK: Inputs

    /// Takes a command in; it is sent at once where the controller has room.
    ///
    /// - Parameter timeout: how long to wait for the answer, from sending on.
    public mutating func enqueue<Sent: Command>(
        _ command: Sent, token: Token, timeout: Duration, at now: Moment, into effects: inout [Effect]
    ) {
        enqueue(
            Sent.opcode, parameters: command.encoded, answer: Sent.answer, token: token, timeout: timeout, at: now,
            into: &effects)
    }

    /// Takes a command in as octets: one that has no type here, a vendor's for example.
    public mutating func enqueue(
        _ opcode: Opcode, parameters: [UInt8], answer: CommandAnswer = .complete, token: Token, timeout: Duration,
        at now: Moment, into effects: inout [Effect]
    ) {
        waiting.append(
            Entry(token: token, opcode: opcode, parameters: parameters, answer: answer, timeout: timeout))
        send(at: now, into: &effects)
    }

    /// Takes in a Command Complete event.
    public mutating func receive(_ event: CommandComplete, at now: Moment, into effects: inout [Effect]) {
        if names(event), let sent = take(event.opcode), !sent.isSettled {
            switch sent.answer {
            case .complete, .completeOfConnection:
                effects.append(.completed(sent.token, returnParameters: event.returnParameters))
            case .status:
                // Some controllers refuse a deferred command with the wrong event.
                let status = event.returnParameters.first.map(Status.init(rawValue:)) ?? .unspecifiedError
                effects.append(.status(sent.token, status))
            }
        }
        grant(event.credits, at: now, into: &effects)
    }

    /// Takes in a Command Status event.
    public mutating func receive(_ event: CommandStatus, at now: Moment, into effects: inout [Effect]) {
        if finishes(event), let sent = take(event.opcode), !sent.isSettled {
            effects.append(.status(sent.token, event.status))
        }
        grant(event.credits, at: now, into: &effects)
    }

    /// Tells the time: ends what was not answered.
    public mutating func advance(to now: Moment, into effects: inout [Effect]) {
        let expired = inFlight.filter { $0.deadline <= now }
        if !expired.isEmpty {
            inFlight.removeAll { $0.deadline <= now }
            let unanswered = expired.filter { !$0.isSettled }
            effects += unanswered.map { .timedOut($0.token) }
            credits += unanswered.count
        }
        if let stalledUntil, stalledUntil <= now {
            self.stalledUntil = nil
            credits = max(credits, 1)
        }
        send(at: now, into: &effects)
    }

    /// Takes it that the controller has begun with a command, or need not any more, since another event told its outcome: an unsent
    /// one is withdrawn, and a sent one gives its credit back and is not answered. The next of the same opcode still waits for the
    /// answer, or for the time that it has, lest it be answered with this one's.
    public mutating func settle(_ token: Token, at now: Moment, into effects: inout [Effect]) {
        if let index = inFlight.firstIndex(where: { $0.token == token && !$0.isSettled }) {
            inFlight[index].isSettled = true
            credits += 1
        } else if let index = waiting.firstIndex(where: { $0.token == token }) {
            waiting.remove(at: index)
        }
        send(at: now, into: &effects)
    }

    /// Forgets everything and starts with one credit, as after power-on; gives the tokens of what was not answered.
    public mutating func removeAll() -> [Token] {
        defer { self = CommandQueue() }
        return tokens
    }

    // MARK: Steps

    /// A status of success to a command that ends with Command Complete says only that the controller works on it.
    private func finishes(_ event: CommandStatus) -> Bool {
        event.status != .success || inFlight.contains { $0.opcode == event.opcode && $0.answer == .status }
    }

    /// Whether the answer is about the connection that the command in flight is about. One that was refused may say no more than why.
    private func names(_ event: CommandComplete) -> Bool {
        guard let connection = inFlight.first(where: { $0.opcode == event.opcode })?.connection,
            let answer = try? HandleReturn(decoding: event.returnParameters)
        else { return true }
        return answer.handle == connection
    }

    private mutating func take(_ opcode: Opcode) -> Sent? {
        guard let index = inFlight.firstIndex(where: { $0.opcode == opcode }) else { return nil }
        return inFlight.remove(at: index)
    }

    /// Takes over the controller's count, upward and downward. What is still in flight may have left the host after the controller
    /// counted, so that it is taken off.
    private mutating func grant(_ count: UInt8, at now: Moment, into effects: inout [Effect]) {
        credits = max(0, Int(count) - inFlight.count { !$0.isSettled })
        send(at: now, into: &effects)
    }

    private mutating func send(at now: Moment, into effects: inout [Effect]) {
        while credits > 0, let next = waiting.first, !inFlight.contains(where: { $0.opcode == next.opcode }) {
            waiting.removeFirst()
            credits -= 1
            inFlight.append(
                Sent(
                    token: next.token, opcode: next.opcode, answer: next.answer, connection: next.connection,
                    deadline: now + next.timeout))
            effects.append(.transmit(Packet.command(next.opcode, parameters: next.parameters).encoded))
        }
        guard inFlight.isEmpty, let next = waiting.first else {
            stalledUntil = nil
            return
        }
        if stalledUntil == nil { stalledUntil = now + next.timeout }
    }
}
