import HeartRate
import Simulator

/// The numbers that a strap's measurements carry, as somebody hears them: none twice, none out of turn, none left out on a connection.
struct HeardSequence {
    private var last: UInt16?
    private let mayMiss: Bool
    private let mayRepeat: Bool
    private let mayBeGarbled: Bool
    private(set) var count = 0

    init(_ plan: FaultPlan) {
        mayMiss = plan.holds(Fault.spoilingValues.union([.restart, .hardwareError]))
        mayRepeat = plan.holds([.doubledData])
        mayBeGarbled = plan.holds([.garbledData, .garbledEvent])
    }

    /// A new connection begins: what was not heard between is no fault.
    mutating func beginConnection() { last = nil }

    /// - Returns: what is wrong with it
    mutating func hear(_ measurement: HeartRateMeasurement) -> String? {
        count += 1
        if mayBeGarbled { return nil }
        if let fault = measurement.malformed { return "a malformed measurement: \(fault)" }
        guard let number = measurement.energyExpended else { return "a measurement without its number" }
        defer { last = number }
        guard let last else { return nil }
        if number == last &+ 1 { return nil }
        if number <= last { return mayRepeat ? nil : "measurement \(number) after \(last)" }
        return mayMiss ? nil : "measurement \(number) right after \(last)"
    }
}
