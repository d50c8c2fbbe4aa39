import HCI
import Host
import SMP
import Simulator

/// The user of the host in virtual time: enters what the simulator's labels say, agrees to numbers, and lets the strap's wearer see the
/// screen.
struct HostUser: PairingUser {
    let screen: HostScreen
    /// What the user enters; `nil` for one who knows none.
    var passkey = Passkey.simulated
    /// Whether the user says that the numbers are the same.
    var confirms = true

    func answer(_ question: PairingQuestion, about peer: DeviceAddress) async -> PairingAnswer {
        reply(to: question)
    }

    func reply(to question: PairingQuestion) -> PairingAnswer {
        switch question {
        case .passkey:
            return passkey.map { .passkey($0) } ?? .none
        case .comparison(let number):
            screen.passkey = number
            return .comparison(confirms)
        }
    }

    func show(_ passkey: Passkey, for peer: DeviceAddress) { screen.passkey = passkey }

    func withdraw(for peer: DeviceAddress) { screen.passkey = nil }

    func kept(_ bond: Bond, _ outcome: Result<Void, BondStoreError>) async {}

    func notBonded(with peer: DeviceAddress, _ obstacle: HostEngine.BondObstacle) async {}
}
