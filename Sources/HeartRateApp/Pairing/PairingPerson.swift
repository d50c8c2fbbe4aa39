import HCI
import Host
import SMP
import Simulator

/// The person at the terminal, and what the command line has said beforehand.
struct PairingPerson: PairingUser {
    let terminal: Terminal?
    /// Entered wherever a passkey is asked for.
    let passkey: Passkey?
    let messages: Messages
    /// Whether bonds are kept beyond the run.
    let keepsBonds: Bool
    /// Where simulated people look, too; `nil` with devices that are real.
    let screen: HostScreen?

    func answer(_ question: PairingQuestion, about peer: DeviceAddress) async -> PairingAnswer {
        switch question {
        case .passkey:
            if let passkey { return .passkey(passkey) }
            return await ask("Passkey of \(peer.address), six digits: ") { text in
                UInt32(text).flatMap { Passkey($0) }.map { .passkey($0) }
            }
        case .comparison(let number):
            screen?.passkey = number
            return await ask("Does \(peer.address) show \(number), too? [y/n] ") { text in
                switch text.lowercased() {
                case "y", "yes": .comparison(true)
                case "n", "no": .comparison(false)
                default: nil
                }
            }
        }
    }

    /// Asks until the answer means something; an empty line, or the end of input, is nobody.
    private func ask(_ question: String, _ meaning: (String) -> PairingAnswer?) async -> PairingAnswer {
        while let line = await terminal?.ask(question) {
            let text = line.filter { !$0.isWhitespace }
            if text.isEmpty { return .none }
            if let answer = meaning(text) { return answer }
        }
        return .none
    }

    func show(_ passkey: Passkey, for peer: DeviceAddress) {
        screen?.passkey = passkey
        messages.note("enter this passkey on \(peer.address): \(passkey)")
    }

    func withdraw(for peer: DeviceAddress) { screen?.passkey = nil }

    func kept(_ bond: Bond, _ outcome: Result<Void, BondStoreError>) async {
        switch outcome {
        case .success where keepsBonds: messages.note("bonded with \(bond.identity.address): it is known from now on")
        case .success: messages.note("bonded with \(bond.identity.address), for this run")
        case .failure(let error):
            messages.warning("the bond with \(bond.identity.address) is not kept: \(error.reason)")
        }
    }

    func notBonded(with peer: DeviceAddress, _ obstacle: HostEngine.BondObstacle) async {
        switch obstacle {
        case .claimsIdentity(let identity):
            messages.warning(
                "the keys are not kept: \(peer.address) says that it is \(identity.address), which is bonded already")
            messages.note("  If it is: hr-raw unpair \(identity.address), then hr-raw pair \(peer.address).")
        case .addressChanges:
            messages.warning(
                "the keys are not kept: \(peer.address) changes its address and tells nothing to know it by")
        case .knowsPrivateAddress:
            messages.warning("the keys are not kept: \(peer.address) knows hr-raw by an address that changes")
            messages.note("  hr-raw pair \(peer.address) shows it the one that stays.")
        }
    }
}
