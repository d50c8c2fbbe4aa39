import Cryptography
import Simulator

extension SimulatedWorld {
    /// A world whose straps pair, and that plays the same again with the same seed.
    static func withCryptography(_ scenario: Scenario, seed: UInt64, screen: HostScreen? = nil) -> SimulatedWorld {
        SimulatedWorld(scenario, seed: seed, toolbox: SeededToolbox(seed: seed), screen: screen)
    }
}
