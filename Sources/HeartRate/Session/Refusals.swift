import HCI
import Host
import SMP

/// Counts how often in a row a strap that worked before has refused, or broken the protocol: too often, and it is given up.
struct Refusals: Hashable, Sendable {
    static let most = 5

    private var inARow = 0

    /// Takes a failure in.
    ///
    /// - Returns: whether it is worth another try
    mutating func allowAnother(after error: HostError) -> Bool {
        guard !error.mayPass, !error.isOfController else {
            inARow = 0
            return true
        }
        inARow += 1
        return error != .cancelled && inARow < Self.most
    }
}

extension HostError {
    /// Whether trying again may help: the strap was out of reach for a moment, and nothing was refused.
    var mayPass: Bool {
        switch self {
        case .connectionFailed, .disconnected, .timedOut(.connecting): true
        // A link of which the controller never told: the strap ends it when nobody talks on it.
        case .command(.refused(_, .connectionAlreadyExists)): true
        // A pairing that was cut off has to wait before it is tried again.
        case .security(.tooSoon): true
        default: false
        }
    }

    /// Whether the controller did not do what it was asked to, which is no fault of the strap.
    fileprivate var isOfController: Bool {
        switch self {
        case .connectionLimit, .command: true
        default: false
        }
    }
}
