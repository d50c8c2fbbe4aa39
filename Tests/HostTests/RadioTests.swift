import HCI
import Testing
import Wire

@testable import Host

private let strap = DeviceAddress(.random, Address(rawValue: 0xF0F1_F2F3_F401))
private let other = DeviceAddress(.random, Address(rawValue: 0xF0F1_F2F3_F402))
private let fast = ScanParameters.fast(isActive: true)
private let first = Ticket(rawValue: 1)
private let second = Ticket(rawValue: 2)
private let handle = ConnectionHandle(rawValue: 0x40)

/// A radio and what it asked for, with a clock that the test sets.
private struct Bench {
    var radio = Radio()
    var actions: [Radio.Action] = []
    var now = Moment.zero

    mutating func want(scan: ScanParameters?) { radio.want(scan: scan, at: now, into: &actions) }

    mutating func connect(_ ticket: Ticket, to target: DeviceAddress, within duration: Duration = .seconds(30)) {
        radio.connect(ticket, to: target, parameters: .heartRate, deadline: now + duration, at: now, into: &actions)
    }

    mutating func succeed(_ command: Radio.Command) { radio.answered(command, nil, at: now, into: &actions) }

    mutating func pass(_ duration: Duration) {
        now = now + duration
        radio.advance(to: now, into: &actions)
    }

    /// What was asked for since the last look.
    mutating func taken() -> [Radio.Action] {
        defer { actions = [] }
        return actions
    }

    /// Scanning, as most tests begin.
    static var scanning: Bench {
        var bench = Bench()
        bench.want(scan: fast)
        bench.succeed(.setScanParameters(fast))
        bench.succeed(.startScan(fast))
        bench.actions = []
        return bench
    }

    /// Initiating to the strap, on a controller without a filter accept list.
    static var initiatingWithoutList: Bench {
        var bench = initiating()
        bench.radio.resume(usingList: false, as: OwnAddresses(), at: bench.now, into: &bench.actions)
        return bench
    }

    /// Initiating to the strap.
    static func initiating(within duration: Duration = .seconds(30)) -> Bench {
        var bench = Bench()
        bench.connect(first, to: strap, within: duration)
        bench.succeed(.createConnection(strap, .heartRate))
        bench.actions = []
        return bench
    }
}

@Suite struct RadioTests {
    private let create = Radio.Command.createConnection(strap, .heartRate)

    @Test func scanningSetsParametersThenStarts() {
        var bench = Bench()
        bench.want(scan: fast)
        #expect(bench.taken() == [.command(.setScanParameters(fast))])
        bench.succeed(.setScanParameters(fast))
        #expect(bench.taken() == [.command(.startScan(fast))])
        bench.succeed(.startScan(fast))
        #expect(bench.taken() == [.scanStarted])
    }

    @Test func aRefusedScanIsToldAndNotRepeated() {
        var bench = Bench()
        bench.want(scan: fast)
        bench.actions = []
        bench.radio.answered(.setScanParameters(fast), .cancelled, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.scanFailed(.cancelled)])
    }

    @Test func connectingWaitsForTheAnswerToStopScan() {
        var bench = Bench.scanning
        bench.connect(first, to: strap)
        #expect(bench.taken() == [.command(.stopScan)])
        bench.succeed(.stopScan)
        #expect(bench.taken() == [.command(create)])
        bench.succeed(create)
        bench.radio.connected(handle, to: strap.address, at: bench.now, into: &bench.actions)
        // The scan that was wanted before goes on.
        #expect(bench.taken() == [.connected(first, handle), .command(.setScanParameters(fast))])
    }

    @Test func changedParametersRestartTheScan() {
        var bench = Bench.scanning
        let relaxed = ScanParameters.relaxed(isActive: true)
        bench.want(scan: relaxed)
        #expect(bench.taken() == [.command(.stopScan)])
        bench.succeed(.stopScan)
        #expect(bench.taken() == [.command(.setScanParameters(relaxed))])
    }

    // MARK: Whose answer it is

    /// The strap's connection came about before its command was answered, and the command for the other is on its way.
    @Test(arguments: [nil, HostError.command(.refused(Opcode(rawValue: 0x200D), .commandDisallowed))])
    func anAnswerToAnEarlierCommandSaysNothingOfThisOne(_ failure: HostError?) {
        var bench = Bench()
        bench.radio.resume(usingList: false, as: OwnAddresses(), at: bench.now, into: &bench.actions)
        bench.connect(first, to: strap)
        bench.connect(second, to: other)
        bench.radio.connected(handle, to: strap.address, at: bench.now, into: &bench.actions)
        let createOther = Radio.Command.createConnection(other, .heartRate)
        #expect(bench.taken().last == .command(createOther))
        bench.radio.answered(create, failure, at: bench.now, into: &bench.actions)
        bench.radio.cancel(second, at: bench.now, into: &bench.actions)
        // Its own command is not begun yet, so that there is nothing to cancel.
        #expect(bench.taken() == [])
        bench.succeed(createOther)
        #expect(bench.taken() == [.command(.cancelConnection)])
    }

    // MARK: A controller that initiates already

    private let disallowed = HostError.command(.refused(LECreateConnection.opcode, .commandDisallowed))

    /// A cancel was lost on its way, and the attempt that it was for goes on in the controller.
    @Test func aForgottenAttemptIsCancelledBeforeTheNext() {
        var bench = Bench()
        bench.connect(first, to: strap)
        bench.actions = []
        bench.radio.answered(create, disallowed, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.command(.cancelConnection)])
        bench.radio.connectionFailed(.unknownConnectionIdentifier, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.command(create)])
        bench.succeed(create)
        bench.radio.connected(handle, to: strap.address, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.connected(first, handle)])
    }

    /// Where that does not help, the attempt fails; the next one may find the way clear.
    @Test func aControllerThatStillRefusesIsTakenAtItsWord() {
        var bench = Bench()
        for ticket in [first, second] {
            bench.connect(ticket, to: strap)
            bench.actions = []
            bench.radio.answered(create, disallowed, at: bench.now, into: &bench.actions)
            #expect(bench.taken() == [.command(.cancelConnection)])
            bench.pass(Radio.cancelBound)
            #expect(bench.taken() == [.command(create)])
            bench.radio.answered(create, disallowed, at: bench.now, into: &bench.actions)
            #expect(bench.taken() == [.connectFailed(ticket, disallowed)])
        }
    }

    @Test func anAnswerAboutOtherScanParametersIsNoAnswer() {
        var bench = Bench()
        bench.want(scan: fast)
        let relaxed = ScanParameters.relaxed(isActive: true)
        bench.actions = []
        bench.succeed(.setScanParameters(relaxed))
        #expect(bench.taken() == [])
        bench.succeed(.setScanParameters(fast))
        #expect(bench.taken() == [.command(.startScan(fast))])
        bench.succeed(.startScan(relaxed))
        #expect(bench.taken() == [])
    }

    @Test func aTimeoutCancelsAndWaitsForTheCompletion() {
        var bench = Bench.initiating(within: .seconds(5))
        #expect(bench.radio.nextDeadline == Moment.zero + .seconds(5))
        bench.pass(.seconds(5))
        #expect(bench.taken() == [.command(.cancelConnection)])
        bench.succeed(.cancelConnection)
        #expect(bench.taken() == [])
        bench.radio.connectionFailed(.unknownConnectionIdentifier, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.connectFailed(first, .timedOut(.connecting))])
    }

    @Test func aLateSuccessIsTaken() {
        var bench = Bench.initiating(within: .seconds(5))
        bench.pass(.seconds(5))
        bench.actions = []
        bench.radio.connected(handle, to: strap.address, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.connected(first, handle)])
    }

    @Test func aCompletionThatNeverComesIsNotWaitedForLonger() {
        var bench = Bench.initiating(within: .seconds(5))
        bench.pass(.seconds(5))
        bench.actions = []
        bench.pass(Radio.cancelBound)
        #expect(bench.taken() == [.connectFailed(first, .timedOut(.connecting))])
        // And what comes later still is nobody's.
        bench.radio.connected(handle, to: strap.address, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.abandon(handle)])
    }

    @Test func anUnwantedSuccessIsAbandoned() {
        var bench = Bench.initiating()
        bench.radio.cancel(first, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.command(.cancelConnection)])
        bench.radio.connected(handle, to: strap.address, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.abandon(handle), .connectFailed(first, .cancelled)])
    }

    // MARK: Several who want the same device

    @Test func oneConnectionAnswersAllWhoWantThatDevice() {
        var bench = Bench.initiating()
        bench.connect(second, to: strap)
        #expect(bench.taken() == [])
        bench.radio.connected(handle, to: strap.address, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.connected(first, handle), .connected(second, handle)])
    }

    @Test func whoGivesUpDoesNotGiveUpForTheOthers() {
        var bench = Bench.initiating()
        bench.connect(second, to: strap)
        bench.radio.cancel(first, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.connectFailed(first, .cancelled)])
        bench.radio.connected(handle, to: strap.address, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.connected(second, handle)])
    }

    @Test func whoLosesPatienceDoesNotForTheOthers() {
        var bench = Bench.initiating(within: .seconds(5))
        bench.connect(second, to: strap, within: .seconds(60))
        bench.pass(.seconds(5))
        #expect(bench.taken() == [.command(.cancelConnection)])
        bench.radio.connectionFailed(.unknownConnectionIdentifier, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.connectFailed(first, .timedOut(.connecting)), .command(create)])
    }

    /// LE Create Connection to a device that is connected is refused with 0x0B.
    @Test func aDeviceThatIsConnectedIsWaitedFor() {
        var bench = Bench.initiating()
        bench.radio.connected(handle, to: strap.address, at: bench.now, into: &bench.actions)
        bench.actions = []
        bench.connect(second, to: strap)
        #expect(bench.taken() == [])
        bench.radio.disconnected(from: strap.address, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.command(create)])
    }

    @Test func cancellingWhileTheCommandIsOnItsWay() {
        var bench = Bench()
        bench.connect(first, to: strap)
        bench.actions = []
        bench.radio.cancel(first, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [])
        bench.succeed(create)
        #expect(bench.taken() == [.command(.cancelConnection)])
    }

    @Test func aWaitingAttemptIsCancelledAtOnce() {
        var bench = Bench.initiatingWithoutList
        bench.connect(second, to: other)
        bench.radio.cancel(second, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.connectFailed(second, .cancelled)])
    }

    @Test func failedToBeEstablishedIsTriedAgainWithABound() {
        var bench = Bench.initiating()
        for _ in 1..<Radio.mostFailures {
            bench.radio.connectionFailed(.failedToBeEstablished, at: bench.now, into: &bench.actions)
            #expect(bench.taken() == [.command(create)])
            bench.succeed(create)
        }
        bench.radio.connectionFailed(.failedToBeEstablished, at: bench.now, into: &bench.actions)
        let error = HostError.connectionFailed(.failedToBeEstablished, attempts: Radio.mostFailures)
        #expect(bench.taken() == [.connectFailed(first, error)])
    }

    @Test func otherFailuresAreNotTriedAgain() {
        var bench = Bench.initiating()
        bench.radio.connectionFailed(.connectionLimitExceeded, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.connectFailed(first, .connectionFailed(.connectionLimitExceeded, attempts: 1))])
    }

    /// On a controller without a filter accept list.
    @Test func attemptsTakeTurns() {
        var bench = Bench.initiatingWithoutList
        bench.connect(second, to: other)
        #expect(bench.taken() == [])
        bench.pass(Radio.turn)
        #expect(bench.taken() == [.command(.cancelConnection)])
        bench.radio.connectionFailed(.unknownConnectionIdentifier, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.command(.createConnection(other, .heartRate))])
        bench.succeed(.createConnection(other, .heartRate))
        bench.radio.connected(handle, to: other.address, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.connected(second, handle), .command(create)])
    }

    @Test func aWaitingAttemptTimesOutToo() {
        var bench = Bench.initiatingWithoutList
        bench.connect(second, to: other, within: .seconds(2))
        bench.pass(.seconds(2))
        #expect(bench.taken() == [.connectFailed(second, .timedOut(.connecting))])
    }

    @Test func aStrangersConnectionIsAbandoned() {
        var bench = Bench.initiating()
        bench.radio.connected(handle, to: other.address, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.abandon(handle)])
    }

    @Test func aFailureWithoutAnAttemptChangesNothing() {
        var bench = Bench.scanning
        bench.radio.connectionFailed(.unknownConnectionIdentifier, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [])
        #expect(bench.radio == Bench.scanning.radio)
    }

    @Test func theRefusalOfCreateConnectionIsTold() {
        var bench = Bench()
        bench.connect(first, to: strap)
        bench.actions = []
        let refusal = HostError.command(.refused(Opcode(rawValue: 0x200D), .invalidCommandParameters))
        bench.radio.answered(create, refusal, at: bench.now, into: &bench.actions)
        #expect(bench.taken() == [.connectFailed(first, refusal)])
    }
}
