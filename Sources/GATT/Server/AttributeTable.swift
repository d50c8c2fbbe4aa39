public import ATT
public import Wire

/// An attribute of our own server.
public struct Attribute: Hashable, Sendable {
    /// Names the attribute to clients.
    public let handle: Handle
    /// What kind of attribute it is.
    public let type: BluetoothUUID
    /// The value as clients read it.
    public internal(set) var value: [UInt8]
    /// Who may read it.
    public var read: Access
    /// Who may write it.
    public var write: Access
    /// The last handle of what this attribute begins; its own where it begins nothing.
    public internal(set) var groupEnd: Handle
    /// Whether the owner decides on each write.
    var asksOwner = false
    /// The longest value in octets that a client may write.
    var longestValue = 512
    /// For a Client Characteristic Configuration: the characteristic's value handle, and the bits that may be set.
    var configures: Handle?
    var configurable = ClientConfiguration()
}

/// The attributes of our own server, in the order of handles, laid out from definitions (Core Vol 3, Part G, 3).
public struct AttributeTable: Hashable, Sendable {
    /// All attributes, in the order of handles.
    public private(set) var attributes: [Attribute] = []
    private var nextHandle: Handle? = .first

    /// Gives handles in the order of the definitions. What does not fit in 65,535 handles is left out.
    public init(_ definitions: [ServiceDefinition]) {
        var starts: [Int] = []
        for definition in definitions {
            skip(to: definition.firstHandle)
            starts.append(attributes.count)
            append(definition)
        }
        link(definitions, starts)
    }

    /// The value handle of the first characteristic of that type.
    public func valueHandle(of characteristic: BluetoothUUID) -> Handle? {
        attributes.first { $0.type == characteristic }?.handle
    }

    /// The handle of the Client Characteristic Configuration of the characteristic with that value handle.
    public func configurationHandle(of valueHandle: Handle) -> Handle? {
        attributes.first { $0.configures == valueHandle }?.handle
    }

    /// What the Client Characteristic Configuration of the characteristic with that value handle says.
    func configuration(of valueHandle: Handle) -> ClientConfiguration {
        attributes.first { $0.configures == valueHandle }.flatMap { ClientConfiguration(octets: $0.value) } ?? []
    }

    /// The attribute with that handle.
    public subscript(handle: Handle) -> Attribute? {
        get { index(of: handle).map { attributes[$0] } }
        set {
            guard let index = index(of: handle), let newValue else { return }
            attributes[index] = newValue
        }
    }

    /// The attributes with handles in a range.
    func attributes(in range: HandleRange) -> ArraySlice<Attribute> {
        guard !range.isEmpty else { return [] }
        let start = firstIndex { $0 >= range.first }
        let end = firstIndex { $0 > range.last }
        return attributes[start..<end]
    }

    private func index(of handle: Handle) -> Int? {
        let index = firstIndex { $0 >= handle }
        return index < attributes.count && attributes[index].handle == handle ? index : nil
    }

    /// The index of the first attribute whose handle lies at or behind a boundary, by halving.
    private func firstIndex(where isBehind: (Handle) -> Bool) -> Int {
        var low = 0
        var high = attributes.count
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(attributes[middle].handle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

// MARK: - Laying out

extension AttributeTable {
    private mutating func append(_ service: ServiceDefinition) {
        let start = attributes.count
        let uuid = service.uuid.littleEndian(octets: service.uuid.shortestCount)
        append(type: service.isPrimary ? .primaryService : .secondaryService, value: uuid)
        // The included services' handles are known only when all are laid out.
        for _ in service.includes { append(type: .include, value: []) }
        for characteristic in service.characteristics { append(characteristic) }
        close(from: start)
    }

    /// Leaves the handles before `handle` unused.
    private mutating func skip(to handle: Handle) {
        if let next = nextHandle { nextHandle = max(next, handle) }
    }

    private mutating func append(_ characteristic: CharacteristicDefinition) {
        let start = attributes.count
        skip(to: characteristic.firstHandle)
        guard let valueHandle = nextHandle?.next else {
            nextHandle = nil
            return
        }
        var declaration = [characteristic.properties.rawValue]
        declaration.append(littleEndian: valueHandle.rawValue)
        declaration += characteristic.uuid.littleEndian(octets: characteristic.uuid.shortestCount)
        append(type: .characteristic, value: declaration)
        append(
            type: characteristic.uuid, value: characteristic.value, read: characteristic.read,
            write: characteristic.write
        ) {
            $0.asksOwner = characteristic.asksOwner
            $0.longestValue = characteristic.longestValue
        }
        if !characteristic.configurationComesLast { appendConfiguration(of: characteristic, at: valueHandle) }
        for descriptor in characteristic.descriptors {
            skip(to: descriptor.firstHandle)
            append(type: descriptor.uuid, value: descriptor.value, read: descriptor.read, write: descriptor.write)
        }
        if characteristic.configurationComesLast { appendConfiguration(of: characteristic, at: valueHandle) }
        close(from: start)
    }

    private mutating func appendConfiguration(of characteristic: CharacteristicDefinition, at valueHandle: Handle) {
        guard let access = characteristic.configuration, characteristic.properties.preferredConfiguration != nil else {
            return
        }
        skip(to: characteristic.firstConfigurationHandle)
        append(type: .clientCharacteristicConfiguration, value: ClientConfiguration().octets, write: access) {
            $0.longestValue = 2
            $0.configures = valueHandle
            $0.configurable = characteristic.properties.configurable
        }
    }

    private mutating func append(
        type: BluetoothUUID, value: [UInt8], read: Access = .open, write: Access = .never,
        adjust: (inout Attribute) -> Void = { _ in }
    ) {
        guard let handle = nextHandle else { return }
        nextHandle = handle.next
        var attribute = Attribute(handle: handle, type: type, value: value, read: read, write: write, groupEnd: handle)
        adjust(&attribute)
        attributes.append(attribute)
    }

    /// Ends the group that begins at an index with the last attribute so far.
    private mutating func close(from start: Int) {
        guard start < attributes.count, let last = attributes.last else { return }
        attributes[start].groupEnd = last.handle
    }

    /// Fills in the include declarations.
    private mutating func link(_ definitions: [ServiceDefinition], _ starts: [Int]) {
        for (definition, start) in zip(definitions, starts) {
            for (offset, included) in definition.includes.enumerated() {
                guard starts.indices.contains(included), attributes.indices.contains(starts[included]),
                    attributes.indices.contains(start + 1 + offset)
                else { continue }
                let target = attributes[starts[included]]
                var value: [UInt8] = []
                value.append(littleEndian: target.handle.rawValue)
                value.append(littleEndian: target.groupEnd.rawValue)
                // A 128-bit UUID does not fit; the client reads it from the service's own declaration (3.2).
                if target.value.count == 2 { value += target.value }
                attributes[start + 1 + offset].value = value
            }
        }
    }
}

extension CharacteristicProperties {
    /// The bits of a Client Characteristic Configuration that make sense for a characteristic.
    fileprivate var configurable: ClientConfiguration {
        var bits = ClientConfiguration()
        if contains(.notify) { bits.insert(.notifications) }
        if contains(.indicate) { bits.insert(.indications) }
        return bits
    }
}
