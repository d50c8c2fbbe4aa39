public import Wire

extension AdvertisingData {
    /// How the device can be found.
    public var flags: ADFlags? {
        values.lazy.compactMap { if case .flags(let flags) = $0 { flags } else { nil } }.first
    }

    /// The complete name, else the shortened one.
    public var name: String? {
        let names = values.compactMap { value -> (text: String, isComplete: Bool)? in
            if case .name(let text, let isComplete) = value { (text, isComplete) } else { nil }
        }
        return (names.first(where: \.isComplete) ?? names.first)?.text
    }

    /// The services that the device offers, of all widths, in their order.
    public var services: [BluetoothUUID] {
        values.flatMap { value -> [BluetoothUUID] in
            if case .services(let list) = value { list.uuids } else { [] }
        }
    }

    /// Power at the antenna in dBm.
    public var txPower: Int8? {
        values.lazy.compactMap { if case .txPower(let power) = $0 { power } else { nil } }.first
    }

    /// What the device looks like (Assigned Numbers, 2.6).
    public var appearance: UInt16? {
        values.lazy.compactMap { if case .appearance(let number) = $0 { number } else { nil } }.first
    }

    /// What services send, in its order.
    public var serviceData: [ServiceData] {
        values.compactMap { if case .serviceData(let data, _) = $0 { data } else { nil } }
    }

    /// What companies send, in its order.
    public var manufacturerData: [ManufacturerData] {
        values.compactMap { if case .manufacturer(let data) = $0 { data } else { nil } }
    }
}
