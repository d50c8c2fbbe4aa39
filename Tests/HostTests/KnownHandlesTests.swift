import ATT
import GATT
import HCI
import TestSupport
import Testing
import Wire

@testable import Host

extension HostBench {
    /// An ATT PDU from the peer, to which the last packet has gone: there are four buffers.
    fileprivate mutating func reply(_ payload: String) {
        packetCompleted()
        att(payload)
    }
}

/// A peer met before: how many requests it takes to be subscribed to it, and that nothing is written to where it does not belong. All
/// PDUs are typed by hand.
@Suite struct KnownHandlesTests {
    /// 180D at 0x0010 to 0x0017; 2A37 at 0x0012, its descriptor at 0x0013.
    private static let characteristic = NotifyingCharacteristic(
        service: HandleRange(0x0010, 0x0017), uuid: 0x2A37, valueHandle: 0x0012, properties: .notify,
        configurationHandle: 0x0013, configuration: .notifications)
    private static let hash = octets("000102030405060708090A0B0C0D0E0F")

    private func known(hasServiceChanged: Bool?, hash: [UInt8]? = nil) -> KnownHandles {
        KnownHandles(
            service: 0x180D, characteristic: Self.characteristic, hasServiceChanged: hasServiceChanged,
            databaseHash: hash, learnt: Timestamp(microseconds: 0))
    }

    /// Asks for the subscription; the requests sent for it so far.
    private func asked(_ known: KnownHandles?) -> (bench: HostBench, id: ConnectionID, ticket: Ticket, sent: [[UInt8]])
    {
        var (bench, id) = HostBench.connected()
        let ticket = bench.ask(.gatt(id, .subscribe(service: 0x180D, characteristic: 0x2A37, known: known)))
        let sent = bench.attSent()
        return (bench, id, ticket, sent)
    }

    /// The way through a database that has moved by four handles, up to the descriptor's write. Gives all that was sent.
    private func findMoved(_ bench: inout HostBench) -> [[UInt8]] {
        var sent: [[UInt8]] = []
        bench.reply("07 1400 1B00")
        sent += bench.attSent()
        bench.reply("09 07 1500 10 1600 372A 1800 02 1900 382A")
        sent += bench.attSent()
        bench.reply("05 01 1700 0229")
        return sent + bench.attSent()
    }

    private let wayThroughMoved = [
        octets("08 1400 1B00 0328"), octets("04 1700 1700"), octets("12 1700 0100"),
    ]
    private let search = octets("06 0100 FFFF 0028 0D18")
    private let moved = NotifyingCharacteristic(
        service: HandleRange(0x0014, 0x001B), uuid: 0x2A37, valueHandle: 0x0016, properties: .notify,
        configurationHandle: 0x0017, configuration: .notifications)

    // MARK: One request

    @Test func aServerWithoutServiceChangedNeedsOneRequest() {
        var (bench, id, ticket, sent) = asked(known(hasServiceChanged: false, hash: Self.hash))
        #expect(sent == [octets("12 1300 0100")])
        #expect(bench.others.contains(.notifying(ticket, .init(connection: id, handle: 0x0012))))
        bench.reply("13")
        #expect(bench.answers[ticket] == .success(.subscribed(Self.characteristic, .known)))
    }

    /// Invalid Handle, Read Not Permitted, Write Not Permitted, Insufficient Authentication, Attribute Not Found, Database Out Of Sync …
    @Test(arguments: ["01", "02", "03", "05", "0A", "0D", "0E", "12", "80", "FD"])
    func aRefusedWriteHasTheHandlesFoundAnew(_ code: String) {
        var (bench, id, ticket, _) = asked(known(hasServiceChanged: false))
        bench.reply("01 12 1300" + code)
        #expect(bench.attSent() == [search])
        #expect(findMoved(&bench) == wayThroughMoved)
        bench.reply("13")
        #expect(bench.answers[ticket] == .success(.subscribed(moved, .found)))
        #expect(bench.others.contains(.notifying(ticket, .init(connection: id, handle: 0x0016))))
    }

    /// What is refused at handles that were found just now is refused for good.
    @Test func theSecondRefusalReachesTheAsker() {
        var (bench, _, ticket, _) = asked(known(hasServiceChanged: false))
        bench.reply("01 12 1300 05")
        _ = findMoved(&bench)
        bench.reply("01 12 1700 05")
        let refusal = HostError.peer(
            .refused(request: .writeRequest, handle: 0x0017, code: .insufficientAuthentication))
        #expect(bench.failure(ticket) == refusal)
        #expect(bench.attSent() == [])
    }

    // MARK: Proof after the write

    @Test func valuesThatComeAreProofEnough() {
        var (bench, _, _, _) = asked(known(hasServiceChanged: false))
        bench.reply("13")
        bench.reply("1B 1200 0648")
        bench.pass(.seconds(60))
        #expect(bench.attSent() == [])
    }

    @Test func silenceHasTheHandlesProven() {
        var (bench, _, _, _) = asked(known(hasServiceChanged: false))
        bench.reply("13")
        bench.pass(.milliseconds(9999))
        #expect(bench.attSent() == [])
        bench.pass(.milliseconds(1))
        #expect(bench.attSent() == [octets("04 1200 1300")])
        bench.reply("05 01 1200 372A 1300 0229")
        // A strap that has nothing to say.
        bench.pass(.seconds(3600))
        #expect(bench.attSent() == [])
        #expect(!bench.others.contains { if case .subscriptionEnded = $0 { true } else { false } })
    }

    @Test(arguments: ["05 01 1200 0328 1300 0229", "05 01 1200 382A 1300 0229", "01 04 1200 0A", "05 01", "0B 00"])
    func silenceOfStaleHandlesIsTold(_ answer: String) {
        var (bench, id, _, _) = asked(known(hasServiceChanged: false))
        bench.reply("13")
        bench.pass(.seconds(10))
        #expect(bench.attSent() == [octets("04 1200 1300")])
        bench.reply(answer)
        // An answer to something else is none: the peer has 30 s.
        let isTold = bench.others.contains(.subscriptionEnded(.init(connection: id, handle: 0x0012)))
        #expect(isTold == !answer.hasPrefix("0B"))
    }

    // MARK: Two requests

    @Test func theSameHashProvesTheHandles() {
        var (bench, _, ticket, sent) = asked(known(hasServiceChanged: true, hash: Self.hash))
        #expect(sent == [octets("08 0100 FFFF 2A2B")])
        bench.reply("09 12 0900 000102030405060708090A0B0C0D0E0F")
        #expect(bench.attSent() == [octets("12 1300 0100")])
        bench.reply("13")
        #expect(bench.answers[ticket] == .success(.subscribed(Self.characteristic, .proven)))
        bench.pass(.seconds(60))
        #expect(bench.attSent() == [])
    }

    @Test(arguments: [
        "09 12 0900 010102030405060708090A0B0C0D0E0F", "09 03 0900 00", "09 12 0900 0001", "01 08 0100 0A",
        "01 08 0100 05",
    ])
    func anotherHashHasTheHandlesFoundAnew(_ answer: String) {
        var (bench, _, ticket, _) = asked(known(hasServiceChanged: true, hash: Self.hash))
        bench.reply(answer)
        #expect(bench.attSent() == [search])
        #expect(findMoved(&bench) == wayThroughMoved)
        bench.reply("13")
        #expect(bench.answers[ticket] == .success(.subscribed(moved, .found)))
    }

    @Test(arguments: [true, nil])
    func theTypesProveTheHandles(_ hasServiceChanged: Bool?) {
        var (bench, _, ticket, sent) = asked(known(hasServiceChanged: hasServiceChanged))
        #expect(sent == [octets("04 1200 1300")])
        bench.reply("05 01 1200 372A 1300 0229")
        #expect(bench.attSent() == [octets("12 1300 0100")])
        bench.reply("13")
        #expect(bench.answers[ticket] == .success(.subscribed(Self.characteristic, .proven)))
    }

    @Test(arguments: [
        // Another value, another descriptor, the two the wrong way round, nothing, a refusal.
        "05 01 1200 382A 1300 0229", "05 01 1200 372A 1300 0129", "05 01 1200 0229 1300 372A", "01 04 1200 0A",
        "01 04 1200 01",
        // Backwards, beyond the range, cut short, of an unknown format.
        "05 01 1300 0229 1200 372A", "05 01 1200 372A 1400 0229", "05 01 1200", "05 03 1200 372A",
    ])
    func otherTypesHaveTheHandlesFoundAnew(_ answer: String) {
        var (bench, _, ticket, _) = asked(known(hasServiceChanged: true))
        bench.reply(answer)
        #expect(bench.attSent() == [search])
        #expect(findMoved(&bench) == wayThroughMoved)
        bench.reply("13")
        #expect(bench.answers[ticket] == .success(.subscribed(moved, .found)))
    }

    /// Value at 0x0012, descriptor at 0x0015: a declaration between them makes it another characteristic's.
    @Test(arguments: [("0129", true), ("0328", false), ("0028", false)])
    func aDescriptorBehindADeclarationIsAnothers(_ between: String, _ holds: Bool) {
        var characteristic = Self.characteristic
        characteristic.configurationHandle = 0x0015
        var handles = known(hasServiceChanged: true)
        handles.characteristic = characteristic
        var (bench, _, _, sent) = asked(handles)
        #expect(sent == [octets("04 1200 1500")])
        bench.reply("05 01 1200 372A 1300" + between + "1500 0229")
        #expect(bench.attSent() == [holds ? octets("12 1500 0100") : search])
    }

    @Test func handlesOfAnotherCharacteristicCountForNothing() {
        var handles = known(hasServiceChanged: false)
        handles.service = 0x180F
        #expect(asked(handles).sent == [search])
    }

    @Test func aLinkLostInTheProofIsTold() {
        var (bench, _, ticket, _) = asked(known(hasServiceChanged: true))
        bench.event("05", "00 4000 08")
        #expect(bench.failure(ticket) == .disconnected(.connectionTimeout))
    }

    // MARK: Service Changed

    /// Learns what the peer says of its handles: 1801 at 0x0001 to 0x0006, 2A05 at 0x0003, its descriptor at 0x0004, 2B2A at 0x0006.
    private func learn(_ bench: inout HostBench, _ id: ConnectionID) -> Ticket {
        let ticket = bench.ask(.gatt(id, .learnCaching(Self.characteristic)))
        #expect(bench.attSent() == [octets("06 0100 FFFF 0028 0118")])
        bench.reply("07 0100 0600")
        #expect(bench.attSent() == [octets("06 0700 FFFF 0028 0118")])
        bench.reply("01 06 0700 0A")
        #expect(bench.attSent() == [octets("08 0100 0600 0328")])
        bench.reply("09 07 0200 20 0300 052A 0500 02 0600 2A2B")
        #expect(bench.attSent() == [octets("08 0600 0600 0328")])
        bench.reply("01 08 0600 0A")
        #expect(bench.attSent() == [octets("04 0400 0400")])
        bench.reply("05 01 0400 0229")
        #expect(bench.attSent() == [octets("12 0400 0200")])
        bench.reply("13")
        #expect(bench.attSent() == [octets("08 0100 0600 2A2B")])
        bench.reply("09 12 0600 000102030405060708090A0B0C0D0E0F")
        #expect(bench.attSent() == [octets("04 1200 1300")])
        bench.reply("05 01 1200 372A 1300 0229")
        return ticket
    }

    @Test func learnsHowLongTheHandlesHold() {
        var (bench, id) = HostBench.connected()
        let ticket = learn(&bench, id)
        var caching = Caching()
        caching.hasServiceChanged = true
        caching.serviceChanged = 0x0003
        caching.databaseHash = Self.hash
        #expect(bench.answers[ticket] == .success(.caching(caching)))
    }

    @Test func whatThePeerSaysHasChangedIsTold() {
        var (bench, id) = HostBench.connected()
        _ = learn(&bench, id)
        bench.reply("1D 0300 1000 1F00")
        #expect(bench.attSent() == [octets("1E")])
        #expect(bench.others.last == .serviceChanged(id, HandleRange(0x0010, 0x001F)))
        // One that cannot be read: everything.
        bench.reply("1D 0300 1000")
        #expect(bench.others.last == .serviceChanged(id, .all))
        bench.reply("1D 0300 1F00 1000")
        #expect(bench.others.last == .serviceChanged(id, .all))
        // Another characteristic's indication is no such thing.
        bench.reply("1D 0500 1000 1F00")
        #expect(
            bench.others.last == .notification(.init(connection: id, handle: 0x0005), octets("1000 1F00"), bench.now))
    }

    /// A subscription that was made, and what there is to learn.
    private func subscribed() -> (bench: HostBench, id: ConnectionID) {
        var (bench, id) = HostBench.connected()
        bench.ask(.gatt(id, .enable(Self.characteristic)))
        bench.reply("13")
        _ = bench.attSent()
        _ = learn(&bench, id)
        return (bench, id)
    }

    @Test func aSubscriptionThatMovedIsOver() {
        var (bench, id) = subscribed()
        bench.reply("1D 0300 0100 FFFF")
        #expect(bench.attSent() == [octets("1E"), octets("04 1200 1300")])
        bench.reply("05 01 1200 F1FE 1300 0229")
        #expect(bench.others.last == .subscriptionEnded(.init(connection: id, handle: 0x0012)))
        // It is not asked after again.
        bench.reply("1D 0300 0100 FFFF")
        #expect(bench.attSent() == [octets("1E")])
    }

    @Test func aSubscriptionThatDidNotMoveGoesOn() {
        var (bench, id) = subscribed()
        // Elsewhere.
        bench.reply("1D 0300 1800 FFFF")
        #expect(bench.attSent() == [octets("1E")])
        // However often it is said, one answer is enough.
        for _ in 0..<10 { bench.reply("1D 0300 0100 FFFF") }
        #expect(bench.attSent().filter { $0 != octets("1E") } == [octets("04 1200 1300")])
        bench.reply("05 01 1200 372A 1300 0229")
        #expect(!bench.others.contains(.subscriptionEnded(.init(connection: id, handle: 0x0012))))
    }

    /// It is asked after each time, but with growing pauses; and no change goes by.
    @Test func aPeerThatTellsOfChangesThatAreNoneIsAskedMoreRarely() {
        var (bench, id) = subscribed()
        var pauses: [Duration] = []
        for _ in 0..<8 {
            bench.reply("1D 0300 0100 FFFF")
            let told = bench.now
            while !bench.attSent().contains(octets("04 1200 1300")), bench.now - told < .seconds(100) {
                bench.pass(.seconds(1))
            }
            pauses.append(bench.now - told)
            // Values clear no such doubt.
            bench.reply("1B 1200 0648")
            bench.reply("05 01 1200 372A 1300 0229")
        }
        #expect(pauses == [0, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        bench.reply("1D 0300 0100 FFFF")
        bench.pass(.seconds(60))
        bench.reply("05 01 1200 F1FE 1300 0229")
        #expect(bench.others.contains(.subscriptionEnded(.init(connection: id, handle: 0x0012))))
    }

    /// The descriptor that was found before the change is not written to before it is proven.
    @Test func aChangeInTheMidstOfASubscriptionHasTheHandlesProven() {
        var (bench, id) = HostBench.connected()
        _ = learn(&bench, id)
        let ticket = bench.ask(.gatt(id, .subscribe(service: 0x180D, characteristic: 0x2A37)))
        bench.reply("07 1000 1700")
        bench.reply("09 07 1100 10 1200 372A 1400 02 1500 382A")
        _ = bench.attSent()
        bench.reply("1D 0300 0100 FFFF")
        #expect(bench.attSent() == [octets("1E")])
        bench.reply("05 01 1300 0229")
        #expect(bench.attSent() == [octets("04 1200 1300")])
        // Said again before the answer: the answer takes it into account.
        bench.reply("1D 0300 0100 FFFF")
        bench.reply("05 01 1200 F1FE 1300 0229")
        #expect(bench.attSent() == [octets("1E"), search])
        #expect(findMoved(&bench) == wayThroughMoved)
        bench.reply("13")
        #expect(bench.answers[ticket] == .success(.subscribed(moved, .found)))
    }

    @Test func aChangeBehindTheWriteHasTheHandlesProvenOnceMore() {
        var (bench, id) = HostBench.connected()
        _ = learn(&bench, id)
        let ticket = bench.ask(.gatt(id, .subscribe(service: 0x180D, characteristic: 0x2A37)))
        bench.reply("07 1000 1700")
        bench.reply("09 07 1100 10 1200 372A 1400 02 1500 382A")
        bench.reply("05 01 1300 0229")
        bench.reply("1D 0300 0100 FFFF")
        _ = bench.attSent()
        bench.reply("13")
        #expect(bench.attSent() == [octets("04 1200 1300")])
        #expect(bench.answers[ticket] == nil)
        bench.reply("05 01 1200 372A 1300 0229")
        #expect(bench.answers[ticket] == .success(.subscribed(Self.characteristic, .found)))
    }

    /// Each time what was found has moved when it is to be proven.
    @Test func aPeerThatChangesWithoutEndIsGivenUp() {
        var (bench, id) = HostBench.connected()
        _ = learn(&bench, id)
        let ticket = bench.ask(.gatt(id, .subscribe(service: 0x180D, characteristic: 0x2A37)))
        for _ in 0..<20 where bench.answers[ticket] == nil {
            bench.reply("07 1000 1700")
            bench.reply("09 07 1100 10 1200 372A 1400 02 1500 382A")
            bench.reply("1D 0300 0100 FFFF")
            bench.reply("05 01 1300 0229")
            bench.reply("05 01 1200 F1FE 1300 0229")
        }
        #expect(
            bench.failure(ticket) == .peer(.brokeProtocol(pdu: .handleValueIndication, .endless(requests: 8))))
        #expect(!bench.attSent().contains { $0[0] == 0x12 })
    }

    /// Whoever gives up is told so, whatever the peer said meanwhile.
    @Test func aSubscriptionTakenBackInDoubtIsTakenBack() {
        var (bench, id) = HostBench.connected()
        _ = learn(&bench, id)
        let ticket = bench.ask(.gatt(id, .subscribe(service: 0x180D, characteristic: 0x2A37)))
        bench.reply("1D 0300 0100 FFFF")
        bench.cancel(ticket)
        #expect(bench.failure(ticket) == .cancelled)
    }
}
