import GAP
import HCI
import Wire

extension JSONWriter {
    /// The content of one report's object: what this report says, and nothing that others said.
    mutating func advertisement(_ advertisement: Advertisement, at time: Timestamp) {
        event("advertisement", at: time)
        if advertisement.advertiser.kind != .anonymous {
            key("address")
            address(advertisement.advertiser.address)
        }
        key("address_type")
        string(advertisement.advertiser.kind.jsonName)
        if let kind = advertisement.kind.name {
            key("kind")
            string(kind)
        }
        if let isConnectable = advertisement.kind.isConnectable {
            key("connectable")
            bool(isConnectable)
        }
        if let rssi = advertisement.rssi {
            key("rssi")
            integer(rssi)
        }
        let content = AdvertisedContent(AdvertisingData(decoding: advertisement.data))
        write(content, txPower: advertisement.txPower ?? content.txPower)
        key("data")
        hexadecimal(advertisement.data)
        if advertisement.isTruncated {
            key("truncated")
            bool(true)
        }
        if let malformed = content.malformed {
            key("malformed")
            string(malformed)
        }
    }

    private mutating func write(_ content: AdvertisedContent, txPower: Int8?) {
        if let txPower {
            key("tx_power")
            integer(txPower)
        }
        if let name = content.name {
            key("name")
            string(name)
        }
        if let flags = content.flags {
            key("flags")
            integer(flags)
        }
        if !content.services.isEmpty {
            key("services")
            array { writer in for service in content.services { writer.string(service.description) } }
        }
        octets("service_data", content.serviceData)
        octets("manufacturer_data", content.manufacturerData)
        if let appearance = content.appearance {
            key("appearance")
            integer(appearance)
        }
    }

    private mutating func octets(_ name: StaticString, _ entries: [(key: String, data: [UInt8])]) {
        guard !entries.isEmpty else { return }
        key(name)
        object { writer in
            for entry in entries {
                writer.key(text: entry.key)
                writer.hexadecimal(entry.data)
            }
        }
    }
}

/// The AD structures of one report under the names of the JSON.
private struct AdvertisedContent {
    var name: String?
    var flags: UInt8?
    var services: [BluetoothUUID] = []
    var serviceData: [(key: String, data: [UInt8])] = []
    var manufacturerData: [(key: String, data: [UInt8])] = []
    var appearance: UInt16?
    var txPower: Int8?
    var malformed: String?

    init(_ data: AdvertisingData) {
        malformed = data.malformed
        for value in data.values {
            switch value {
            case .name(let text, _): name = text
            case .flags(let flags): self.flags = flags.rawValue
            case .services(let list): services += list.uuids
            case .serviceData(let data, _): add(data.data, data.service.description, to: &serviceData)
            case .manufacturer(let data): add(data.data, data.company.paddedHexadecimal, to: &manufacturerData)
            case .appearance(let number): appearance = number
            case .txPower(let power): txPower = power
            default: break
            }
        }
    }

    /// A key stands once in an object: of two entries the later one counts.
    private func add(_ data: [UInt8], _ key: String, to entries: inout [(key: String, data: [UInt8])]) {
        entries.removeAll { $0.key == key }
        entries.append((key, data))
    }
}

extension AddressKind {
    /// The kind's name in JSON.
    var jsonName: String {
        switch self {
        case .public: "public"
        case .random, .unresolved: "random"
        case .publicIdentity: "public_identity"
        case .randomIdentity: "random_identity"
        case .anonymous: "anonymous"
        default: hexadecimal
        }
    }
}
