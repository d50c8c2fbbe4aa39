import GAP
import Wire

extension ManufacturerData {
    /// Writes what the data says where its company's form is widely known: Apple's, by type and length, and in it iBeacon's.
    func describeForm(to writer: inout FieldWriter) {
        guard company == 0x004C, data.count >= 2 else { return }
        writer.openFields()
        defer { writer.closeFields() }
        let (type, length) = (data[0], Int(data[1]))
        writer.field("Type") { writer in
            if let name = Self.appleTypes[type] {
                writer.octets.append(name)
                writer.octets.append(" (" as StaticString)
            }
            writer.octets.append(prefixedHexadecimal: UInt64(type), digits: 2)
            if Self.appleTypes[type] != nil { writer.octets.append(UInt8(ascii: ")")) }
        }
        guard type == 0x02, length == 0x15, data.count >= 2 + length else { return }
        describeBeacon(data[2...], to: &writer)
    }

    /// UUID, Major and Minor, the most significant octet first each; the power at one metre.
    private func describeBeacon(_ beacon: ArraySlice<UInt8>, to writer: inout FieldWriter) {
        func number(_ offset: Int, _ count: Int) -> UInt64 {
            beacon.dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        }
        writer.field("UUID") { BluetoothUUID(high: number(0, 8), low: number(8, 8)).append(to: &$0.octets) }
        writer.field("Major") { $0.octets.append(decimal: number(16, 2)) }
        writer.field("Minor") { $0.octets.append(decimal: number(18, 2)) }
        writer.field("Measured Power") { writer in
            writer.octets.append(decimal: Int8(truncatingIfNeeded: number(20, 1)))
            writer.octets.append(" dBm" as StaticString)
        }
    }

    /// The types of Apple's messages that others have found out.
    private static let appleTypes: [UInt8: String] = [
        0x02: "iBeacon", 0x03: "AirPrint", 0x05: "AirDrop", 0x06: "HomeKit", 0x07: "Proximity Pairing",
        0x08: "Hey Siri", 0x09: "AirPlay Target", 0x0A: "AirPlay Source", 0x0B: "Magic Switch", 0x0C: "Handoff",
        0x0D: "Tethering Target", 0x0E: "Tethering Source", 0x0F: "Nearby Action", 0x10: "Nearby Info",
        0x12: "Find My",
    ]
}
