public import HCI
public import Wire

/// How long this device waits after failed pairings before the next with the same peer, so that nobody can try out many passkeys
/// (Core Vol 3, Part H, 2.3.6): 1 s after the first, twice as long after each further, 64 s at most.
///
/// For each two minutes without a failure one is forgotten; all are after a success. Whoever is not remembered has failed less lately than
/// `capacity` others.
public struct PairingAttempts: Hashable, Sendable {
    /// How many peers are remembered.
    public static let capacity = 64

    private var failures: [DeviceAddress: FailureCount] = [:]

    public init() {}

    /// Before this no attempt may begin; `nil` where there was no failure.
    public func notBefore(_ peer: DeviceAddress) -> Moment? { failures[peer]?.notBefore }

    /// An attempt has failed. What says nothing of the peer does not count.
    public mutating func failed(with peer: DeviceAddress, _ failure: SecurityFailure, at now: Moment) {
        guard failure.countsAsAttempt else { return }
        if failures[peer] == nil, failures.count >= Self.capacity {
            let oldest = failures.min { $0.value.last < $1.value.last }
            if let oldest { failures[oldest.key] = nil }
        }
        failures[peer, default: FailureCount()].add(at: now)
    }

    /// A pairing has succeeded.
    public mutating func succeeded(with peer: DeviceAddress) { failures[peer] = nil }
}

/// Failures with one peer.
struct FailureCount: Hashable {
    private var count = 0
    private(set) var last = Moment.zero

    /// How long it takes to forget one.
    private static let quiet = Duration.seconds(120)
    /// From here on the wait does not grow.
    private static let most = 7

    /// Before this no attempt may begin.
    var notBefore: Moment? { count == 0 ? nil : last + .seconds(1 << (count - 1)) }

    mutating func add(at now: Moment) {
        let forgotten = Int((now - last).wholeNanoseconds / Self.quiet.wholeNanoseconds)
        count = min(Self.most, max(0, count - max(0, forgotten)) + 1)
        last = now
    }
}

extension SecurityFailure {
    /// Whether a guess may have been behind it. What this side did not want, or could not do, is none.
    var countsAsAttempt: Bool {
        switch self {
        case .peerRefused(let reason): reason != .pairingNotSupported
        case .refused, .timedOut, .encryptionFailed: true
        case .notSupported, .keyMissing, .keyUnusable, .levelOutOfReach, .nobodyToAsk, .tooSoon, .toolbox, .cancelled:
            false
        }
    }
}
