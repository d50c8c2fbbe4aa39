import GAP
import HCI
import Wire

/// A bonded peer that is wanted, whose address of today is not known.
struct Seeker: Hashable, Sendable {
    var target: DeviceAddress
    var parameters: InitialParameters
    var deadline: Moment
    /// Whether it has been heard, and is being connected to.
    var isTrying = false
}

extension HostEngine {
    /// How long a private address is tried that was just heard: the peer may change it at any moment.
    static let seekingPatience: Duration = .seconds(4)

    /// Waits for a peer to be heard under whatever address, and connects to it there: for peers that the controller does not
    /// recognise by itself.
    mutating func seek(_ seeker: Seeker, _ ticket: Ticket, at now: Moment, into effects: inout [Effect]) {
        seekers[ticket] = seeker
        wantScan(at: now, into: &effects)
    }

    /// A bonded peer was heard.
    mutating func heard(
        _ identity: DeviceAddress, at address: DeviceAddress, _ kind: AdvertisementKind, at now: Moment,
        into effects: inout [Effect]
    ) {
        guard kind.isConnectable != false else { return }
        for ticket in seekers.keys.sorted() {
            guard let seeker = seekers[ticket], seeker.target == identity, !seeker.isTrying else { continue }
            seekers[ticket]?.isTrying = true
            actOnRadio(at: now, into: &effects) { radio, actions in
                radio.connect(
                    ticket, to: address, parameters: seeker.parameters,
                    deadline: min(seeker.deadline, now + Self.seekingPatience), at: now, into: &actions)
            }
        }
        wantScan(at: now, into: &effects)
    }

    /// An attempt came to nothing.
    ///
    /// - Returns: whether the peer is listened for again
    mutating func seekAgain(_ ticket: Ticket, after error: HostError, at now: Moment, into effects: inout [Effect])
        -> Bool
    {
        guard let seeker = seekers[ticket] else { return false }
        guard error == .timedOut(.connecting), now < seeker.deadline else {
            seekers[ticket] = nil
            return false
        }
        seekers[ticket]?.isTrying = false
        wantScan(at: now, into: &effects)
        return true
    }

    /// Takes a seeker back.
    ///
    /// - Returns: whether it is answered with that; one that is being connected to is the radio's to answer
    mutating func cancelSeeking(_ ticket: Ticket, at now: Moment, into effects: inout [Effect]) -> Bool {
        guard let seeker = seekers.removeValue(forKey: ticket) else { return false }
        bondless[ticket] = nil
        if !seeker.isTrying { wantScan(at: now, into: &effects) }
        return !seeker.isTrying
    }

    /// Whoever still listens for a peer has the connection that another way has led to.
    mutating func joinSeekers(of connection: Connection, into effects: inout [Effect]) {
        for ticket in listeningSeekers where seekers[ticket]?.target == connection.peer {
            seekers[ticket] = nil
            effects.append(.connectionChanged(connection))
            effects.append(.answer(ticket, .success(.connected(connection))))
        }
    }

    var seekingDeadline: Moment? { seekers.values.lazy.filter { !$0.isTrying }.map(\.deadline).min() }

    /// Answers those who have waited for too long.
    mutating func giveUpSeeking(at now: Moment, into effects: inout [Effect]) {
        let late = seekers.filter { !$0.value.isTrying && $0.value.deadline <= now }.keys.sorted()
        guard !late.isEmpty else { return }
        endSeeking(late, .timedOut(.connecting), at: now, into: &effects)
    }

    /// Answers those who listen for a peer.
    mutating func endSeeking(
        _ tickets: [Ticket], _ error: HostError, at now: Moment, into effects: inout [Effect]
    ) {
        for ticket in tickets {
            seekers[ticket] = nil
            bondless[ticket] = nil
            effects.append(.answer(ticket, .failure(error)))
        }
        wantScan(at: now, into: &effects)
    }

    /// Those who listen, in order.
    var listeningSeekers: [Ticket] { seekers.filter { !$0.value.isTrying }.keys.sorted() }
}
