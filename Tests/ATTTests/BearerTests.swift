import ATT
import TestSupport
import Testing
import Wire

/// A bearer, a clock, and what came of the last input.
struct BearerBench {
    var bearer: Bearer
    var now = Moment.zero

    init(queueLimit: Int = 64) { bearer = Bearer(queueLimit: queueLimit) }

    @discardableResult
    mutating func handle(_ input: Bearer.Input, after delay: Duration = .zero) -> [Bearer.Effect] {
        now = now + delay
        var effects: [Bearer.Effect] = []
        bearer.handle(input, at: now, into: &effects)
        return effects
    }

    @discardableResult
    mutating func receive(_ hex: String, after delay: Duration = .zero) -> [Bearer.Effect] {
        handle(.received(octets(hex)), after: delay)
    }

    @discardableResult
    mutating func read(_ handle: Handle, _ ticket: UInt64) -> [Bearer.Effect] {
        self.handle(.request(.read(ReadRequest(handle: handle)), Bearer.Ticket(ticket)))
    }
}

extension Bearer.Effect {
    static func transmit(_ hex: String) -> Bearer.Effect { .transmit(octets(hex)) }
    static func read(_ ticket: UInt64, _ hex: String) -> Bearer.Effect {
        .completed(Bearer.Ticket(ticket), .success(.read(ReadResponse(value: octets(hex)))))
    }
    static func failed(_ ticket: UInt64, _ error: BearerError) -> Bearer.Effect {
        .completed(Bearer.Ticket(ticket), .failure(error))
    }
}

@Suite struct BearerTests {
    @Test func oneRequestAtATimeInOrder() {
        var bench = BearerBench()
        #expect(bench.read(3, 1) == [.transmit("0a 03 00")])
        #expect(bench.read(4, 2) == [])
        #expect(bench.read(5, 3) == [])
        #expect(bench.receive("0b 01") == [.read(1, "01"), .transmit("0a 04 00")])
        #expect(
            bench.receive("01 0a 04 00 02") == [
                .failed(2, .refused(request: .readRequest, handle: 4, code: .readNotPermitted)), .transmit("0a 05 00"),
            ])
        #expect(bench.receive("0b") == [.read(3, "")])
        #expect(bench.bearer.nextDeadline == nil)
    }

    @Test func commandsPassTheQueue() {
        var bench = BearerBench()
        bench.read(3, 1)
        bench.read(4, 2)
        let command = ClientPDU.writeCommand(WriteCommand(handle: 7, value: [1, 2, 3]))
        #expect(bench.handle(.command(command)) == [.transmit("52 07 00 01 02 03")])
    }

    @Test func indicationsAreConfirmedPastTheQueue() {
        var bench = BearerBench()
        bench.read(3, 1)
        bench.read(4, 2)
        #expect(bench.receive("1d 03 00 01 02 03") == [.transmit("1e"), .indication(3, [1, 2, 3])])
        #expect(bench.receive("1d 03 00 04") == [.transmit("1e"), .indication(3, [4])])
        #expect(bench.receive("0b 01") == [.read(1, "01"), .transmit("0a 04 00")])
    }

    @Test func aCutIndicationIsConfirmedToo() {
        var bench = BearerBench()
        let cut = WireError.truncated(field: "Attribute Handle", at: 1, needed: 2, remaining: 1)
        #expect(bench.receive("1d 03") == [.transmit("1e"), .noted(.malformed(.handleValueIndication, cut))])
    }

    @Test func notificationsComeInOrderAndDisturbNothing() {
        var bench = BearerBench()
        bench.handle(.request(.write(WriteRequest(handle: 4, value: [1, 0])), Bearer.Ticket(1)))
        #expect(bench.receive("1b 03 00 06 46") == [.notification(3, [0x06, 0x46])])
        #expect(bench.receive("23 03 00 01 00 aa 05 00 00 00") == [.notification(3, [0xAA]), .notification(5, [])])
        #expect(bench.receive("13") == [.completed(Bearer.Ticket(1), .success(.write(WriteResponse())))])
        #expect(bench.receive("1b 03 00") == [.notification(3, [])])
    }

    // MARK: Replies that do not fit

    @Test(arguments: ["0d 01", "13", "03 17 00", "05 01 04 00 01 29"])
    func aResponseOfAnotherTypeIsIgnored(hex: String) {
        var bench = BearerBench()
        bench.read(3, 1)
        let opcode = Opcode(octets(hex)[0])
        #expect(bench.receive(hex) == [.noted(.unexpectedResponse(opcode, awaiting: .readRequest))])
        #expect(bench.receive("0b 01") == [.read(1, "01")])
    }

    @Test func anErrorForAnotherRequestIsIgnored() {
        var bench = BearerBench()
        bench.read(3, 1)
        #expect(
            bench.receive("01 08 03 00 0a") == [.noted(.unexpectedResponse(.errorResponse, awaiting: .readRequest))])
        #expect(bench.receive("01") == [.noted(.unexpectedResponse(.errorResponse, awaiting: .readRequest))])
        #expect(bench.receive("0b 01") == [.read(1, "01")])
    }

    @Test func aResponseToNothingIsIgnored() {
        var bench = BearerBench()
        #expect(bench.receive("0b 01") == [.noted(.unexpectedResponse(.readResponse, awaiting: nil))])
        #expect(bench.receive("01 0a 03 00 02") == [.noted(.unexpectedResponse(.errorResponse, awaiting: nil))])
    }

    @Test func aCutResponseEndsItsRequestAndNoOther() {
        var bench = BearerBench()
        bench.handle(.request(.exchangeMTU(ExchangeMTURequest(clientRxMTU: 517)), Bearer.Ticket(1)))
        bench.read(3, 2)
        let cut = WireError.truncated(field: "Server Rx MTU", at: 1, needed: 2, remaining: 1)
        #expect(
            bench.receive("03 17") == [
                .failed(1, .malformed(response: .exchangeMTUResponse, cut)), .transmit("0a 03 00"),
            ])
        let cutError = WireError.truncated(field: "Attribute Handle In Error", at: 2, needed: 2, remaining: 1)
        #expect(bench.receive("01 0a 03") == [.failed(2, .malformed(response: .errorResponse, cutError))])
        #expect(bench.bearer.mtu == 23)
    }

    @Test func octetsBehindAResponseAreNoted() {
        var bench = BearerBench()
        bench.handle(.request(.write(WriteRequest(handle: 4, value: [1, 0])), Bearer.Ticket(1)))
        #expect(
            bench.receive("13 00") == [
                .noted(.trailingOctets(.writeResponse, count: 1)),
                .completed(Bearer.Ticket(1), .success(.write(WriteResponse()))),
            ])
    }

    // MARK: Time

    @Test func silenceFor30SecondsEndsTheBearer() {
        var bench = BearerBench()
        bench.read(3, 1)
        bench.read(4, 2)
        #expect(bench.bearer.nextDeadline == .zero + .seconds(30))
        #expect(bench.handle(.wake, after: .milliseconds(29_999)) == [])
        #expect(
            bench.handle(.wake, after: .milliseconds(1)) == [
                .failed(1, .timedOut(request: .readRequest)), .failed(2, .bearerFailed),
                .disconnect(.transactionTimedOut(request: .readRequest)),
            ])
        #expect(bench.bearer.nextDeadline == nil)
        #expect(bench.receive("0b 01") == [.noted(.ignoredAfterEnd(.readResponse))])
        #expect(bench.read(5, 3) == [.failed(3, .bearerFailed)])
        #expect(bench.handle(.wake, after: .seconds(60)) == [])
        #expect(bench.handle(.disconnected) == [])
        #expect(bench.read(5, 4) == [.failed(4, .disconnected)])
    }

    @Test func eachRequestHasItsOwn30Seconds() {
        var bench = BearerBench()
        bench.read(3, 1)
        bench.read(4, 2)
        bench.receive("0b 01", after: .seconds(29))
        #expect(bench.bearer.nextDeadline == .zero + .seconds(59))
        #expect(bench.handle(.wake, after: .seconds(29)) == [])
        #expect(bench.receive("0b 02") == [.read(2, "02")])
    }

    @Test func everyoneIsAnsweredOnceWhenTheLinkGoes() {
        var bench = BearerBench()
        bench.read(3, 1)
        bench.read(4, 2)
        bench.read(5, 3)
        #expect(
            bench.handle(.disconnected) == [
                .failed(1, .disconnected), .failed(2, .disconnected), .failed(3, .disconnected),
            ])
        #expect(bench.handle(.disconnected) == [])
        #expect(bench.receive("0b 01") == [.noted(.ignoredAfterEnd(.readResponse))])
    }

    // MARK: Cancelling and limits

    @Test func aCancelledRequestKeepsItsTurnButTellsNobody() {
        var bench = BearerBench()
        bench.read(3, 1)
        bench.read(4, 2)
        bench.read(5, 3)
        #expect(bench.handle(.cancel(Bearer.Ticket(1))) == [.failed(1, .cancelled)])
        #expect(bench.handle(.cancel(Bearer.Ticket(1))) == [])
        #expect(bench.handle(.cancel(Bearer.Ticket(2))) == [.failed(2, .cancelled)])
        #expect(bench.handle(.cancel(Bearer.Ticket(9))) == [])
        #expect(bench.receive("0b 01") == [.transmit("0a 05 00")])
        #expect(bench.handle(.disconnected) == [.failed(3, .disconnected)])
    }

    @Test func aFullQueueRefuses() {
        var bench = BearerBench(queueLimit: 1)
        bench.read(3, 1)
        bench.read(4, 2)
        #expect(bench.read(5, 3) == [.failed(3, .queueFull)])
        #expect(bench.receive("0b") == [.read(1, ""), .transmit("0a 04 00")])
    }

    @Test func whatIsTooLongForTheMTUDoesNotLeave() {
        var bench = BearerBench()
        let long = [UInt8](repeating: 0, count: 21)
        let tooLong = BearerError.tooLong(octets: 24, mtu: 23)
        bench.read(3, 1)
        bench.handle(.request(.write(WriteRequest(handle: 4, value: long)), Bearer.Ticket(2)))
        bench.read(5, 3)
        #expect(bench.receive("0b") == [.read(1, ""), .failed(2, tooLong), .transmit("0a 05 00")])
        let command = ClientPDU.writeCommand(WriteCommand(handle: 4, value: long))
        #expect(bench.handle(.command(command)) == [.noted(.notSent(.writeCommand, tooLong))])
    }

    @Test func onlyRequestsWaitAndOnlyCommandsPass() {
        var bench = BearerBench()
        let confirmation = ClientPDU.confirmation(HandleValueConfirmation())
        #expect(
            bench.handle(.request(confirmation, Bearer.Ticket(1)))
                == [.failed(1, .notARequest(.handleValueConfirmation))])
        let read = ClientPDU.read(ReadRequest(handle: 3))
        #expect(
            bench.handle(.command(read)) == [.noted(.notSent(.readRequest, .notACommand(.readRequest)))])
    }

    // MARK: MTU

    @Test(arguments: [(517, 247, 247), (247, 517, 247), (517, 23, 23), (517, 10, 23), (10, 517, 23), (517, 0, 23)])
    func theMTUIsTheLesserButNeverBelow23(own: Int, peer: Int, agreed: Int) {
        var bench = BearerBench()
        let request = ClientPDU.exchangeMTU(ExchangeMTURequest(clientRxMTU: UInt16(own)))
        bench.handle(.request(request, Bearer.Ticket(1)))
        let response = ServerPDU.exchangeMTU(ExchangeMTUResponse(serverRxMTU: UInt16(peer)))
        let completed = Bearer.Effect.completed(Bearer.Ticket(1), .success(response))
        let effects = bench.handle(.received(response.encoded))
        #expect(effects == (agreed == 23 ? [completed] : [.mtuChanged(agreed), completed]))
        #expect(bench.bearer.mtu == agreed)
    }

    /// The peer's own exchange, in the midst of a request of ours (a peer's 02 taken for our response shifts all that
    /// follow).
    @Test func thePeersExchangeCountsToo() {
        var bench = BearerBench()
        bench.read(3, 1)
        #expect(bench.receive("02 f7 00") == [.serve(octets("02 f7 00"))])
        #expect(bench.bearer.mtu == 23)
        #expect(
            bench.handle(.serverSends(octets("03 05 02"))) == [.transmit("03 05 02"), .mtuChanged(247)])
        #expect(bench.bearer.mtu == 247)
        #expect(bench.receive("0b 01") == [.read(1, "01")])
        // An answer without a request changes nothing.
        #expect(bench.handle(.serverSends(octets("03 40 00"))) == [.transmit("03 40 00")])
        #expect(bench.bearer.mtu == 247)
    }

    @Test func theServersOtherPDUsLeaveTheMTUAlone() {
        var bench = BearerBench()
        #expect(bench.handle(.serverSends(octets("03 05 02"))) == [.transmit("03 05 02")])
        #expect(bench.bearer.mtu == 23)
        bench.receive("02 f7 00")
        #expect(bench.handle(.serverSends(octets("1b 03 00 01"))) == [.transmit("1b 03 00 01")])
        #expect(bench.bearer.mtu == 23)
    }

    @Test func pdusLongerThanTheMTUAreReadAndNoted() {
        var bench = BearerBench()
        let value = [UInt8](repeating: 0x55, count: 40)
        #expect(
            bench.handle(.received([0x1B, 0x03, 0x00] + value)) == [
                .noted(.longerThanMTU(.handleValueNotification, octets: 43, mtu: 23)), .notification(3, value),
            ])
    }

    @Test func anEmptyPDUIsNoted() {
        var bench = BearerBench()
        bench.read(3, 1)
        #expect(bench.receive("") == [.noted(.emptyPDU)])
        #expect(bench.receive("0b 01") == [.read(1, "01")])
    }

    // MARK: The peer as a client

    @Test(arguments: ["08 01 00 ff ff 00 2a", "12 03 00 01", "52 03 00 01", "d2 03 00 01", "1e", "18 01", "0a"])
    func theServerGetsWhatAClientSends(hex: String) {
        var bench = BearerBench()
        #expect(bench.receive(hex) == [.serve(octets(hex))])
    }

    @Test func unknownRequestsAreRefusedAndUnknownCommandsIgnored() {
        for raw in UInt8.min...UInt8.max where Opcode(raw).name == nil {
            var bench = BearerBench()
            let effects = bench.handle(.received([raw, 0x01, 0x02]))
            let isCommand = raw & 0x40 != 0
            let noted = Bearer.Effect.noted(.unknown(Opcode(raw)))
            #expect(effects == (isCommand ? [noted] : [noted, .transmit([0x01, raw, 0x00, 0x00, 0x06])]))
        }
    }
}
