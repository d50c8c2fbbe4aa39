/// Which faults happen, how often, and until when.
public struct FaultPlan: Hashable, Sendable {
    /// Decides at which of its occasions a fault happens. The same plan in the same world plays the same.
    public var seed: UInt64
    /// At how many of a million occasions each fault happens.
    public var chances: [Fault: UInt32]
    /// How long after its start the controller works as it should.
    public var begins: Duration
    /// How long after its start all is well again; `nil` for never.
    public var ends: Duration?

    public init(seed: UInt64 = 1, chances: [Fault: UInt32] = [:], begins: Duration = .zero, ends: Duration? = nil) {
        self.seed = seed
        self.chances = chances
        self.begins = begins
        self.ends = ends
    }

    /// Whether one of these faults can happen.
    public func holds(_ faults: Set<Fault>) -> Bool { faults.contains { chances[$0, default: 0] > 0 } }
}

extension FaultPlan: CustomStringConvertible {
    public var description: String {
        let faults = Fault.allCases.compactMap { fault in chances[fault].map { "\(fault) \($0) ppm" } }
        let times = ends.map { "from \(begins) to \($0)" } ?? "from \(begins) on"
        return faults.isEmpty ? "no faults" : "\(times): \(faults.joined(separator: ", "))"
    }
}

extension FaultPlan {
    /// Draws a plan: none to six faults, rare to frequent.
    public static func random(using generator: inout some RandomNumberGenerator, ends: Duration) -> FaultPlan {
        var plan = FaultPlan(seed: generator.next(), ends: ends)
        plan.begins =
            Bool.random(using: &generator) ? .zero : .milliseconds(Int.random(in: 0...10_000, using: &generator))
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            guard let fault = Fault.allCases.randomElement(using: &generator) else { continue }
            plan.chances[fault] = fault.usualChance << UInt32.random(in: 0...4, using: &generator)
        }
        return plan
    }
}

extension Fault {
    /// In a million: so that a minute of heartbeats sees some of it, and gets somewhere nevertheless.
    fileprivate var usualChance: UInt32 {
        switch self {
        case .hardwareError, .restart: 800
        case .brokenLink: 3_000
        case .lostCommand, .lostAnswer, .misnamedAnswer: 10_000
        case .lostData, .lostDataToPeer, .lostCompletion: 10_000
        default: 50_000
        }
    }
}
