import HCI
import Testing
import Wire

@Suite struct CommandQueueTests {
    private typealias Queue = CommandQueue<String>
    private typealias Effect = Queue.Effect

    private static let timeout: Duration = .seconds(2)

    private func at(_ milliseconds: Int64) -> Moment { Moment(nanoseconds: milliseconds * 1_000_000) }

    /// Runs one input on the queue and gives what it asks for or tells.
    private func effects(_ input: (inout [Effect]) -> Void) -> [Effect] {
        var effects: [Effect] = []
        input(&effects)
        return effects
    }

    private func enqueue<Sent: Command>(
        _ command: Sent, _ token: String, on queue: inout Queue, at now: Int64 = 0
    ) -> [Effect] {
        effects { queue.enqueue(command, token: token, timeout: Self.timeout, at: at(now), into: &$0) }
    }

    private func complete(
        _ opcode: Opcode, credits: UInt8 = 1, _ parameters: [UInt8] = [0], on queue: inout Queue, at now: Int64 = 0
    ) -> [Effect] {
        let event = CommandComplete {
            $0.credits = credits
            $0.opcode = opcode
            $0.returnParameters = parameters
        }
        return effects { queue.receive(event, at: at(now), into: &$0) }
    }

    private func status(
        _ opcode: Opcode, _ status: Status, credits: UInt8 = 1, on queue: inout Queue, at now: Int64 = 0
    ) -> [Effect] {
        effects { queue.receive(CommandStatus(opcode, status, credits: credits), at: at(now), into: &$0) }
    }

    private func advance(_ queue: inout Queue, to now: Int64) -> [Effect] {
        effects { queue.advance(to: at(now), into: &$0) }
    }

    // MARK: Whose answer it is

    private func strength(of handle: UInt16) -> ReadRSSI { ReadRSSI { $0.handle = ConnectionHandle(rawValue: handle) } }

    /// The credit that it brings is taken.
    @Test func anAnswerAboutAnotherConnectionIsPassedOver() {
        var queue = Queue()
        _ = enqueue(strength(of: 0x0041), "strength", on: &queue)
        _ = enqueue(LERand(), "random", on: &queue)
        #expect(
            complete(ReadRSSI.opcode, credits: 2, [0, 0x40, 0, 0xCE], on: &queue) == [.transmit([1, 0x18, 0x20, 0])])
        let own: [UInt8] = [0, 0x41, 0, 0xBA]
        #expect(complete(ReadRSSI.opcode, own, on: &queue) == [.completed("strength", returnParameters: own)])
    }

    /// Reserved bits in the handle say nothing, and a refusal may consist of its status alone.
    @Test(arguments: [[0, 0x41, 0xF0, 0xBA], [0x0C], [0x0C, 0x40], []] as [[UInt8]])
    func anAnswerThatNamesNoOtherConnectionIsTaken(_ parameters: [UInt8]) {
        var queue = Queue()
        _ = enqueue(strength(of: 0x0041), "strength", on: &queue)
        #expect(
            complete(ReadRSSI.opcode, parameters, on: &queue)
                == [.completed("strength", returnParameters: parameters)])
    }

    @Test func anAnswerWithoutAConnectionIsNotReadAsOne() {
        var queue = Queue()
        _ = enqueue(LESetRandomAddress { $0.address = Address(rawValue: 0xC0_0000_000041) }, "address", on: &queue)
        #expect(
            complete(LESetRandomAddress.opcode, [0, 0x40, 0], on: &queue)
                == [.completed("address", returnParameters: [0, 0x40, 0])])
    }

    // MARK: Commands whose outcome is known otherwise

    @Test func aSettledCommandGivesItsCreditBackAndIsNotAnswered() {
        var queue = Queue()
        _ = enqueue(LECreateConnection(), "first", on: &queue)
        let next = enqueue(LECreateConnection(), "second", on: &queue)
        #expect(next == [])
        _ = enqueue(LERand(), "random", on: &queue)
        #expect(effects { queue.settle("first", at: at(0), into: &$0) } == [])
        #expect(queue.tokens == ["second", "random"])
        // The next of its opcode waits for the answer of the first.
        let sent = status(LECreateConnection.opcode, .success, on: &queue)
        #expect(sent.count == 1)
        #expect(status(LECreateConnection.opcode, .success, on: &queue).first == .status("second", .success))
    }

    @Test func itsAnswerIsNotWaitedForLongerThanItsTime() {
        var queue = Queue()
        _ = enqueue(LECreateConnection(), "first", on: &queue)
        _ = effects { queue.settle("first", at: at(0), into: &$0) }
        _ = enqueue(LECreateConnection(), "second", on: &queue, at: 1000)
        let sent = advance(&queue, to: 2000)
        #expect(sent.count == 1)
        #expect(advance(&queue, to: 4000) == [.timedOut("second")])
    }

    @Test func aSettledCommandTakesNoCredit() {
        var queue = Queue()
        _ = enqueue(LECreateConnection(), "first", on: &queue)
        _ = effects { queue.settle("first", at: at(0), into: &$0) }
        #expect(enqueue(LERand(), "random", on: &queue) == [.transmit([1, 0x18, 0x20, 0])])
        #expect(enqueue(ReadBDADDR(), "address", on: &queue) == [])
        #expect(queue.removeAll() == ["random", "address"])
    }

    @Test func anUnsentCommandThatIsSettledIsWithdrawn() {
        var queue = Queue()
        _ = enqueue(Reset(), "reset", on: &queue)
        _ = enqueue(LECreateConnection(), "first", on: &queue)
        #expect(effects { queue.settle("first", at: at(0), into: &$0) } == [])
        #expect(complete(Reset.opcode, on: &queue) == [.completed("reset", returnParameters: [0])])
        #expect(queue.count == 0)
    }

    // MARK: In order, one at a time

    @Test func oneCommandIsInFlight() {
        var queue = Queue()
        #expect(enqueue(Reset(), "reset", on: &queue) == [.transmit([1, 0x03, 0x0C, 0])])
        #expect(enqueue(ReadBDADDR(), "address", on: &queue) == [])
        #expect(enqueue(LERand(), "random", on: &queue) == [])
        #expect(queue.count == 3)
        #expect(
            complete(Reset.opcode, on: &queue)
                == [.completed("reset", returnParameters: [0]), .transmit([1, 0x09, 0x10, 0])])
        #expect(
            complete(ReadBDADDR.opcode, [0, 1, 2, 3, 4, 5, 6], on: &queue)
                == [.completed("address", returnParameters: [0, 1, 2, 3, 4, 5, 6]), .transmit([1, 0x18, 0x20, 0])])
        #expect(queue.count == 1)
    }

    @Test func theControllerMayGrantMore() {
        var queue = Queue()
        _ = enqueue(Reset(), "reset", on: &queue)
        _ = enqueue(ReadBDADDR(), "address", on: &queue)
        _ = enqueue(LERand(), "random", on: &queue)
        _ = enqueue(ReadBufferSize(), "buffers", on: &queue)
        #expect(
            complete(Reset.opcode, credits: 2, on: &queue) == [
                .completed("reset", returnParameters: [0]), .transmit([1, 0x09, 0x10, 0]),
                .transmit([1, 0x18, 0x20, 0]),
            ])
        // Answers out of order find their commands. One is still in flight, and perhaps in the second place.
        #expect(complete(LERand.opcode, credits: 1, on: &queue) == [.completed("random", returnParameters: [0])])
        #expect(
            complete(ReadBDADDR.opcode, credits: 2, on: &queue)
                == [.completed("address", returnParameters: [0]), .transmit([1, 0x05, 0x10, 0])])
    }

    @Test func theControllerMayGrantLess() {
        var queue = Queue()
        _ = enqueue(Reset(), "reset", on: &queue)
        _ = enqueue(ReadBDADDR(), "address", on: &queue)
        #expect(complete(Reset.opcode, credits: 0, on: &queue) == [.completed("reset", returnParameters: [0])])
        #expect(complete(.none, credits: 1, [], on: &queue) == [.transmit([1, 0x09, 0x10, 0])])
    }

    @Test func grantsDoNotAddUp() {
        var queue = Queue()
        for _ in 0..<10 { #expect(complete(.none, credits: 1, [], on: &queue) == []) }
        #expect(enqueue(Reset(), "reset", on: &queue).count == 1)
        #expect(enqueue(ReadBDADDR(), "address", on: &queue) == [])
        // While one is in flight, a grant of one may be its own.
        #expect(status(.none, .success, credits: 1, on: &queue) == [])
    }

    @Test func twoOfOneOpcodeAreNeverInFlight() {
        var queue = Queue()
        #expect(complete(.none, credits: 5, [], on: &queue) == [])
        #expect(enqueue(LERand(), "first", on: &queue).count == 1)
        #expect(enqueue(LERand(), "second", on: &queue) == [])
        #expect(enqueue(ReadBDADDR(), "address", on: &queue) == [])
        #expect(
            complete(LERand.opcode, credits: 5, [0, 1], on: &queue) == [
                .completed("first", returnParameters: [0, 1]), .transmit([1, 0x18, 0x20, 0]),
                .transmit([1, 0x09, 0x10, 0]),
            ])
    }

    // MARK: Answers

    @Test func aDeferredCommandIsAnsweredByItsStatus() {
        var queue = Queue()
        _ = enqueue(Disconnect(), "disconnect", on: &queue)
        #expect(status(Disconnect.opcode, .success, on: &queue) == [.status("disconnect", .success)])
        _ = enqueue(Disconnect(), "again", on: &queue)
        #expect(
            status(Disconnect.opcode, .unknownConnectionIdentifier, on: &queue)
                == [.status("again", .unknownConnectionIdentifier)])
        #expect(queue.count == 0)
    }

    @Test func anyCommandCanBeRefusedByEitherEvent() {
        var queue = Queue()
        _ = enqueue(LERand(), "random", on: &queue)
        #expect(status(LERand.opcode, .unknownCommand, on: &queue) == [.status("random", .unknownCommand)])
        _ = enqueue(Disconnect(), "disconnect", on: &queue)
        #expect(complete(Disconnect.opcode, [0x01], on: &queue) == [.status("disconnect", .unknownCommand)])
        _ = enqueue(Disconnect(), "without status", on: &queue)
        #expect(complete(Disconnect.opcode, [], on: &queue) == [.status("without status", .unspecifiedError)])
    }

    @Test func aStatusOfSuccessIsNotTheEndOfAnImmediateCommand() {
        var queue = Queue()
        _ = enqueue(LERand(), "random", on: &queue)
        #expect(status(LERand.opcode, .success, on: &queue) == [])
        #expect(complete(LERand.opcode, on: &queue) == [.completed("random", returnParameters: [0])])
    }

    @Test func answersThatNobodyAwaitsArePassedOver() {
        var queue = Queue()
        #expect(complete(Reset.opcode, on: &queue) == [])
        _ = enqueue(LERand(), "random", on: &queue)
        #expect(complete(ReadBDADDR.opcode, on: &queue) == [])
        #expect(status(Disconnect.opcode, .success, on: &queue) == [])
        #expect(complete(LERand.opcode, on: &queue) == [.completed("random", returnParameters: [0])])
        #expect(complete(LERand.opcode, on: &queue) == [])
        #expect(enqueue(Reset(), "reset", on: &queue).count == 1)
    }

    // MARK: Silence

    @Test func aTimeoutGivesTheCreditBack() {
        var queue = Queue()
        _ = enqueue(LERand(), "random", on: &queue)
        _ = enqueue(ReadBDADDR(), "address", on: &queue, at: 500)
        #expect(queue.nextDeadline == at(2000))
        #expect(advance(&queue, to: 1999) == [])
        #expect(advance(&queue, to: 2000) == [.timedOut("random"), .transmit([1, 0x09, 0x10, 0])])
        // Its own time runs from sending on.
        #expect(queue.nextDeadline == at(4000))
        // The late answer is nobody's, and its grant is not a second credit.
        #expect(complete(LERand.opcode, on: &queue, at: 2100) == [])
        #expect(enqueue(Reset(), "reset", on: &queue, at: 2100) == [])
        #expect(
            complete(ReadBDADDR.opcode, on: &queue, at: 2200)
                == [.completed("address", returnParameters: [0]), .transmit([1, 0x03, 0x0C, 0])])
    }

    @Test func manyTimeoutsDoNotWearTheQueueOut() {
        var queue = Queue()
        for round in 0..<50 as Range<Int64> {
            #expect(enqueue(LERand(), "\(round)", on: &queue, at: round * 2000).count == 1)
            #expect(advance(&queue, to: (round + 1) * 2000) == [.timedOut("\(round)")])
        }
        #expect(enqueue(Reset(), "reset", on: &queue, at: 100_000).count == 1)
        #expect(enqueue(LERand(), "random", on: &queue, at: 100_000) == [])
    }

    @Test func aControllerThatNeverGrantsAgainIsAskedAllTheSame() {
        var queue = Queue()
        _ = enqueue(Reset(), "reset", on: &queue)
        _ = complete(Reset.opcode, credits: 0, on: &queue)
        #expect(queue.nextDeadline == nil)
        #expect(enqueue(LERand(), "random", on: &queue, at: 100) == [])
        #expect(queue.nextDeadline == at(2100))
        #expect(enqueue(ReadBDADDR(), "address", on: &queue, at: 1000) == [])
        #expect(queue.nextDeadline == at(2100))
        #expect(advance(&queue, to: 2100) == [.transmit([1, 0x18, 0x20, 0])])
        #expect(advance(&queue, to: 4100) == [.timedOut("random"), .transmit([1, 0x09, 0x10, 0])])
    }

    @Test func whatIsLeftAtTheEndIsNamed() {
        var queue = Queue()
        _ = enqueue(Reset(), "reset", on: &queue)
        _ = enqueue(LERand(), "random", on: &queue)
        #expect(queue.removeAll() == ["reset", "random"])
        #expect(queue.count == 0)
        #expect(queue.nextDeadline == nil)
        #expect(enqueue(Reset(), "reset", on: &queue).count == 1)
    }

    /// Whatever the controller says, no more is in flight than it granted last, each command is answered once, and none is lost.
    @Test func anyControllerAnswersEachCommandOnce() {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var queue = CommandQueue<Int>()
            var effects: [CommandQueue<Int>.Effect] = []
            let opcodes = (0..<6).map { Opcode(group: 8, number: $0 + 1) }
            var now: Int64 = 0
            var sent = 0
            for _ in 0..<400 {
                now += Int64.random(in: 0...300, using: &generator)
                let opcode = opcodes.randomElement(using: &generator) ?? .none
                switch Int.random(in: 0..<5, using: &generator) {
                case 0:
                    let answer: CommandAnswer = Bool.random(using: &generator) ? .complete : .status
                    queue.enqueue(
                        opcode, parameters: [], answer: answer, token: sent, timeout: Self.timeout, at: at(now),
                        into: &effects)
                    sent += 1
                case 1:
                    let event = CommandComplete.random(using: &generator)
                    queue.receive(event, at: at(now), into: &effects)
                case 2:
                    let event = CommandComplete {
                        $0.opcode = opcode
                        $0.credits = UInt8.random(in: 0...2, using: &generator)
                    }
                    queue.receive(event, at: at(now), into: &effects)
                case 3:
                    let status: Status = Bool.random(using: &generator) ? .success : .commandDisallowed
                    queue.receive(CommandStatus(opcode, status), at: at(now), into: &effects)
                default:
                    queue.advance(to: at(now), into: &effects)
                }
            }
            while let deadline = queue.nextDeadline { queue.advance(to: deadline, into: &effects) }
            let answered = effects.compactMap { effect -> Int? in
                switch effect {
                case .transmit: nil
                case .completed(let token, _), .status(let token, _), .timedOut(let token): token
                }
            }
            #expect(answered.sorted() == Array(0..<sent), "seed \(seed)")
            #expect(effects.count == 2 * sent, "seed \(seed)")
        }
    }
}
