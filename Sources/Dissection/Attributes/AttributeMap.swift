import ATT
import GATT
import Wire

/// What a capture has told of one server's attributes so far, in whatever order it came.
struct AttributeMap: Hashable, Sendable {
    /// The type of each attribute; that of a characteristic's value is the characteristic's own.
    private(set) var types: [Handle: BluetoothUUID] = [:]
    /// The attributes whose types an earlier link told, and this one did not.
    private var earlier: Set<Handle> = []
    private var services: [Handle: ServiceDeclaration] = [:]
    private var characteristics: [Handle: CharacteristicDeclaration] = [:]
    private var includes: [Handle: IncludedService] = [:]

    private struct ServiceDeclaration: Hashable, Sendable {
        var uuid: BluetoothUUID
        var range: HandleRange
        var isPrimary: Bool
    }

    private struct CharacteristicDeclaration: Hashable, Sendable {
        var uuid: BluetoothUUID
        var properties: CharacteristicProperties
        var valueHandle: Handle
    }

    var isEmpty: Bool { types.isEmpty }

    /// The same for a link that begins: all of it is yet to be told again.
    var ofEarlierLink: AttributeMap {
        var map = self
        map.earlier = Set(types.keys)
        return map
    }

    /// Whether the type of an attribute is taken over from an earlier link.
    func isOfEarlierLink(_ handle: Handle) -> Bool { !earlier.isEmpty && earlier.contains(handle) }

    // MARK: Learning

    /// A type that Find Information told, or a request by type implied.
    mutating func learn(_ type: BluetoothUUID, of handle: Handle) {
        types[handle] = type
        if !earlier.isEmpty { earlier.remove(handle) }
    }

    /// A service, from a search by group or by value.
    mutating func learnService(_ uuid: BluetoothUUID, _ range: HandleRange, isPrimary: Bool) {
        services[range.first] = ServiceDeclaration(uuid: uuid, range: range, isPrimary: isPrimary)
        learn(isPrimary ? .primaryService : .secondaryService, of: range.first)
    }

    /// The value of an attribute that declares something (Core Vol 3, Part G, 3.2 and 3.3.1); other attributes are left alone.
    mutating func learnDeclaration(_ value: Span<UInt8>, at handle: Handle) {
        switch types[handle] {
        case .characteristic: learnCharacteristic(value, at: handle)
        case .include: learnInclude(value, at: handle)
        default: break
        }
    }

    private mutating func learnCharacteristic(_ value: Span<UInt8>, at handle: Handle) {
        guard value.count >= 5, let uuid = BluetoothUUID(littleEndian: value.extracting(3..<value.count)) else {
            return
        }
        let valueHandle = Handle(UInt16(value[1]) | UInt16(value[2]) << 8)
        characteristics[handle] = CharacteristicDeclaration(
            uuid: uuid, properties: CharacteristicProperties(rawValue: value[0]), valueHandle: valueHandle)
        learn(uuid, of: valueHandle)
    }

    private mutating func learnInclude(_ value: Span<UInt8>, at handle: Handle) {
        guard value.count >= 4 else { return }
        let first = Handle(UInt16(value[0]) | UInt16(value[1]) << 8)
        let last = Handle(UInt16(value[2]) | UInt16(value[3]) << 8)
        includes[handle] = IncludedService(
            handle: handle, range: HandleRange(first, last),
            uuid: BluetoothUUID(littleEndian: value.extracting(4..<value.count)))
    }

    // MARK: Asking

    /// The type of the characteristic that a descriptor belongs to: the nearest value before it.
    func characteristic(ofDescriptor handle: Handle) -> BluetoothUUID? {
        characteristics.values.filter { $0.valueHandle < handle }.max { $0.valueHandle < $1.valueHandle }?.uuid
    }

    /// What is known, as a database. Characteristics outside every known service are left out.
    var database: Database {
        Database(services: services.values.sorted { $0.range.first < $1.range.first }.map(service))
    }

    private func service(_ declaration: ServiceDeclaration) -> Service {
        let range = declaration.range
        let declared = characteristics.filter { range.contains($0.key) }.sorted { $0.key < $1.key }
        var service = Service(
            uuid: declaration.uuid, range: range, isPrimary: declaration.isPrimary,
            includes: includes.values.filter { range.contains($0.handle) }.sorted { $0.handle < $1.handle })
        for (index, (handle, declaration)) in declared.enumerated() {
            let end = index + 1 < declared.count ? declared[index + 1].key.previous ?? range.last : range.last
            var characteristic = Characteristic(
                uuid: declaration.uuid, handle: handle, valueHandle: declaration.valueHandle, endHandle: end,
                properties: declaration.properties)
            characteristic.descriptors = descriptors(in: characteristic.descriptorRange)
            service.characteristics.append(characteristic)
        }
        return service
    }

    private func descriptors(in range: HandleRange?) -> [Descriptor] {
        guard let range else { return [] }
        return types.filter { range.contains($0.key) }.map { Descriptor(uuid: $0.value, handle: $0.key) }
            .sorted { $0.handle < $1.handle }
    }
}
