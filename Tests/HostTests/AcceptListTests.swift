import HCI
import TestSupport
import Testing
import Wire

@testable import Host

private func strap(_ number: UInt64) -> DeviceAddress {
    DeviceAddress(.random, Address(rawValue: 0xF0F1_F2F3_F400 | number))
}

private func ticket(_ number: UInt64) -> Ticket { Ticket(rawValue: number) }

/// A radio on a controller with a filter accept list that the test plays, and what it was told to do.
private struct Bench {
    var radio = Radio()
    var now = Moment.zero
    var size = 8
    /// The controller's list.
    private(set) var list: Set<DeviceAddress> = []
    /// What the list's commands are answered with; `nil` stands for success.
    var refusal: HostError?
    /// Whether the controller initiates; the list may not be changed then.
    private(set) var isInitiating = false
    private(set) var offences = 0
    /// What the radio asked for besides the list, since the last look.
    private var told: [Radio.Action] = []

    mutating func drive(_ input: (inout Radio, Moment, inout [Radio.Action]) -> Void) {
        var actions: [Radio.Action] = []
        input(&radio, now, &actions)
        for action in actions { carryOut(action) }
    }

    private mutating func carryOut(_ action: Radio.Action) {
        guard case .command(let command) = action else {
            told.append(action)
            return
        }
        switch command {
        case .readListSize:
            if refusal == nil { radio.learn(listSize: size) }
            answerList(command) { _ in }
        case .clearList: answerList(command) { $0 = [] }
        case .addToList(let device): answerList(command) { $0.insert(device) }
        case .removeFromList(let device): answerList(command) { $0.remove(device) }
        case .createConnection, .createConnectionByList:
            told.append(action)
            isInitiating = true
            answer(command)
        case .cancelConnection:
            told.append(action)
            answer(command)
            fail(.unknownConnectionIdentifier)
        default:
            told.append(action)
            answer(command)
        }
    }

    private mutating func answerList(_ command: Radio.Command, _ change: (inout Set<DeviceAddress>) -> Void) {
        if isInitiating { offences += 1 }
        if refusal == nil { change(&list) }
        answer(command, refusal)
    }

    mutating func answer(_ command: Radio.Command, _ failure: HostError? = nil) {
        drive { radio, now, actions in radio.answered(command, failure, at: now, into: &actions) }
    }

    mutating func fail(_ status: Status) {
        isInitiating = false
        drive { radio, now, actions in radio.connectionFailed(status, at: now, into: &actions) }
    }

    mutating func connect(_ numbers: ClosedRange<UInt64>, within duration: Duration = .seconds(3600)) {
        for number in numbers {
            drive { radio, now, actions in
                radio.connect(
                    ticket(number), to: strap(number), parameters: .heartRate, deadline: now + duration, at: now,
                    into: &actions)
            }
        }
    }

    mutating func connected(_ number: UInt64) {
        isInitiating = false
        drive { radio, now, actions in
            radio.connected(
                ConnectionHandle(rawValue: UInt16(number)), to: strap(number).address, at: now, into: &actions)
        }
    }

    /// Lets time pass, deadline by deadline.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        for _ in 0..<1000 {
            guard let deadline = radio.nextDeadline, deadline <= end else { break }
            now = max(now, deadline)
            drive { radio, now, actions in radio.advance(to: now, into: &actions) }
        }
        now = end
    }

    mutating func taken() -> [Radio.Action] {
        defer { told = [] }
        return told
    }

    /// Whether the last thing that the controller was told is to connect to one of the list.
    var waitsByList: Bool { told.last == .command(.createConnectionByList(.heartRate)) }

    /// With a list that has led to a connection before.
    static func proven(size: Int = 8) -> Bench {
        var bench = Bench()
        bench.size = size
        bench.connect(98...99)
        bench.connected(98)
        bench.connected(99)
        bench.told = []
        return bench
    }
}

/// Several devices at once (Core Vol 6, Part B, 4.3.5).
@Suite struct AcceptListTests {
    @Test func oneDeviceIsConnectedToDirectly() {
        var bench = Bench()
        bench.connect(1...1)
        #expect(bench.taken() == [.command(.createConnection(strap(1), .heartRate))])
        #expect(bench.list.isEmpty)
    }

    @Test func severalAreWaitedForInOneInitiation() {
        var bench = Bench.proven()
        bench.connect(1...5)
        #expect(bench.waitsByList)
        #expect(bench.list == [strap(1), strap(2), strap(3), strap(4), strap(5)])
        // Nobody loses the turn, and the absent keep nobody waiting.
        _ = bench.taken()
        bench.pass(.seconds(600))
        #expect(bench.taken() == [])
        bench.connected(4)
        #expect(bench.taken().first == .connected(ticket(4), ConnectionHandle(rawValue: 4)))
        #expect(bench.list == [strap(1), strap(2), strap(3), strap(5)])
        #expect(bench.offences == 0)
    }

    @Test func theLastOneIsConnectedToDirectly() {
        var bench = Bench.proven()
        bench.connect(1...2)
        bench.connected(1)
        #expect(bench.taken().last == .command(.createConnection(strap(2), .heartRate)))
    }

    @Test func theListMayBeShorterThanTheQueue() {
        var bench = Bench.proven(size: 3)
        bench.connect(1...7)
        var seen: [Set<DeviceAddress>] = []
        for _ in 0..<7 {
            #expect(bench.list.count == 3)
            seen.append(bench.list)
            bench.pass(Radio.turn)
        }
        #expect(seen.reduce(Set()) { $0.union($1) } == Set((1...7).map(strap)))
        // Each has had as many turns as the others, give or take one.
        let turns = (1...7).map { number in seen.count { $0.contains(strap(number)) } }
        #expect((turns.max() ?? 0) - (turns.min() ?? 0) <= 1)
        #expect(bench.offences == 0)
    }

    /// The controller says 8 and holds 2.
    @Test func aListThatIsFullSooner() {
        var bench = Bench.proven()
        bench.connect(1...2)
        bench.refusal = .command(.refused(LEAddDeviceToFilterAcceptList.opcode, .memoryCapacityExceeded))
        bench.connect(3...3)
        #expect(bench.waitsByList)
        #expect(bench.list == [strap(1), strap(2)])
        bench.refusal = nil
        bench.pass(Radio.turn)
        #expect(bench.list.contains(strap(3)))
    }

    @Test(arguments: [
        HostError.command(.refused(LEReadFilterAcceptListSize.opcode, .unknownCommand)),
        .command(.unanswered(LEReadFilterAcceptListSize.opcode)),
    ])
    func withoutAListTheyTakeTurns(_ refusal: HostError) {
        var bench = Bench()
        bench.refusal = refusal
        bench.connect(1...3)
        var targets: [Radio.Action] = []
        for _ in 0..<3 {
            targets += bench.taken().filter { $0 != .command(.cancelConnection) }
            bench.pass(Radio.turn)
        }
        #expect(Set(targets) == Set((1...3).map { .command(.createConnection(strap($0), .heartRate)) }))
    }

    /// Some controllers take every command about the list and connect to nobody on it.
    @Test func aListThatDoesNothingIsGivenUp() {
        var bench = Bench()
        bench.connect(1...8)
        #expect(bench.waitsByList)
        var connected: Set<UInt64> = []
        // All straps are there, and answer as soon as they are called by name.
        for _ in 0..<100 where connected.count < 8 {
            if case .command(.createConnection(let target, _))? = bench.taken().last {
                let number = target.address.rawValue & 0xFF
                connected.insert(number)
                bench.connected(number)
            } else {
                bench.pass(.milliseconds(500))
            }
        }
        #expect(connected.count == 8)
        #expect(bench.now < Moment.zero + .seconds(5))
    }

    /// And one that is not proven is tried more and more, while all are away.
    @Test func aListThatIsNotProvenIsNotTheOnlyWay() {
        var bench = Bench()
        bench.connect(1...3)
        bench.pass(.seconds(120))
        let told = bench.taken()
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(told.contains(.command(.createConnection(strap(number), .heartRate))))
        }
        #expect(told.count { $0 == .command(.createConnectionByList(.heartRate)) } >= 3)
        #expect(bench.offences == 0)
    }

    @Test func theScanHasItsTurns() {
        var bench = Bench.proven()
        bench.connect(1...3)
        _ = bench.taken()
        let fast = ScanParameters.fast(isActive: true)
        bench.drive { radio, now, actions in radio.want(scan: fast, at: now, into: &actions) }
        bench.pass(Radio.turn)
        #expect(bench.taken().contains(.command(.startScan(fast))))
        bench.pass(Radio.turn)
        #expect(bench.waitsByList)
        // One that is new need not wait for its turn.
        bench.pass(Radio.turn)
        _ = bench.taken()
        bench.connect(4...4)
        #expect(bench.waitsByList)
        #expect(bench.list.count == 4)
    }

    @Test func whoGivesUpLeavesTheList() {
        var bench = Bench.proven()
        bench.connect(1...3)
        bench.drive { radio, now, actions in radio.cancel(ticket(2), at: now, into: &actions) }
        #expect(bench.taken().contains(.connectFailed(ticket(2), .cancelled)))
        #expect(bench.list == [strap(1), strap(3)])
        #expect(bench.offences == 0)
    }

    @Test func eachHasItsOwnDeadline() {
        var bench = Bench.proven()
        bench.connect(1...2)
        bench.connect(3...3, within: .seconds(5))
        bench.pass(.seconds(5))
        #expect(bench.taken().contains(.connectFailed(ticket(3), .timedOut(.connecting))))
        #expect(bench.list == [strap(1), strap(2)])
    }

    /// Whom of the list a failure concerns is not told: direct attempts find out.
    @Test func failuresEndInDirectAttempts() {
        var bench = Bench.proven()
        bench.connect(1...2)
        for _ in 0..<Radio.mostFailures { bench.fail(.failedToBeEstablished) }
        #expect(bench.taken().last == .command(.createConnection(strap(1), .heartRate)))
    }

    @Test func aFullControllerIsToldToAll() {
        var bench = Bench.proven()
        bench.connect(1...3)
        _ = bench.taken()
        let refusal = HostError.command(.refused(LECreateConnection.opcode, .connectionLimitExceeded))
        bench.connected(1)
        _ = bench.taken()
        var actions: [Radio.Action] = []
        bench.radio.state = .creating(
            bench.radio.state.initiation ?? .init(attempts: [], isListed: true), .createConnectionByList(.heartRate))
        bench.radio.answered(.createConnectionByList(.heartRate), refusal, at: bench.now, into: &actions)
        #expect(actions == [.connectFailed(ticket(2), refusal), .connectFailed(ticket(3), refusal)])
        #expect(bench.radio.isIdle)
    }
}

/// The same in octets.
@Suite struct AcceptListCommandTests {
    @Test(arguments: [false, true])
    func commandsAndOrder(isExtended: Bool) {
        var bench = HostBench.ready(isExtended ? .extended : .legacy)
        bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        bench.ask(.connect(HostBench.otherStrap, .heartRate, within: .seconds(30)))
        let create = isExtended ? "4320" : "0D20"
        // The first is begun by itself; once that is known to be under way it makes room.
        #expect(bench.sent().last?.prefix(3) == octets("01" + create)[...])
        bench.status(create)
        #expect(bench.sent() == [octets("01 0E20 00")])
        bench.complete("0E20")
        bench.event("3E", "01 02 0000 00 00 000000000000 0000 0000 0000 00")
        #expect(bench.sent() == [octets("01 0F20 00")])
        bench.complete("0F20", "00 08")
        #expect(bench.sent() == [octets("01 1020 00")])
        bench.complete("1020")
        #expect(bench.sent() == [octets("01 1120 07 01 01F4F3F2F1F0")])
        bench.complete("1120")
        #expect(bench.sent() == [octets("01 1120 07 01 02F4F3F2F1F0")])
        bench.complete("1120")
        let parameters = "2800 3800 0000 F401 0000 0000"
        let initiation = "6000 6000"
        #expect(
            bench.sent() == [
                octets(
                    isExtended
                        ? "01 4320 1A 01 00 00 000000000000 01" + initiation + parameters
                        : "01 0D20 19" + initiation + "01 00 000000000000 00" + parameters)
            ])
    }

    @Test func aFullControllerIsATypedError() {
        var (bench, _) = HostBench.connected()
        let ticket = bench.ask(.connect(HostBench.otherStrap, .heartRate, within: .seconds(30)))
        bench.status("0D20", "09")
        #expect(bench.failure(ticket) == .connectionLimit(held: 1))
    }

    @Test func aSecondRequestSharesTheConnection() {
        var (bench, id) = HostBench.connected()
        let ticket = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        #expect(bench.connection(ticket)?.id == id)
        #expect(bench.sent() == [])
        // One that is about to end has to be gone before.
        bench.ask(.disconnect(id))
        let later = bench.ask(.connect(HostBench.strap, .heartRate, within: .seconds(30)))
        #expect(bench.sent() == [octets("01 0604 03 4000 13")])
        #expect(bench.answers[later] == nil)
        bench.status("0604")
        bench.event("05", "00 4000 16")
        #expect(bench.sent().last?.prefix(3) == octets("01 0D20")[...])
    }
}
