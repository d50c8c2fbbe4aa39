import ATT
import HCI
import Testing
import Wire

@testable import Host

/// Who reads notifications, and who is told of a connection's numbers.
@Suite struct PeerDeskTests {
    private let id = ConnectionID(handle: ConnectionHandle(rawValue: 0x40), generation: 1)
    private let first = Ticket(rawValue: 1)
    private let second = Ticket(rawValue: 2)
    private var source: HostEngine.Source { .init(connection: id, handle: 0x0012) }

    /// Each asks as a user of his own.
    private func asker(_ ticket: Ticket) -> SharingDesk.Asker { .init(ticket: ticket, user: ticket) }

    private func read(_ stream: AsyncStream<Delivery<AttributeNotification>>?) async -> [[UInt8]] {
        var values: [[UInt8]] = []
        guard let stream else { return values }
        for await case .value(let notification) in stream { values.append(notification.value) }
        return values
    }

    @Test func eachReaderOfASourceHasEveryValue() async {
        var desk = PeerDesk()
        desk.open(source, for: asker(first))
        let one = desk.takeStream(of: first)
        desk.deliver([1], from: source, at: .zero)
        desk.open(source, for: asker(second))
        let two = desk.takeStream(of: second)
        desk.deliver([2], from: source, at: .zero)
        desk.close(id, .connectionTimeout)
        #expect(await read(one) == [[1], [2]])
        #expect(await read(two) == [[2]])
    }

    @Test func aRefusedSubscriptionDoesNotTouchTheOneBefore() async {
        var desk = PeerDesk()
        desk.open(source, for: asker(first))
        let one = desk.takeStream(of: first)
        desk.open(source, for: asker(second))
        desk.forget(second)
        #expect(desk.takeStream(of: second) == nil)
        desk.deliver([1], from: source, at: .zero)
        desk.close(id, .connectionTimeout)
        #expect(await read(one) == [[1]])
    }

    @Test func aReaderWhoLeavesIsForgotten() async {
        var desk = PeerDesk()
        desk.open(source, for: asker(first))
        desk.open(source, for: asker(second))
        _ = desk.takeStream(of: first)
        let two = desk.takeStream(of: second)
        #expect(desk.readerCount(of: source) == 2)
        desk.deliver([1], from: source, at: .zero)
        #expect(desk.readerCount(of: source) == 1)
        desk.closeAll()
        #expect(await read(two) == [[1]])
    }

    @Test func theNewestNumbersWaitForASlowReader() async {
        var desk = PeerDesk()
        var connection = Connection(
            id: id, peer: HostBench.strap, interval: ConnectionInterval(rawValue: 0x27), latency: 0,
            supervisionTimeout: SupervisionTimeout(rawValue: 0x01F4))
        desk.update(connection)
        desk.join(id, first)
        let changes = desk.changes(of: id, first)
        var mtus: [Int] = []
        for mtu in [100, 200] {
            connection.mtu = mtu
            desk.update(connection)
        }
        desk.close(id, .connectionTimeout)
        for await change in changes { mtus.append(change.mtu) }
        #expect(mtus == [200])
        for await _ in desk.changes(of: id, first) { Issue.record("the connection is over") }
    }

    /// The numbers of a link may stay the same for days, and watchers come and go.
    @Test func watchersWhoHaveLeftAreForgotten() {
        var desk = PeerDesk()
        desk.join(id, first)
        desk.update(
            Connection(
                id: id, peer: HostBench.strap, interval: ConnectionInterval(rawValue: 0x27), latency: 0,
                supervisionTimeout: SupervisionTimeout(rawValue: 0x01F4)))
        let count = desk.count
        for _ in 0..<100 { _ = desk.changes(of: id, first) }
        #expect(desk.count <= count + 1)
    }
}
