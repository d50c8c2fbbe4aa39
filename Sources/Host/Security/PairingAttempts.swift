import HCI
import SMP
import Wire

struct PairingAttempts: Hashable, Sendable {
    func notBefore(_ peer: DeviceAddress) -> Moment? { nil }
    mutating func failed(with peer: DeviceAddress, _ failure: SecurityFailure, at now: Moment) {}
    mutating func succeeded(with peer: DeviceAddress) {}
}
