public import Wire

/// A level in dBm, one signed octet, where 127 says "not available": an RSSI or a transmit power.
public struct SignalLevel: AssignedNumber {
    /// The octet on the wire, two's complement.
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A known level in dBm; 127 cannot be told from "not available".
    public init(dBm: Int8) { rawValue = UInt8(bitPattern: dBm) }

    public static let notAvailable = SignalLevel(rawValue: 0x7F)

    /// The level in dBm; `nil` where the controller does not know it.
    public var dBm: Int8? { self == .notAvailable ? nil : Int8(bitPattern: rawValue) }

    public func describe(_ field: StaticString, to writer: inout FieldWriter) {
        guard let dBm else { return writer.field(field) { $0.octets.append("not available (0x7F)" as StaticString) } }
        writer.field(field) { writer in
            writer.octets.append(decimal: dBm)
            writer.octets.append(" dBm (" as StaticString)
            appendHexadecimal(to: &writer.octets)
            writer.octets.append(UInt8(ascii: ")"))
        }
    }

    public var name: String? { dBm.map { "\($0) dBm" } ?? "not available" }
}
