import Glibc
import Trials

// Runs trials:  TrialRunner [--seeds N] [--from SEED] [--workers N]      N seeds, from SEED on, in so many processes
//               TrialRunner --seed SEED [--quiet]                        one, with everything that passes in it
// Ends with 1 where a trial failed, and prints how to see it again.

/// What the arguments ask for.
struct Order {
    var first: UInt64 = 1
    var count: UInt64 = 500
    var workers: UInt64 = 2
    var seed: UInt64?
    var isQuiet = false
    /// Which of the workers this process is.
    var worker: UInt64?

    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if name == "--quiet" {
                isQuiet = true
                continue
            }
            guard let text = rest.popFirst(), let number = UInt64(text) else { return nil }
            switch name {
            case "--seeds": count = number
            case "--from": first = number
            case "--workers": workers = max(1, min(number, 64))
            case "--seed": seed = number
            case "--worker": worker = number
            default: return nil
            }
        }
    }
}

guard let order = Order(Array(CommandLine.arguments.dropFirst())) else {
    print("usage: TrialRunner [--seeds N] [--from SEED] [--workers N] | --seed SEED [--quiet]")
    exit(64)
}
if let seed = order.seed {
    exit(show(seed, isQuiet: order.isQuiet) ? 0 : 1)
} else if let worker = order.worker {
    work(order, worker)
} else {
    exit(Crew(order).run() ? 0 : 1)
}
