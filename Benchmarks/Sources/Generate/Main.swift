// Writes a btsnoop capture to standard output, the same for the same arguments:
//   Generate scanning|heart-rates (--records N | --octets N) [--seed N]

import Foundation

@main
enum Main {
    static func main() {
        guard let plan = Plan(CommandLine.arguments.dropFirst()) else {
            FileHandle.standardError.write(
                Data("Usage: Generate scanning|heart-rates (--records N | --octets N) [--seed N]\n".utf8))
            exit(64)
        }
        var tape = Tape(limit: plan.limit)
        switch plan.kind {
        case .scanning:
            var phone = ScanningPhone(seed: plan.seed)
            while !tape.isFull { phone.record(on: &tape) }
        case .heartRates:
            var phone = HeartRatePhone(seed: plan.seed)
            while !tape.isFull { phone.record(on: &tape) }
        }
        tape.flush()
    }
}

/// What is asked for.
struct Plan {
    enum Kind: String {
        /// Commands and events alone: advertisements for the most part, and what becomes of connections.
        case scanning
        /// Straps that are connected, looked through and listened to.
        case heartRates = "heart-rates"
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
        guard let kind = arguments.popFirst().flatMap(Kind.init) else { return nil }
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
        (self.kind, self.limit) = (kind, limit)
    }
}
