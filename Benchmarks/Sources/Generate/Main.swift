// Writes a btsnoop capture to standard output, the same for the same arguments:
//   Generate scanning|ride|heart-rates (--records N | --octets N) [--seed N]
//   Generate --repeat CAPTURE (--records N | --octets N)       a capture again and again, its times going on

import Foundation

@main
enum Main {
    static func main() throws {
        guard let plan = Plan(CommandLine.arguments.dropFirst()) else {
            let usage =
                "Usage: Generate scanning|ride|heart-rates|--repeat CAPTURE (--records N | --octets N) [--seed N]\n"
            FileHandle.standardError.write(Data(usage.utf8))
            exit(64)
        }
        var tape = Tape(limit: plan.limit)
        switch plan.kind {
        case .scanning:
            var phone = ScanningPhone(seed: plan.seed)
            while !tape.isFull { phone.record(on: &tape) }
        case .ride, .heartRates:
            var phone = HeartRatePhone(seed: plan.seed, isRide: plan.kind == .ride)
            while !tape.isFull { phone.record(on: &tape) }
        case .capture(let path):
            let recording = try Recording(path: path)
            while !tape.isFull { recording.record(on: &tape) }
        }
        tape.flush()
    }
}

/// What is asked for.
struct Plan {
    enum Kind: Equatable {
        /// Commands and events alone: advertisements for the most part, and what becomes of connections.
        case scanning
        /// Straps that are connected, looked through and listened to, among what else a ride brings.
        case ride
        /// The same without anything else: nearly every record is a heart rate.
        case heartRates
        /// What was recorded elsewhere.
        case capture(String)
    }

    enum Limit {
        case records(Int)
        case octets(Int)
    }

    let kind: Kind
    let limit: Limit
    var seed: UInt64 = 1

    init?(_ arguments: ArraySlice<String>) {
        var arguments = arguments
        switch arguments.popFirst() {
        case "scanning": kind = .scanning
        case "ride": kind = .ride
        case "heart-rates": kind = .heartRates
        case "--repeat":
            guard let path = arguments.popFirst() else { return nil }
            kind = .capture(path)
        default: return nil
        }
        var limit: Limit?
        while let option = arguments.popFirst(), let value = arguments.popFirst().flatMap({ Int($0) }), value >= 0 {
            switch option {
            case "--records": limit = .records(value)
            case "--octets": limit = .octets(value)
            case "--seed": seed = UInt64(value)
            default: return nil
            }
        }
        guard let limit, arguments.isEmpty else { return nil }
        self.limit = limit
    }
}
