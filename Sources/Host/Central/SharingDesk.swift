import ATT
import GATT
import HCI
import Wire

/// Requests that are made once on a connection, whoever asks: a characteristic's values are enabled once and then come for everybody,
/// and the MTU may be asked for only once (Core Vol 3, Part F, 3.4.2.1).
///
/// The first who asks has the engine do it; who asks meanwhile waits for the same answer, and who asks later has it at once.
struct SharingDesk {
    /// What is asked for.
    enum Matter: Hashable {
        case values(service: BluetoothUUID, characteristic: BluetoothUUID)
        case valuesAt(Handle)
        case mtu
    }

    struct Key: Hashable {
        var connection: ConnectionID
        var matter: Matter
    }

    /// One who asks, under a ticket, and as which user of the connection.
    struct Asker: Hashable {
        var ticket: Ticket
        var user: Ticket
    }

    /// What has become of somebody's asking.
    enum Joining {
        /// Nobody has asked before: the engine is to be asked.
        case isFirst
        /// Somebody's request is under way; values come from the source, once that is known.
        case waits(HostEngine.Source?)
        /// It has been done.
        case isAnswered(HostEngine.Answer, HostEngine.Source?)
    }

    /// What has to be done about somebody who does not wait any longer.
    enum Leaving {
        /// He has his answer already.
        case nothing
        /// The others go on waiting.
        case answer
        /// Nobody waits any more: the engine is to be told under this ticket, and answers.
        case cancel(Ticket)
    }

    /// A request, under way or done.
    private struct Shared {
        var ticket: Ticket
        var askers: [Asker]
        var source: HostEngine.Source?
        var answer: HostEngine.Answer?
    }

    private var requests: [Key: Shared] = [:]
    /// Requests that are being taken back; who asks now has one of his own.
    private var leaving: [Ticket: Shared] = [:]

    mutating func join(_ key: Key, _ asker: Asker) -> Joining {
        guard let request = requests[key] ?? enabled(key) else { return .isFirst }
        if let answer = request.answer { return .isAnswered(answer, request.source) }
        requests[key]?.askers.append(asker)
        return .waits(request.source)
    }

    /// Who has found a characteristic's handle himself need not enable what somebody had enabled by its UUID.
    private func enabled(_ key: Key) -> Shared? {
        guard case .valuesAt(let handle) = key.matter else { return nil }
        let source = HostEngine.Source(connection: key.connection, handle: handle)
        return requests.values.first { $0.source == source && $0.answer != nil }
    }

    /// The engine is being asked under this ticket.
    mutating func begin(_ key: Key, _ ticket: Ticket, for asker: Asker) {
        requests[key] = Shared(ticket: ticket, askers: [asker])
    }

    /// Values will come from there: gives those who are to have them.
    mutating func notifying(_ ticket: Ticket, from source: HostEngine.Source) -> [Asker] {
        if let key = key(of: ticket) {
            requests[key]?.source = source
            return requests[key]?.askers ?? []
        }
        return leaving[ticket]?.askers ?? []
    }

    /// The engine has answered: gives those who waited for it; `nil` where the ticket is nobody's here.
    mutating func answered(
        _ ticket: Ticket, with result: Result<HostEngine.Answer, HostError>
    ) -> [Asker]? {
        if let gone = leaving.removeValue(forKey: ticket) { return gone.askers }
        guard let key = key(of: ticket), let request = requests[key] else { return nil }
        if case .success(let answer) = result {
            requests[key]?.answer = answer
            requests[key]?.askers = []
        } else {
            requests[key] = nil
        }
        return request.askers
    }

    mutating func leave(_ asker: Ticket) -> Leaving {
        guard let (key, request) = requests.first(where: { $0.value.askers.contains { $0.ticket == asker } }) else {
            return .nothing
        }
        guard request.askers.count == 1 else {
            requests[key]?.askers.removeAll { $0.ticket == asker }
            return .answer
        }
        requests[key] = nil
        leaving[request.ticket] = request
        return .cancel(request.ticket)
    }

    /// The connection is over. Whoever still waits has been answered.
    mutating func close(_ id: ConnectionID) {
        for key in requests.keys where key.connection == id { requests[key] = nil }
    }

    /// What was enabled there is so no more: who wants it has to ask for it again.
    mutating func forget(_ id: ConnectionID, where isGone: (Handle) -> Bool) {
        for (key, request) in requests where key.connection == id && request.answer != nil {
            if let source = request.source, isGone(source.handle) { requests[key] = nil }
        }
    }

    /// Requests, and who waits for them.
    var count: Int { (Array(requests.values) + leaving.values).reduce(0) { $0 + 1 + $1.askers.count } }

    mutating func removeAll() { self = SharingDesk() }

    private func key(of ticket: Ticket) -> Key? {
        requests.first { $0.value.ticket == ticket && $0.value.answer == nil }?.key
    }
}

extension HostEngine.GATTRequest {
    /// What the request is about, where it is made once for all users of a connection.
    var sharedMatter: SharingDesk.Matter? {
        switch self {
        case .subscribe(let service, let characteristic, _):
            .values(service: service, characteristic: characteristic)
        case .enable(let characteristic): .valuesAt(characteristic.valueHandle)
        case .exchangeMTU: .mtu
        default: nil
        }
    }
}
