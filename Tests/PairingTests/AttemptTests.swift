import HCI
import Testing
import Wire

@testable import SMP

/// The wait after failed attempts, from connection to connection.
@Suite struct AttemptTests {
    private let peer = DeviceAddress(.random, Address(rawValue: 0xC000_0000_0001))
    private let wrong = SecurityFailure.refused(.confirmValueFailed, .confirmMismatch)

    private func second(_ seconds: Int) -> Moment { Moment.zero + .seconds(seconds) }

    @Test func itGrowsAndEnds() {
        var attempts = PairingAttempts()
        #expect(attempts.notBefore(peer) == nil)
        for (number, wait) in [1, 2, 4, 8, 16, 32, 64, 64, 64].enumerated() {
            attempts.failed(with: peer, wrong, at: second(number))
            #expect(attempts.notBefore(peer) == second(number + wait))
        }
        attempts.succeeded(with: peer)
        #expect(attempts.notBefore(peer) == nil)
    }

    /// For each two minutes without a failure one is forgotten.
    @Test(arguments: [(119, 8), (120, 4), (240, 2), (360, 1), (100_000, 1)]) func itIsForgotten(
        _ quiet: Int, _ wait: Int
    ) {
        var attempts = PairingAttempts()
        for _ in 0..<3 { attempts.failed(with: peer, wrong, at: second(10)) }
        attempts.failed(with: peer, wrong, at: second(10 + quiet))
        #expect(attempts.notBefore(peer) == second(10 + quiet + wait))
    }

    /// A clock that stands still, or is at its ends, is no harm.
    @Test func oddTimes() {
        var attempts = PairingAttempts()
        for moment in [Moment(nanoseconds: .max), .zero, Moment(nanoseconds: .min), Moment(nanoseconds: .max)] {
            attempts.failed(with: peer, wrong, at: moment)
            #expect(attempts.notBefore(peer) != nil)
        }
    }

    @Test func peersAreApart() {
        var attempts = PairingAttempts()
        attempts.failed(with: peer, wrong, at: second(1))
        #expect(attempts.notBefore(DeviceAddress(.public, peer.address)) == nil)
    }

    /// However many there are, few are remembered: those that failed last.
    @Test func itIsBounded() {
        var attempts = PairingAttempts()
        let peers = (0..<500).map { DeviceAddress(.random, Address(rawValue: 0xC000_0000_0000 + UInt64($0))) }
        for (number, peer) in peers.enumerated() { attempts.failed(with: peer, wrong, at: second(number)) }
        let remembered = peers.filter { attempts.notBefore($0) != nil }
        #expect(remembered == Array(peers.suffix(PairingAttempts.capacity)))
        // One more failure of a known peer drives nobody out.
        attempts.failed(with: peers[499], wrong, at: second(600))
        #expect(peers.count { attempts.notBefore($0) != nil } == PairingAttempts.capacity)
    }

    @Test func whatCounts() {
        let counted: [SecurityFailure] = [
            wrong, .refused(.numericComparisonFailed, nil), .peerRefused(.passkeyEntryFailed),
            .peerRefused(.repeatedAttempts), .timedOut, .encryptionFailed(.micFailure),
        ]
        let others: [SecurityFailure] = [
            .notSupported, .peerRefused(.pairingNotSupported), .keyMissing, .levelOutOfReach(.authenticated),
            .nobodyToAsk(.passkeyEntered), .tooSoon(until: .zero), .toolbox(.failed("")), .cancelled,
        ]
        for (failures, isCounted) in [(counted, true), (others, false)] {
            for failure in failures {
                var attempts = PairingAttempts()
                attempts.failed(with: peer, failure, at: .zero)
                #expect((attempts.notBefore(peer) != nil) == isCounted, "\(failure)")
            }
        }
    }
}
