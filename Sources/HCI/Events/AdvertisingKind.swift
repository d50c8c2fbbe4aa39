public import Wire

/// What a legacy advertising PDU was (Core Vol 4, Part E, 7.7.65.2).
public struct AdvertisingKind: AssignedNumber {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// ADV_IND.
    public static let connectable = AdvertisingKind(rawValue: 0)
    /// ADV_DIRECT_IND.
    public static let directed = AdvertisingKind(rawValue: 1)
    /// ADV_SCAN_IND.
    public static let scannable = AdvertisingKind(rawValue: 2)
    /// ADV_NONCONN_IND.
    public static let nonConnectable = AdvertisingKind(rawValue: 3)
    /// SCAN_RSP.
    public static let scanResponse = AdvertisingKind(rawValue: 4)

    public var name: String? {
        switch self {
        case .connectable: "ADV_IND"
        case .directed: "ADV_DIRECT_IND"
        case .scannable: "ADV_SCAN_IND"
        case .nonConnectable: "ADV_NONCONN_IND"
        case .scanResponse: "SCAN_RSP"
        default: nil
        }
    }
}

/// What an advertising PDU in an extended report was (Core Vol 4, Part E, 7.7.65.13).
public struct ExtendedAdvertisingKind: AssignedNumber, OptionSet {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let connectable = ExtendedAdvertisingKind(rawValue: 1 << 0)
    public static let scannable = ExtendedAdvertisingKind(rawValue: 1 << 1)
    public static let directed = ExtendedAdvertisingKind(rawValue: 1 << 2)
    public static let scanResponse = ExtendedAdvertisingKind(rawValue: 1 << 3)
    /// The PDU was a legacy one.
    public static let legacy = ExtendedAdvertisingKind(rawValue: 1 << 4)

    /// Whether the data is all there: bits 5 and 6.
    public var dataStatus: DataStatus {
        switch rawValue >> 5 & 0b11 {
        case 0b00: .complete
        case 0b01: .moreToCome
        case 0b10: .truncated
        default: .reserved
        }
    }

    /// Whether a report's data is all there.
    public enum DataStatus: Hashable, Sendable {
        case complete
        /// The next report of the same advertiser goes on.
        case moreToCome
        /// The rest was lost.
        case truncated
        case reserved
    }

    /// The kind that a legacy report would give; `nil` for a PDU that is not legacy, or a combination without a meaning.
    public var legacyKind: AdvertisingKind? {
        switch rawValue & 0b1_1111 {
        case 0b1_0011: .connectable
        case 0b1_0101: .directed
        case 0b1_0010: .scannable
        case 0b1_0000: .nonConnectable
        case 0b1_1011, 0b1_1010: .scanResponse
        default: nil
        }
    }

    public var name: String? {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    public func describe(_ field: StaticString, to writer: inout FieldWriter) {
        writer.field(field) { writer in
            append(to: &writer.octets)
            writer.octets.append(" (" as StaticString)
            appendHexadecimal(to: &writer.octets)
            writer.octets.append(UInt8(ascii: ")"))
        }
    }

    /// Appends the PDU's name, where it is a legacy one, its properties and the state of its data.
    private func append(to text: inout [UInt8]) {
        if let name = legacyKind?.name {
            text.append(name)
            text.append(", " as StaticString)
        }
        for bit in 0..<Self.properties.count where rawValue >> bit & 1 == 1 {
            text.append(Self.properties[bit])
            text.append(", " as StaticString)
        }
        for bit in 7..<16 where rawValue >> bit & 1 == 1 {
            text.append("bit " as StaticString)
            text.append(decimal: bit)
            text.append(", " as StaticString)
        }
        switch dataStatus {
        case .complete: text.append("data complete" as StaticString)
        case .moreToCome: text.append("more data to come" as StaticString)
        case .truncated: text.append("data truncated" as StaticString)
        case .reserved: text.append("data status reserved" as StaticString)
        }
    }

    /// By bit.
    private static let properties = ["connectable", "scannable", "directed", "scan response", "legacy"]
}
