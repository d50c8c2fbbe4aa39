import ATT
import GATT
import HCI
import Host
import Testing
import Wire

@testable import HeartRate

/// When a strap that worked before is given up.
@Suite struct RefusalsTests {
    private let refusal = HostError.peer(
        .refused(request: .writeRequest, handle: 0x0012, code: .insufficientAuthentication))

    /// Whether each of these in turn is worth another try.
    private func tries(_ errors: [HostError]) -> [Bool] {
        var refusals = Refusals()
        return errors.map { refusals.allowAnother(after: $0) }
    }

    @Test func fiveInARowAreEnough() {
        #expect(tries(Array(repeating: refusal, count: 5)) == [true, true, true, true, false])
    }

    /// What came between shows that it was not refusal alone.
    @Test(arguments: [
        HostError.disconnected(.connectionTimeout), .connectionFailed(.failedToBeEstablished, attempts: 3),
        .timedOut(.connecting), .connectionLimit(held: 4),
    ])
    func anotherFailureBreaksTheRow(_ other: HostError) {
        let four = Array(repeating: refusal, count: 4)
        #expect(!tries(four + [other] + four).contains(false))
    }

    /// An adapter that holds no more connections, or does not do what it is told, says nothing of the strap.
    @Test(arguments: [
        HostError.connectionLimit(held: 4),
        .command(.refused(HCI.Opcode(rawValue: 0x200D), Status(rawValue: 0x0C))),
        .command(.malformed(HCI.Opcode(rawValue: 0x200D), .truncated(field: "Status", at: 0, needed: 1, remaining: 0))),
    ])
    func theAdaptersRefusalsAreNotTheStraps(_ error: HostError) {
        #expect(!tries(Array(repeating: error, count: 20)).contains(false))
    }

    @Test func whoGaveUpDoesNotTryAgain() {
        #expect(tries([.cancelled]) == [false])
    }
}
