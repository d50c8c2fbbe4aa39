import Simulator
import Trials

/// Runs one trial and prints what passes in it.
func show(_ seed: UInt64, isQuiet: Bool) -> Bool {
    let trial = Trial(seed: seed)
    print(trial.plan)
    let outcome = isQuiet ? trial.run() : trial.run { print($0) }
    let faults = outcome.faults.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }
    print("faults that happened: \(faults.isEmpty ? "none" : faults.joined(separator: ", "))")
    if let ending = outcome.ending { print("the host gave the controller up: \(ending)") }
    print(
        "\(outcome.packets) packets, \(outcome.calls) calls, \(outcome.mostEntries) entries at most, \(outcome.length)")
    print("digest \(outcome.digest)")
    for objection in outcome.objections { print("FAILED: \(objection)") }
    return outcome.objections.isEmpty
}

/// Runs a worker's share of the trials and tells its crew, one line each: `begin SEED`, then `end SEED`, `object SEED TEXT` before it.
func work(_ order: Order, _ worker: UInt64) {
    var tally = Tally()
    for seed in stride(from: order.first + worker, to: order.first + order.count, by: Int(order.workers)) {
        tell("begin \(seed)")
        let outcome = Trial(seed: seed).run()
        for objection in outcome.objections { tell("object \(seed) \(objection)") }
        tally.add(outcome)
        tell("end \(seed)")
    }
    tell("tally \(tally.line)")
}
