import Glibc
import Simulator

/// Several processes that share the trials: a trap ends one of them, and names its seed.
struct Crew {
    private let order: Order

    init(_ order: Order) { self.order = order }

    /// - Returns: whether all went well
    func run() -> Bool {
        let begin = now()
        let workers = (0..<order.workers).compactMap { Worker(order, $0) }
        var failed: [UInt64: [String]] = [:]
        var tally = Tally()
        var done = 0
        // One worker's lines wait in its pipe while another's are read.
        while let ready = Worker.next(of: workers) {
            guard let line = ready.readLine() else {
                if let seed = ready.current {
                    failed[seed, default: []].append("no end of the trial was seen: \(ready.end())")
                }
                continue
            }
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count >= 2, let seed = UInt64(words[1]) else { continue }
            switch words[0] {
            case "begin": ready.current = seed
            case "object": failed[seed, default: []].append(words.count > 2 ? String(words[2]) : "")
            case "end":
                ready.current = nil
                done += 1
            case "tally": tally.add(line: line.dropFirst(6))
            default: break
            }
        }
        report(failed, tally, done: done, seconds: now() - begin)
        return failed.isEmpty && done == Int(order.count)
    }

    private func report(_ failed: [UInt64: [String]], _ tally: Tally, done: Int, seconds: Double) {
        for (seed, objections) in failed.sorted(by: { $0.key < $1.key }) {
            print("FAILED: seed \(seed); see it with  make simulate SEED=\(seed)")
            for objection in objections { print("    \(objection)") }
        }
        print(tally)
        let duration = (seconds * 10).rounded() / 10
        print("\(done) of \(order.count) seeds run from \(order.first) on in \(duration) s, \(failed.count) failed")
    }
}

func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Writes a line at once: what follows may trap.
func tell(_ line: String) {
    var octets = Array(line.utf8)
    octets.append(UInt8(ascii: "\n"))
    unsafe octets.withUnsafeBytes { octets in
        _ = unsafe write(STDOUT_FILENO, octets.baseAddress, octets.count)
    }
}
