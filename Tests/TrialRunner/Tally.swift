import Simulator
import Trials

/// What many trials came to, as numbers that add up.
struct Tally {
    private(set) var packets = 0
    private(set) var calls = 0
    private(set) var seconds = 0
    private(set) var endings = 0
    private(set) var faults = [Int](repeating: 0, count: Fault.allCases.count)
    private(set) var mostEntries = 0

    mutating func add(_ outcome: Trial.Outcome) {
        packets += outcome.packets
        calls += outcome.calls
        seconds += Int(outcome.length.components.seconds)
        endings += outcome.ending == nil ? 0 : 1
        mostEntries = max(mostEntries, outcome.mostEntries)
        for (fault, count) in outcome.faults { faults[fault.rawValue] += count }
    }

    /// As numbers in a line of text.
    var line: String {
        ([packets, calls, seconds, endings, mostEntries] + faults).map(String.init).joined(separator: " ")
    }

    /// Adds what a worker's line tells.
    mutating func add(line: some StringProtocol) {
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 5 + faults.count else { return }
        packets += numbers[0]
        calls += numbers[1]
        seconds += numbers[2]
        endings += numbers[3]
        mostEntries = max(mostEntries, numbers[4])
        for index in faults.indices { faults[index] += numbers[5 + index] }
    }
}

extension Tally: CustomStringConvertible {
    var description: String {
        let faults = Fault.allCases.map { "\($0) \(self.faults[$0.rawValue])" }.joined(separator: ", ")
        return """
            \(seconds / 3600) hours of virtual time, \(packets) packets, \(calls) calls, \(endings) controllers given up, \
            \(mostEntries) entries at most
            \(faults)
            """
    }
}
