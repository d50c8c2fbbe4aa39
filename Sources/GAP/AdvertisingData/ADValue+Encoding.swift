import Wire

extension ADValue {
    /// The type of the structure that carries the value.
    public var type: ADType {
        switch self {
        case .flags: .flags
        case .services(let list): list.type
        case .solicitedServices(_, .bits16): .solicited16BitServices
        case .solicitedServices(_, .bits32): .solicited32BitServices
        case .solicitedServices(_, .bits128): .solicited128BitServices
        case .serviceData(_, .bits16): .serviceData16Bit
        case .serviceData(_, .bits32): .serviceData32Bit
        case .serviceData(_, .bits128): .serviceData128Bit
        case .name(_, let isComplete): isComplete ? .completeLocalName : .shortenedLocalName
        case .broadcastName: .broadcastName
        case .txPower: .txPowerLevel
        case .appearance: .appearance
        case .manufacturer: .manufacturerSpecificData
        case .connectionIntervalRange: .peripheralConnectionIntervalRange
        case .targetAddresses(_, let isRandom): isRandom ? .randomTargetAddress : .publicTargetAddress
        case .deviceAddress: .leDeviceAddress
        case .role: .leRole
        case .uri: .uri
        case .advertisingInterval(_, let octets): octets <= 2 ? .advertisingInterval : .advertisingIntervalLong
        case .classOfDevice: .classOfDevice
        case .supportedFeatures: .leSupportedFeatures
        case .other(let type, _): type
        }
    }

    /// The octets behind the type.
    var encodedData: [UInt8] {
        switch self {
        case .flags(let flags): [flags.rawValue]
        case .services(let list): list.uuids.flatMap { $0.littleEndian(octets: list.width.octets) }
        case .solicitedServices(let uuids, let width): uuids.flatMap { $0.littleEndian(octets: width.octets) }
        case .serviceData(let value, let width): value.service.littleEndian(octets: width.octets) + value.data
        case .name(let text, _), .broadcastName(let text), .uri(let text): [UInt8](text.utf8)
        case .txPower(let power): [UInt8(bitPattern: power)]
        case .appearance(let number): Self.octets(UInt64(number), 2)
        case .manufacturer(let value): Self.octets(UInt64(value.company), 2) + value.data
        case .connectionIntervalRange(let range):
            Self.octets(UInt64(range.min ?? 0xFFFF), 2) + Self.octets(UInt64(range.max ?? 0xFFFF), 2)
        case .targetAddresses(let addresses, _): addresses.flatMap(\.littleEndian)
        case .deviceAddress(let address, let isRandom): address.littleEndian + [isRandom ? 1 : 0]
        case .role(let role): [role.rawValue]
        case .advertisingInterval(let interval, let octets): Self.octets(UInt64(interval), octets)
        case .classOfDevice(let number): Self.octets(UInt64(number), 3)
        case .supportedFeatures(let octets), .other(_, let octets): octets
        }
    }

    private static func octets(_ number: UInt64, _ count: Int) -> [UInt8] {
        var octets: [UInt8] = []
        octets.append(littleEndian: number, count: count)
        return octets
    }
}

extension ADServiceList {
    fileprivate var type: ADType {
        switch (width, isComplete) {
        case (.bits16, false): .incomplete16BitServices
        case (.bits16, true): .complete16BitServices
        case (.bits32, false): .incomplete32BitServices
        case (.bits32, true): .complete32BitServices
        case (.bits128, false): .incomplete128BitServices
        case (.bits128, true): .complete128BitServices
        }
    }
}
