import Testing
import Wire

@testable import HCITransport

/// An actor that lives on a loop.
private actor Resident {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
    private(set) var log: [Int] = []

    init(on loop: EventLoop) { self.loop = loop }

    func isOnLoop() -> Bool { loop.isCurrent }
    func note(_ number: Int) { log.append(number) }
    /// Without a hop, from code that is on the loop and in no task.
    nonisolated func noteFromLoop(_ number: Int) { assumeIsolated { $0.log.append(number) } }
}

@Suite struct EventLoopTests {
    @Test func anActorOnTheLoopRunsOnItsThread() async throws {
        let loop = try EventLoop()
        let resident = Resident(on: loop)
        #expect(await resident.isOnLoop())
        #expect(!loop.isCurrent)
        #expect(loop.isIsolatingCurrentContext() == false)
    }

    @Test func workIsDoneInTheOrderItCame() async throws {
        let loop = try EventLoop()
        let resident = Resident(on: loop)
        for number in 0..<100 { loop.reactor.post { resident.noteFromLoop(number) } }
        #expect(await resident.log == Array(0..<100))
    }

    @Test func twoActorsOnTwoLoopsPassABallAThousandTimes() async throws {
        let (one, other) = (Resident(on: try EventLoop()), Resident(on: try EventLoop()))
        for number in 0..<1000 { await (number.isMultiple(of: 2) ? one : other).note(number) }
        #expect(await one.log.count == 500)
        #expect(await other.log.count == 500)
    }

    @Test func codeOfNoActorRunsOnTheLoopBeforeAndAfterAnAwait() async throws {
        let loop = try EventLoop()
        let wasOnLoop = await loop.run {
            let before = loop.isCurrent
            await Resident(on: loop).note(1)
            return [before, loop.isCurrent]
        }
        #expect(wasOnLoop == [true, true])
    }

    @Test func aContinuationIsMadeWithoutLettingOthersIn() async throws {
        let loop = try EventLoop()
        #expect(await Entrance(on: loop).enter() == 0)
    }

    @Test func alarmsRingInTheOrderOfTheirMomentsAndOnce() async throws {
        let loop = try EventLoop()
        let start = loop.now
        let clocks = try #require(await ThreeAlarms(on: loop).ring(after: [20, 5, nil]))
        #expect(clocks.map(\.number) == [1, 0])
        #expect(clocks[0].moment >= start + .milliseconds(5))
        #expect(clocks[1].moment >= start + .milliseconds(20))
    }

    @Test func aLoopThatNobodyHoldsEndsItsThreadAndFreesEverything() async throws {
        await withCheckedContinuation { done in
            let farewell = Farewell { done.resume() }
            guard let loop = try? EventLoop() else { return done.resume() }
            _ = loop.reactor.addAlarm { _ in withExtendedLifetime(farewell) {} }
        }
    }
}

private final class Farewell: Sendable {
    private let say: @Sendable () -> Void
    init(_ say: @escaping @Sendable () -> Void) { self.say = say }
    deinit { say() }
}

/// Sets three alarms, takes back those without a time, and waits for the first of them.
private actor ThreeAlarms {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
    private var rung: [(number: Int, moment: Moment)] = []
    private var waiter: CheckedContinuation<Void, Never>?
    private var first: LoopAlarm?
    private var second: LoopAlarm?
    private var third: LoopAlarm?

    init(on loop: EventLoop) { self.loop = loop }

    func ring(after milliseconds: [Int?]) async -> [(number: Int, moment: Moment)]? {
        first = alarm(0)
        second = alarm(1)
        third = alarm(2)
        let soon = loop.now + .milliseconds(1)
        first?.set(soon)
        second?.set(soon)
        third?.set(soon)
        let moments = milliseconds.map { $0.map { soon + .milliseconds($0) } }
        first?.set(moments[0])
        second?.set(moments[1])
        third?.set(moments[2])
        await withCheckedContinuation { waiter = $0 }
        return rung
    }

    private func alarm(_ number: Int) -> LoopAlarm {
        LoopAlarm(on: loop) { [weak self] moment in self?.assumeIsolated { $0.rang(number, moment) } }
    }

    private func rang(_ number: Int, _ moment: Moment) {
        rung.append((number, moment))
        if number == 0 { waiter?.resume() }
    }
}

/// Counts what came between a call and its continuation.
private actor Entrance {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
    private var passed = 0

    init(on loop: EventLoop) { self.loop = loop }

    func enter() async -> Int {
        loop.reactor.post { self.assumeIsolated { $0.passed += 1 } }
        return await withCheckedContinuation { $0.resume(returning: passed) }
    }
}
