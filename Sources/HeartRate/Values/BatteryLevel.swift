public import Wire

/// The charge of a battery: Battery Level, 2A19 (Battery Service 1.0, 3.1).
public struct BatteryLevel: Hashable, Sendable {
    /// 0 to 100.
    public let percent: UInt8

    /// `nil` above 100.
    public init?(percent: UInt8) {
        guard percent <= 100 else { return nil }
        self.percent = percent
    }

    /// Reads the characteristic's value: one octet. Octets behind it mean nothing yet and are left alone.
    ///
    /// Throws `WireError.invalid` for a number above 100, which no battery has.
    public init(decoding octets: Span<UInt8>) throws(WireError) {
        var reader = ByteReader(octets)
        let percent = try reader.uint8("Battery Level")
        guard let level = BatteryLevel(percent: percent) else {
            throw .invalid(field: "Battery Level", at: 0, reason: "\(percent) is more than 100 percent")
        }
        self = level
    }

    /// The value as on the wire.
    public var encoded: [UInt8] { [percent] }
}
