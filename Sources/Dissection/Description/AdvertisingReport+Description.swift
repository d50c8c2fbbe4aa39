import AssignedNumbers
import GAP
import Wire

extension AdvertisingReport {
    /// The AD structures, each with what it says.
    func described(_ names: inout NameMemory) -> [DescribedField] {
        let data = AdvertisingData(decoding: data.span)
        var fields = data.values.map { DescribedField(name: "\($0.type)", text: $0.text(&names)) }
        if let malformed = data.malformed { fields.append(DescribedField(name: "Malformed", text: malformed)) }
        return fields
    }
}

extension ADValue {
    fileprivate func text(_ names: inout NameMemory) -> String {
        switch self {
        case .flags(let flags): "0x" + flags.rawValue.paddedHexadecimal
        case .services(let list): Self.text(list.uuids, &names)
        case .solicitedServices(let uuids, _): Self.text(uuids, &names)
        case .serviceData(let content, _): "\(names.text(service: content.service)): \(content.data.hexadecimal)"
        case .name(let text, _), .broadcastName(let text), .uri(let text): text
        case .txPower(let power): "\(power) dBm"
        case .appearance(let value): Names.appearance(value) ?? "0x" + value.paddedHexadecimal
        case .manufacturer(let content):
            "\(names.company(content.company) ?? "0x" + content.company.paddedHexadecimal): \(content.data.hexadecimal)"
        case .connectionIntervalRange(let range): "\(Self.interval(range.min)) to \(Self.interval(range.max))"
        case .targetAddresses(let addresses, _): addresses.map(\.description).joined(separator: ", ")
        case .deviceAddress(let address, let isRandom): "\(address) (\(isRandom ? "random" : "public"))"
        case .role(let role): role.description
        case .advertisingInterval(let interval, _): "\(Double(interval) * 0.625) ms"
        case .classOfDevice(let value): "0x" + value.paddedHexadecimal
        case .supportedFeatures(let octets), .other(_, let octets): octets.hexadecimal
        }
    }

    private static func text(_ uuids: [BluetoothUUID], _ names: inout NameMemory) -> String {
        uuids.map { names.text(service: $0) }.joined(separator: ", ")
    }

    /// A connection interval in units of 1.25 ms.
    private static func interval(_ units: UInt16?) -> String {
        units.map { "\(Double($0) * 1.25) ms" } ?? "unspecified"
    }
}
