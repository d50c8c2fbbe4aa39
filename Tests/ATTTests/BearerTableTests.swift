import ATT
import TestSupport
import Testing
import Wire

/// Each state of the bearer meets each input.
@Suite struct BearerTableTests {
    enum State: CaseIterable {
        case idle, awaiting, queued, cancelled, failed, closed

        /// A bearer in that state. Ticket 1 is outstanding, ticket 2 waits.
        var bench: BearerBench {
            var bench = BearerBench()
            switch self {
            case .idle: break
            case .awaiting: bench.read(3, 1)
            case .queued:
                bench.read(3, 1)
                bench.read(4, 2)
            case .cancelled:
                bench.read(3, 1)
                bench.handle(.cancel(Bearer.Ticket(1)))
            case .failed:
                bench.read(3, 1)
                bench.handle(.wake, after: .seconds(30))
            case .closed: bench.handle(.disconnected)
            }
            return bench
        }
    }

    private static let request = Bearer.Input.request(.read(ReadRequest(handle: 9)), Bearer.Ticket(9))
    private static let command = Bearer.Input.command(.writeCommand(WriteCommand(handle: 7, value: [1])))
    private static let refusal = BearerError.refused(request: .readRequest, handle: 3, code: .readNotPermitted)

    private func check(_ input: Bearer.Input, after delay: Duration = .zero, _ expected: [State: [Bearer.Effect]]) {
        for state in State.allCases {
            var bench = state.bench
            #expect(bench.handle(input, after: delay) == expected[state], "\(state)")
        }
    }

    @Test func request() {
        check(
            Self.request,
            [
                .idle: [.transmit("0a 09 00")], .awaiting: [], .queued: [], .cancelled: [],
                .failed: [.failed(9, .bearerFailed)], .closed: [.failed(9, .disconnected)],
            ])
    }

    @Test func command() {
        let sent = [Bearer.Effect.transmit("52 07 00 01")]
        check(
            Self.command,
            [
                .idle: sent, .awaiting: sent, .queued: sent, .cancelled: sent,
                .failed: [.noted(.notSent(.writeCommand, .bearerFailed))],
                .closed: [.noted(.notSent(.writeCommand, .disconnected))],
            ])
    }

    @Test func cancel() {
        let cancelled = [Bearer.Effect.failed(1, .cancelled)]
        check(
            .cancel(Bearer.Ticket(1)),
            [.idle: [], .awaiting: cancelled, .queued: cancelled, .cancelled: [], .failed: [], .closed: []])
    }

    @Test func serverSends() {
        let sent = [Bearer.Effect.transmit("0b 01")]
        check(
            .serverSends(octets("0b 01")),
            [
                .idle: sent, .awaiting: sent, .queued: sent, .cancelled: sent,
                .failed: [.noted(.notSent(.readResponse, .bearerFailed))],
                .closed: [.noted(.notSent(.readResponse, .disconnected))],
            ])
    }

    @Test func response() {
        let ignored = [Bearer.Effect.noted(.ignoredAfterEnd(.readResponse))]
        check(
            .received(octets("0b 01")),
            [
                .idle: [.noted(.unexpectedResponse(.readResponse, awaiting: nil))], .awaiting: [.read(1, "01")],
                .queued: [.read(1, "01"), .transmit("0a 04 00")], .cancelled: [], .failed: ignored, .closed: ignored,
            ])
    }

    @Test func errorResponse() {
        let ignored = [Bearer.Effect.noted(.ignoredAfterEnd(.errorResponse))]
        check(
            .received(octets("01 0a 03 00 02")),
            [
                .idle: [.noted(.unexpectedResponse(.errorResponse, awaiting: nil))],
                .awaiting: [.failed(1, Self.refusal)],
                .queued: [.failed(1, Self.refusal), .transmit("0a 04 00")], .cancelled: [], .failed: ignored,
                .closed: ignored,
            ])
    }

    @Test func responseOfAnotherType() {
        let passed = [Bearer.Effect.noted(.unexpectedResponse(.writeResponse, awaiting: .readRequest))]
        let ignored = [Bearer.Effect.noted(.ignoredAfterEnd(.writeResponse))]
        check(
            .received(octets("13")),
            [
                .idle: [.noted(.unexpectedResponse(.writeResponse, awaiting: nil))], .awaiting: passed, .queued: passed,
                .cancelled: passed, .failed: ignored, .closed: ignored,
            ])
    }

    @Test func notification() {
        let published = [Bearer.Effect.notification(3, [1])]
        let ignored = [Bearer.Effect.noted(.ignoredAfterEnd(.handleValueNotification))]
        check(
            .received(octets("1b 03 00 01")),
            [
                .idle: published, .awaiting: published, .queued: published, .cancelled: published, .failed: ignored,
                .closed: ignored,
            ])
    }

    @Test func indication() {
        let published = [Bearer.Effect.transmit("1e"), .indication(3, [1])]
        let ignored = [Bearer.Effect.noted(.ignoredAfterEnd(.handleValueIndication))]
        check(
            .received(octets("1d 03 00 01")),
            [
                .idle: published, .awaiting: published, .queued: published, .cancelled: published, .failed: ignored,
                .closed: ignored,
            ])
    }

    @Test func peersRequest() {
        let served = [Bearer.Effect.serve(octets("0a 01 00"))]
        let ignored = [Bearer.Effect.noted(.ignoredAfterEnd(.readRequest))]
        check(
            .received(octets("0a 01 00")),
            [
                .idle: served, .awaiting: served, .queued: served, .cancelled: served, .failed: ignored,
                .closed: ignored,
            ])
    }

    @Test func emptyPDU() {
        let noted = [Bearer.Effect.noted(.emptyPDU)]
        check(.received([]), Dictionary(uniqueKeysWithValues: State.allCases.map { ($0, noted) }))
    }

    @Test func wakeBeforeTheDeadline() {
        check(.wake, after: .seconds(29), Dictionary(uniqueKeysWithValues: State.allCases.map { ($0, []) }))
    }

    @Test func wakeAtTheDeadline() {
        let end = Bearer.Effect.disconnect(.transactionTimedOut(request: .readRequest))
        let timedOut = Bearer.Effect.failed(1, .timedOut(request: .readRequest))
        check(
            .wake, after: .seconds(30),
            [
                .idle: [], .awaiting: [timedOut, end], .queued: [timedOut, .failed(2, .bearerFailed), end],
                .cancelled: [end], .failed: [], .closed: [],
            ])
    }

    @Test func disconnected() {
        check(
            .disconnected,
            [
                .idle: [], .awaiting: [.failed(1, .disconnected)],
                .queued: [.failed(1, .disconnected), .failed(2, .disconnected)], .cancelled: [], .failed: [],
                .closed: [],
            ])
    }
}
