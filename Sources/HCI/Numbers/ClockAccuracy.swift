import Wire

/// How far a sleep clock may be off (Core Vol 4, Part E, 7.7.65.1).
struct ClockAccuracy: AssignedNumber {
    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    var name: String? { Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : nil }

    private static let names = ["500 ppm", "250 ppm", "150 ppm", "100 ppm", "75 ppm", "50 ppm", "30 ppm", "20 ppm"]
}

extension FieldPass where Self: ~Copyable & ~Escapable {
    @_lifetime(self: copy self)
    mutating func clockAccuracy(_ name: StaticString, _ value: inout UInt8) throws(WireError) {
        var accuracy = ClockAccuracy(rawValue: value)
        try number(name, &accuracy)
        value = accuracy.rawValue
    }
}
