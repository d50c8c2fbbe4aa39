public import Wire

/// One ATT bearer, seen from the client (Core Vol 3, Part F, 3.3): one request at a time, replies matched to it, the
/// MTU, and the peer's own PDUs sorted by who takes them. Pure: inputs and the time in, effects out.
///
/// What a peer gets wrong is noted and passed over; the transaction goes on:
/// - a response of another type than the request awaits, or an Error Response that names another request, is ignored,
///   for ATT has no transaction identifier by which it could be told whose it is; so is a response when nothing was
///   asked;
/// - a response of the right type that cannot be read ends its request, with `BearerError.malformed`.
///
/// A request unanswered for 30 s ends the bearer: a late answer could be taken for another request's (3.3.3).
public struct Bearer: Hashable, Sendable {
    /// The MTU before any exchange, and the least one (Core Vol 3, Part G, 5.2.1).
    public static let defaultMTU = 23
    /// How long a server may take to answer (3.3.3).
    public static let transactionTimeout = Duration.seconds(30)

    /// The longest PDU in octets that either side may send.
    public private(set) var mtu = Bearer.defaultMTU

    /// Requests that may wait behind the one outstanding; more are refused with `BearerError.queueFull`.
    private let queueLimit: Int
    private var state = State.idle
    /// What the peer offered in an Exchange MTU Request that the server part has not answered yet.
    private var offeredMTU: UInt16?

    public init(queueLimit: Int = 64) { self.queueLimit = queueLimit }

    /// When to come back with `Input.wake`; `nil` while nothing is awaited.
    public var nextDeadline: Moment? {
        guard case .awaiting(let transaction) = state else { return nil }
        return transaction.deadline
    }

    /// Takes an input and appends what is to be done, in order.
    public mutating func handle(_ input: Input, at now: Moment, into effects: inout [Effect]) {
        switch input {
        case .request(let pdu, let ticket): enqueue(Waiting(pdu: pdu, ticket: ticket), at: now, into: &effects)
        case .command(let pdu): send(command: pdu, into: &effects)
        case .cancel(let ticket): cancel(ticket, into: &effects)
        case .serverSends(let octets): send(fromServer: octets, into: &effects)
        case .received(let octets): receive(octets, at: now, into: &effects)
        case .wake: checkDeadline(at: now, into: &effects)
        case .disconnected: end(.closed, outstanding: .disconnected, queued: .disconnected, into: &effects)
        }
    }
}

// MARK: - State

extension Bearer {
    private enum State: Hashable {
        /// Nothing is outstanding, so nothing waits. Can transition to `awaiting`, `closed`.
        case idle
        /// A request is with the peer. Can transition to `idle`, `awaiting` the next one, `failed`, `closed`.
        case awaiting(Transaction)
        /// A request went unanswered for 30 s; nothing more is sent or heeded. Can transition to `closed`.
        case failed
        /// The link is gone. Can transition to nothing.
        case closed

        /// Why nothing can be sent; `nil` where it can.
        var refusal: BearerError? {
            switch self {
            case .idle, .awaiting: nil
            case .failed: .bearerFailed
            case .closed: .disconnected
            }
        }
    }

    private struct Transaction: Hashable {
        var request: ClientPDU
        /// `nil` once its caller has cancelled: the peer's answer is still awaited, but nobody is told.
        var ticket: Ticket?
        var deadline: Moment
        var queue: [Waiting]
    }

    private struct Waiting: Hashable {
        var pdu: ClientPDU
        var ticket: Ticket
    }
}

// MARK: - Sending

extension Bearer {
    private mutating func enqueue(_ waiting: Waiting, at now: Moment, into effects: inout [Effect]) {
        func refuse(_ error: BearerError) { effects.append(.completed(waiting.ticket, .failure(error))) }
        guard waiting.pdu.opcode.kind == .request else { return refuse(.notARequest(waiting.pdu.opcode)) }
        switch state {
        case .idle:
            transmitNext(of: [waiting], at: now, into: &effects)
        case .awaiting(var transaction):
            guard transaction.queue.count < queueLimit else { return refuse(.queueFull) }
            transaction.queue.append(waiting)
            state = .awaiting(transaction)
        case .failed, .closed:
            if let refusal = state.refusal { refuse(refusal) }
        }
    }

    /// Starts the first request that fits into the MTU; those before it fail.
    private mutating func transmitNext(of queue: [Waiting], at now: Moment, into effects: inout [Effect]) {
        for (index, waiting) in queue.enumerated() {
            let octets = waiting.pdu.encoded
            guard octets.count <= mtu else {
                let error = BearerError.tooLong(octets: octets.count, mtu: mtu)
                effects.append(.completed(waiting.ticket, .failure(error)))
                continue
            }
            effects.append(.transmit(octets))
            let rest = [Waiting](queue[(index + 1)...])
            let deadline = now + Self.transactionTimeout
            state = .awaiting(
                Transaction(request: waiting.pdu, ticket: waiting.ticket, deadline: deadline, queue: rest))
            return
        }
        state = .idle
    }

    private func send(command pdu: ClientPDU, into effects: inout [Effect]) {
        if let refusal = refusal(of: pdu) {
            effects.append(.noted(.notSent(pdu.opcode, refusal)))
        } else {
            effects.append(.transmit(pdu.encoded))
        }
    }

    /// Why a command would not be sent now; `nil` where it would.
    public func refusal(of command: ClientPDU) -> BearerError? {
        if let refusal = state.refusal { return refusal }
        guard command.opcode.kind == .command else { return .notACommand(command.opcode) }
        let count = command.encoded.count
        return count > mtu ? .tooLong(octets: count, mtu: mtu) : nil
    }

    /// Passes on what our server sends. Its answer to the peer's Exchange MTU Request sets the MTU for all that
    /// follows.
    private mutating func send(fromServer octets: [UInt8], into effects: inout [Effect]) {
        let opcode = Opcode(octets.first ?? 0)
        if let refusal = state.refusal { return effects.append(.noted(.notSent(opcode, refusal))) }
        effects.append(.transmit(octets))
        if let offered = offeredMTU, let response = try? ServerPDU(decoding: octets),
            case .exchangeMTU(let own) = response
        {
            offeredMTU = nil
            agree(offered, own.serverRxMTU, into: &effects)
        }
    }

    private mutating func cancel(_ ticket: Ticket, into effects: inout [Effect]) {
        guard case .awaiting(var transaction) = state else { return }
        if transaction.ticket == ticket {
            transaction.ticket = nil
        } else if let index = transaction.queue.firstIndex(where: { $0.ticket == ticket }) {
            transaction.queue.remove(at: index)
        } else {
            return
        }
        state = .awaiting(transaction)
        effects.append(.completed(ticket, .failure(.cancelled)))
    }

    /// The MTU is the lesser of what both sides take, but never below 23 (3.4.2.2).
    private mutating func agree(_ one: UInt16, _ other: UInt16, into effects: inout [Effect]) {
        let agreed = max(Self.defaultMTU, Int(min(one, other)))
        guard agreed != mtu else { return }
        mtu = agreed
        effects.append(.mtuChanged(agreed))
    }
}

// MARK: - Receiving

extension Bearer {
    private mutating func receive(_ octets: [UInt8], at now: Moment, into effects: inout [Effect]) {
        guard let first = octets.first else { return effects.append(.noted(.emptyPDU)) }
        let opcode = Opcode(first)
        guard state.refusal == nil else { return effects.append(.noted(.ignoredAfterEnd(opcode))) }
        if octets.count > mtu { effects.append(.noted(.longerThanMTU(opcode, octets: octets.count, mtu: mtu))) }
        switch opcode.kind {
        case .response: receive(response: opcode, octets, at: now, into: &effects)
        case .notification, .indication: receive(value: opcode, octets, into: &effects)
        case .request, .command, .confirmation: receive(fromClient: opcode, octets, into: &effects)
        }
    }

    private mutating func receive(
        response opcode: Opcode, _ octets: [UInt8], at now: Moment, into effects: inout [Effect]
    ) {
        guard case .awaiting(let transaction) = state else {
            return effects.append(.noted(.unexpectedResponse(opcode, awaiting: nil)))
        }
        let request = transaction.request.opcode
        let awaited =
            opcode == .errorResponse ? octets.dropFirst().first == request.rawValue : opcode == request.response
        guard awaited else { return effects.append(.noted(.unexpectedResponse(opcode, awaiting: request))) }

        let result = outcome(of: transaction.request, octets, into: &effects)
        if let ticket = transaction.ticket { effects.append(.completed(ticket, result)) }
        transmitNext(of: transaction.queue, at: now, into: &effects)
    }

    /// What the response that a request awaited says.
    private mutating func outcome(
        of request: ClientPDU, _ octets: [UInt8], into effects: inout [Effect]
    ) -> Result<ServerPDU, BearerError> {
        let opcode = Opcode(octets.first ?? 0)
        do {
            var trailing = 0
            let response = try ServerPDU(decoding: octets.span, trailing: &trailing)
            if trailing > 0 { effects.append(.noted(.trailingOctets(opcode, count: trailing))) }
            switch (request, response) {
            case (_, .error(let error)):
                return .failure(.refused(request: error.request, handle: error.handle, code: error.code))
            case (.exchangeMTU(let own), .exchangeMTU(let peer)):
                agree(own.clientRxMTU, peer.serverRxMTU, into: &effects)
                return .success(response)
            default:
                return .success(response)
            }
        } catch {
            return .failure(.malformed(response: opcode, error))
        }
    }

    /// Publishes values, and confirms an indication at once: the confirmation waits for no request of ours, and even an
    /// indication that cannot be read is confirmed, for the peer would leave after 30 s.
    private func receive(value opcode: Opcode, _ octets: [UInt8], into effects: inout [Effect]) {
        if opcode == .handleValueIndication { effects.append(.transmit([Opcode.handleValueConfirmation.rawValue])) }
        do {
            switch opcode {
            case .multipleHandleValueNotification:
                guard case .multipleNotification(let pdu) = try ServerPDU(decoding: octets) else { return }
                effects += pdu.values.map { .notification($0.handle, $0.value) }
            case .handleValueIndication:
                guard case .indication(let pdu) = try ServerPDU(decoding: octets) else { return }
                effects.append(.indication(pdu.handle, pdu.value))
            default:
                guard case .notification(let pdu) = try ServerPDU(decoding: octets) else { return }
                effects.append(.notification(pdu.handle, pdu.value))
            }
        } catch {
            effects.append(.noted(.malformed(opcode, error)))
        }
    }

    /// Hands requests, commands and confirmations to the server, except the unknown ones: an unknown request is
    /// refused here and an unknown command ignored (Core Vol 3, Part F, 3.3.1).
    private mutating func receive(fromClient opcode: Opcode, _ octets: [UInt8], into effects: inout [Effect]) {
        guard opcode.name != nil else {
            effects.append(.noted(.unknown(opcode)))
            guard !opcode.isCommand else { return }
            let refusal = ErrorResponse(request: opcode, handle: .none, code: .requestNotSupported)
            return effects.append(.transmit(refusal.octets))
        }
        if opcode == .exchangeMTURequest, case .exchangeMTU(let pdu)? = try? ClientPDU(decoding: octets) {
            offeredMTU = pdu.clientRxMTU
        }
        effects.append(.serve(octets))
    }
}

// MARK: - Ending

extension Bearer {
    private mutating func checkDeadline(at now: Moment, into effects: inout [Effect]) {
        guard case .awaiting(let transaction) = state, now >= transaction.deadline else { return }
        let request = transaction.request.opcode
        end(.failed, outstanding: .timedOut(request: request), queued: .bearerFailed, into: &effects)
        effects.append(.disconnect(.transactionTimedOut(request: request)))
    }

    /// Answers everybody who still waits, once.
    private mutating func end(
        _ ended: State, outstanding: BearerError, queued: BearerError, into effects: inout [Effect]
    ) {
        defer { state = ended }
        guard case .awaiting(let transaction) = state else { return }
        if let ticket = transaction.ticket { effects.append(.completed(ticket, .failure(outstanding))) }
        effects += transaction.queue.map { .completed($0.ticket, .failure(queued)) }
    }
}
