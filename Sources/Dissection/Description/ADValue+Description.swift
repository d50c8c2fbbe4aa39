import AssignedNumbers
import GAP
import HCI
import Wire

extension Span<UInt8> {
    /// Writes the AD structures in the octets, each with what it says.
    func describeAdvertisingData(to writer: inout FieldWriter, _ names: NameMemory) {
        let data = AdvertisingData(decoding: self)
        for value in data.values { value.describe(to: &writer, names) }
        if let malformed = data.malformed { writer.field("Malformed") { $0.append(malformed) } }
    }
}

extension ADValue {
    fileprivate func describe(to writer: inout FieldWriter, _ names: NameMemory) {
        switch self {
        case .flags(let flags): flags.describe("Flags", to: &writer)
        case .classOfDevice(let value): ClassOfDevice(rawValue: value).describe("Class of Device", to: &writer)
        case .supportedFeatures(let octets) where octets.count <= 8:
            let bits = octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
            LEFeatures(rawValue: bits).describe("LE Supported Features", to: &writer)
        case .manufacturer(let content):
            writer.begin("Manufacturer Specific Data")
            writer.beginValue()
            append(to: &writer, names)
            writer.endValue()
            content.describeForm(to: &writer)
            writer.end()
        default:
            writer.field({ $0.octets.append(type.description) }, { append(to: &$0, names) })
        }
    }

    /// Appends what the structure says, as one text.
    private func append(to writer: inout FieldWriter, _ names: NameMemory) {
        switch self {
        case .services(let list): Self.append(list.uuids, to: &writer, names)
        case .solicitedServices(let uuids, _): Self.append(uuids, to: &writer, names)
        case .serviceData(let content, _):
            names.append(service: content.service, to: &writer)
            writer.octets.append(": " as StaticString)
            writer.octets.append(lowerHexadecimal: content.data)
        case .name(let text, _), .broadcastName(let text), .uri(let text): writer.append(text)
        case .txPower(let power):
            writer.octets.append(decimal: power)
            writer.octets.append(" dBm" as StaticString)
        case .appearance(let value): Self.append(value, Names.appearance(value), to: &writer)
        case .manufacturer(let content):
            Self.append(content.company, names.company(content.company), to: &writer)
            writer.octets.append(": " as StaticString)
            writer.octets.append(lowerHexadecimal: content.data)
        case .connectionIntervalRange(let range):
            Self.append(interval: range.min, to: &writer)
            writer.octets.append(" to " as StaticString)
            Self.append(interval: range.max, to: &writer)
        case .targetAddresses(let addresses, _):
            for (index, address) in addresses.enumerated() {
                if index > 0 { writer.octets.append(", " as StaticString) }
                address.append(to: &writer.octets)
            }
        case .deviceAddress(let address, let isRandom):
            address.append(to: &writer.octets)
            writer.octets.append(isRandom ? " (random)" : " (public)" as StaticString)
        case .role(let role): writer.octets.append(role.description)
        case .advertisingInterval(let interval, _):
            writer.octets.append(thousandths: Int(interval) * 625)
            writer.octets.append(" ms" as StaticString)
        case .supportedFeatures(let octets), .other(_, let octets): writer.octets.append(lowerHexadecimal: octets)
        case .flags, .classOfDevice: break
        }
    }

    private static func append(_ uuids: [BluetoothUUID], to writer: inout FieldWriter, _ names: NameMemory) {
        for (index, uuid) in uuids.enumerated() {
            if index > 0 { writer.octets.append(", " as StaticString) }
            names.append(service: uuid, to: &writer)
        }
    }

    /// `Polar Electro OY (0x006B)`, or the number alone.
    private static func append(_ number: UInt16, _ name: String?, to writer: inout FieldWriter) {
        guard let name else { return writer.octets.append(handle: number) }
        writer.append(name)
        writer.octets.append(" (" as StaticString)
        writer.octets.append(handle: number)
        writer.octets.append(UInt8(ascii: ")"))
    }

    /// A connection interval in units of 1.25 ms.
    private static func append(interval units: UInt16?, to writer: inout FieldWriter) {
        guard let units else { return writer.octets.append("unspecified" as StaticString) }
        writer.octets.append(thousandths: Int(units) * 1250)
        writer.octets.append(" ms" as StaticString)
    }
}

extension [UInt8] {
    fileprivate mutating func append(handle number: UInt16) {
        append(prefixedHexadecimal: UInt64(number), digits: 4)
    }
}
