import Wire

extension ADValue {
    /// Reads a structure of `octets` and tells what is wrong with it.
    init(_ structure: ADStructure, in octets: Span<UInt8>, _ faults: inout [AdvertisingData.Fault]) {
        let (type, offset) = (structure.type, structure.offset)
        let data = octets.extracting(structure.data)
        var reader = ByteReader(data)
        do throws(WireError) {
            self = try Self(type, &reader)
        } catch {
            self = .other(type, [UInt8](data))
            faults.append(.tooShort(type, offset: offset, octets: data.count))
            return
        }
        if reader.remaining > 0 {
            faults.append(.leftOver(type, offset: offset, octets: reader.remaining))
        }
        if let text, text.utf8.count < data.countWithoutZerosAtEnd {
            faults.append(
                .textCut(type, offset: offset, octets: data.countWithoutZerosAtEnd - text.utf8.count))
        }
    }

    private init(_ type: ADType, _ reader: inout ByteReader) throws(WireError) {
        switch type {
        case .flags: self = .flags(ADFlags(rawValue: try reader.uint8("Flags")))
        case .incomplete16BitServices: self = .services(ADServiceList(isComplete: false, reader.uuids(.bits16)))
        case .complete16BitServices: self = .services(ADServiceList(reader.uuids(.bits16)))
        case .incomplete32BitServices:
            self = .services(ADServiceList(width: .bits32, isComplete: false, reader.uuids(.bits32)))
        case .complete32BitServices: self = .services(ADServiceList(width: .bits32, reader.uuids(.bits32)))
        case .incomplete128BitServices:
            self = .services(ADServiceList(width: .bits128, isComplete: false, reader.uuids(.bits128)))
        case .complete128BitServices: self = .services(ADServiceList(width: .bits128, reader.uuids(.bits128)))
        case .solicited16BitServices: self = .solicitedServices(reader.uuids(.bits16), width: .bits16)
        case .solicited32BitServices: self = .solicitedServices(reader.uuids(.bits32), width: .bits32)
        case .solicited128BitServices: self = .solicitedServices(reader.uuids(.bits128), width: .bits128)
        case .serviceData16Bit: self = .serviceData(try reader.serviceData(.bits16), width: .bits16)
        case .serviceData32Bit: self = .serviceData(try reader.serviceData(.bits32), width: .bits32)
        case .serviceData128Bit: self = .serviceData(try reader.serviceData(.bits128), width: .bits128)
        case .shortenedLocalName: self = .name(reader.text(), isComplete: false)
        case .completeLocalName: self = .name(reader.text(), isComplete: true)
        case .broadcastName: self = .broadcastName(reader.text())
        case .uri: self = .uri(reader.text())
        case .txPowerLevel: self = .txPower(Int8(bitPattern: try reader.uint8("Tx Power Level")))
        case .appearance: self = .appearance(try reader.uint16("Appearance"))
        case .manufacturerSpecificData:
            self = .manufacturer(ManufacturerData(try reader.uint16("Company Identifier"), reader.rest()))
        case .peripheralConnectionIntervalRange:
            self = .connectionIntervalRange(
                ADIntervalRange(
                    min: try reader.uint16("Interval Min").named, max: try reader.uint16("Interval Max").named))
        case .publicTargetAddress: self = .targetAddresses(reader.addresses(), isRandom: false)
        case .randomTargetAddress: self = .targetAddresses(reader.addresses(), isRandom: true)
        case .leDeviceAddress:
            self = .deviceAddress(try reader.address(), isRandom: try reader.uint8("Address Type") & 1 == 1)
        case .leRole: self = .role(LERole(rawValue: try reader.uint8("LE Role")))
        case .advertisingInterval:
            self = .advertisingInterval(UInt32(try reader.uint16("Advertising Interval")), octets: 2)
        case .advertisingIntervalLong where reader.remaining == 3:
            self = .advertisingInterval(try reader.uint24("Advertising Interval"), octets: 3)
        case .advertisingIntervalLong:
            self = .advertisingInterval(try reader.uint32("Advertising Interval"), octets: 4)
        case .classOfDevice: self = .classOfDevice(try reader.uint24("Class of Device"))
        case .leSupportedFeatures: self = .supportedFeatures(reader.rest())
        default: self = .other(type, reader.rest())
        }
    }

    /// The text of a value that is one.
    private var text: String? {
        switch self {
        case .name(let text, _), .broadcastName(let text), .uri(let text): text
        default: nil
        }
    }
}

extension ByteReader {
    fileprivate mutating func uuid(_ width: ADWidth) throws(WireError) -> BluetoothUUID {
        switch width {
        case .bits16: return BluetoothUUID(try uint16("UUID"))
        case .bits32: return BluetoothUUID(try uint32("UUID"))
        case .bits128:
            try require(16, "UUID")
            let low = try uint64("UUID")
            return BluetoothUUID(high: try uint64("UUID"), low: low)
        }
    }

    fileprivate mutating func serviceData(_ width: ADWidth) throws(WireError) -> ServiceData {
        ServiceData(try uuid(width), rest())
    }

    /// As many whole UUIDs as there are.
    fileprivate mutating func uuids(_ width: ADWidth) -> [BluetoothUUID] {
        var uuids: [BluetoothUUID] = []
        uuids.reserveCapacity(remaining / width.octets)
        while remaining >= width.octets, let uuid = try? uuid(width) { uuids.append(uuid) }
        return uuids
    }

    fileprivate mutating func address() throws(WireError) -> Address {
        try require(6, "Address")
        let low = UInt64(try uint32("Address"))
        return Address(rawValue: UInt64(try uint16("Address")) << 32 | low)
    }

    /// As many whole addresses as there are.
    fileprivate mutating func addresses() -> [Address] {
        var addresses: [Address] = []
        while remaining >= 6, let address = try? address() { addresses.append(address) }
        return addresses
    }

    /// All that remains, up to the first NUL or the first octets that are no UTF-8.
    fileprivate mutating func text() -> String {
        let octets = rest()
        // Nearly every text is ASCII, without a NUL.
        if octets.allSatisfy({ 0x01...0x7F ~= $0 }) { return String(decoding: octets, as: UTF8.self) }
        var text = String()
        var decoder = UTF8()
        var rest = octets.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&rest), scalar != "\0" {
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}

extension UInt16 {
    /// The number, but `nil` for 0xFFFF, which names none.
    fileprivate var named: UInt16? { self == .max ? nil : self }
}

extension Span<UInt8> {
    /// Texts may be filled up with NULs.
    fileprivate var countWithoutZerosAtEnd: Int {
        var count = count
        while count > 0, self[count - 1] == 0 { count -= 1 }
        return count
    }
}
