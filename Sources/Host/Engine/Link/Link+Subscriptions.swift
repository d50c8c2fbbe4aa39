import ATT
import GATT
import Wire

/// A characteristic that is subscribed to in this connection, and whether its handles are in doubt.
struct SubscribedCharacteristic: Sendable {
    let characteristic: NotifyingCharacteristic
    /// Whether discovery found it just where a proof had said that it is not: the peer contradicts itself, and what it finds counts.
    var isBeyondProof = false
    var doubt = Doubt.none
    /// When the peer may be asked again: one that tells of changes without end is not asked without end.
    private var quietUntil: Moment?
    private var falseAlarms = 0

    init(_ characteristic: NotifyingCharacteristic) { self.characteristic = characteristic }

    enum Doubt: Sendable {
        /// Can transition to `proving`.
        case none
        /// The handles are of an earlier connection, and this one has not proven them: the first value will. Where none comes, the peer
        /// is asked. Can transition to `none`, `proving`.
        case unheard(until: Moment)
        /// The peer has told of a change, as it did before without one; it is asked somewhat later. Can transition to `proving`.
        case alarmed(until: Moment)
        /// The peer is asked what stands there. Can transition to `none`, or the subscription is over.
        case proving(Bearer.Ticket, ProveHandles)
    }

    /// How long a value is waited for. A strap sends one a second, some every five.
    static let patience = Duration.seconds(10)

    /// When the peer is to be asked.
    var deadline: Moment? {
        switch doubt {
        case .unheard(let until), .alarmed(let until): until
        case .none, .proving: nil
        }
    }

    /// The peer has told of a change. Answers whether it is to be asked at once.
    fileprivate mutating func alarm(at now: Moment) -> Bool {
        if case .proving = doubt { return false }
        guard let quietUntil, now < quietUntil else { return true }
        doubt = .alarmed(until: quietUntil)
        return false
    }

    /// The handles are those that they were. With each time that it was asked in vain, the peer is left alone for twice as long, up to
    /// a minute.
    fileprivate mutating func hold(at now: Moment) {
        doubt = .none
        falseAlarms = min(falseAlarms + 1, 6)
        quietUntil = now + min(.seconds(1 << falseAlarms), .seconds(60))
    }

    /// A value has come: proof enough for handles that only wanted one.
    fileprivate mutating func heard() {
        if case .unheard = doubt { doubt = .none }
    }

    /// The proof's next step; `nil` where the outcome is of something else.
    fileprivate mutating func receive(
        _ outcome: Result<ServerPDU, BearerError>, of key: Bearer.Ticket
    ) -> Step<ProveHandles.Finding>? {
        guard case .proving(key, var procedure) = doubt else { return nil }
        let step = procedure.receive(outcome)
        doubt = .proving(key, procedure)
        return step
    }
}

extension Link {
    /// Subscriptions that are looked after. Nobody needs as many; what goes beyond is not told when its handles change.
    private static let mostSubscriptions = 64

    mutating func subscribed(to characteristic: NotifyingCharacteristic, _ basis: HandleBasis, at now: Moment) {
        subscriptions.removeAll { $0.characteristic.valueHandle == characteristic.valueHandle }
        guard subscriptions.count < Self.mostSubscriptions else { return }
        var subscription = SubscribedCharacteristic(characteristic)
        subscription.isBeyondProof = basis == .found && characteristic == disproven
        if basis == .known { subscription.doubt = .unheard(until: now + SubscribedCharacteristic.patience) }
        subscriptions.append(subscription)
    }

    /// A value from there is proof enough.
    mutating func heard(from handle: Handle) {
        for index in subscriptions.indices where subscriptions[index].characteristic.valueHandle == handle {
            subscriptions[index].heard()
        }
    }

    /// The peer says that what it has at these handles is no longer what it was. Who is subscribed there is told once that has proved
    /// true for it: some say so without a change.
    mutating func serviceChanged(_ range: HandleRange, at now: Moment, into effects: inout [Effect]) {
        for key in running.keys { running[key]?.operation.attributesChanged() }
        effects.append(.host(.serviceChanged(id, range)))
        var doubtful: [Handle] = []
        for index in subscriptions.indices where subscriptions[index].characteristic.service.overlaps(range) {
            if subscriptions[index].alarm(at: now) { doubtful.append(subscriptions[index].characteristic.valueHandle) }
        }
        for handle in doubtful { prove(handle, at: now, into: &effects) }
    }

    mutating func advanceSubscriptions(to now: Moment, into effects: inout [Effect]) {
        for subscription in subscriptions {
            guard let deadline = subscription.deadline, deadline <= now else { continue }
            prove(subscription.characteristic.valueHandle, at: now, into: &effects)
        }
    }

    /// Takes the outcome of a request that none of the operations made.
    mutating func receive(
        _ outcome: Result<ServerPDU, BearerError>, of key: Bearer.Ticket, at now: Moment, into effects: inout [Effect]
    ) {
        for index in subscriptions.indices {
            guard let step = subscriptions[index].receive(outcome, of: key) else { continue }
            return follow(step, key, subscriptions[index].characteristic.valueHandle, at: now, into: &effects)
        }
    }

    /// What stands there is no longer what was subscribed to.
    mutating func endSubscription(of handle: Handle, into effects: inout [Effect]) {
        subscriptions.removeAll { $0.characteristic.valueHandle == handle }
        effects.append(.host(.subscriptionEnded(.init(connection: id, handle: handle))))
    }

    private func index(ofSubscription handle: Handle) -> Int? {
        subscriptions.firstIndex { $0.characteristic.valueHandle == handle }
    }

    /// Asks the peer what stands there. One answer is enough for all that it said before it.
    private mutating func prove(_ handle: Handle, at now: Moment, into effects: inout [Effect]) {
        guard let index = index(ofSubscription: handle) else { return }
        if case .proving = subscriptions[index].doubt { return }
        let key = nextKey()
        var procedure = ProveHandles(typesOf: subscriptions[index].characteristic)
        let step = procedure.start()
        subscriptions[index].doubt = .proving(key, procedure)
        follow(step, key, handle, at: now, into: &effects)
    }

    private mutating func follow(
        _ step: Step<ProveHandles.Finding>, _ key: Bearer.Ticket, _ handle: Handle, at now: Moment,
        into effects: inout [Effect]
    ) {
        switch step {
        case .request(let pdu):
            drive(.request(pdu, key), at: now, into: &effects)
        case .finished(let result):
            guard let index = index(ofSubscription: handle) else { return }
            guard case .success(.stale) = result, !subscriptions[index].isBeyondProof else {
                return subscriptions[index].hold(at: now)
            }
            disproven = subscriptions[index].characteristic
            endSubscription(of: handle, into: &effects)
        }
    }
}
