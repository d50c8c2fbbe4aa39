public import ATT
public import Wire

/// What a peer's server holds, as discovery found it: services, in them characteristics, in them descriptors, in the
/// order of handles.
public struct Database: Hashable, Sendable {
    /// All services, primary and secondary.
    public var services: [Service]
    /// What the peer refused on the way: parts of the database that are missing for that.
    public var refusals: [GATTError]

    public init(services: [Service] = [], refusals: [GATTError] = []) {
        self.services = services
        self.refusals = refusals
    }

    /// The first service of that type.
    public func service(_ uuid: BluetoothUUID) -> Service? { services.first { $0.uuid == uuid } }

    /// All services of that type: there may be several.
    public func services(_ uuid: BluetoothUUID) -> [Service] { services.filter { $0.uuid == uuid } }

    /// The first characteristic of that type, in the first service of its type that has one.
    public func characteristic(_ uuid: BluetoothUUID, in service: BluetoothUUID? = nil) -> Characteristic? {
        for candidate in services where service == nil || candidate.uuid == service {
            if let found = candidate.characteristic(uuid) { return found }
        }
        return nil
    }

    /// The characteristic whose declaration, value or descriptor has that handle.
    public func characteristic(at handle: Handle) -> Characteristic? {
        services.first { $0.range.contains(handle) }?.characteristics.first { $0.range.contains(handle) }
    }
}

/// A service (Core Vol 3, Part G, 3.1).
public struct Service: Hashable, Sendable {
    public var uuid: BluetoothUUID
    /// The declaration's handle and the last handle of the service.
    public var range: HandleRange
    /// Whether the service stands for itself; a secondary one is there to be included.
    public var isPrimary: Bool
    /// The services that it refers to.
    public var includes: [IncludedService]
    /// Its characteristics, in the order of handles.
    public var characteristics: [Characteristic]

    public init(
        uuid: BluetoothUUID, range: HandleRange, isPrimary: Bool = true, includes: [IncludedService] = [],
        characteristics: [Characteristic] = []
    ) {
        self.uuid = uuid
        self.range = range
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }

    /// The declaration's handle.
    public var handle: Handle { range.first }

    /// The first characteristic of that type.
    public func characteristic(_ uuid: BluetoothUUID) -> Characteristic? { characteristics.first { $0.uuid == uuid } }
}

/// A reference to another service (Core Vol 3, Part G, 3.2).
public struct IncludedService: Hashable, Sendable {
    /// The include declaration's handle.
    public var handle: Handle
    /// Where the included service stands.
    public var range: HandleRange
    /// `nil` where the peer did not tell.
    public var uuid: BluetoothUUID?

    public init(handle: Handle, range: HandleRange, uuid: BluetoothUUID?) {
        self.handle = handle
        self.range = range
        self.uuid = uuid
    }
}

/// A characteristic (Core Vol 3, Part G, 3.3).
public struct Characteristic: Hashable, Sendable {
    public var uuid: BluetoothUUID
    /// The declaration's handle.
    public var handle: Handle
    /// The handle to read and write, and the one that notifications carry.
    public var valueHandle: Handle
    /// The last handle before the next characteristic or the service's end.
    public var endHandle: Handle
    /// What may be done with the value.
    public var properties: CharacteristicProperties
    /// Its descriptors, in the order of handles.
    public var descriptors: [Descriptor]

    public init(
        uuid: BluetoothUUID, handle: Handle, valueHandle: Handle, endHandle: Handle,
        properties: CharacteristicProperties,
        descriptors: [Descriptor] = []
    ) {
        self.uuid = uuid
        self.handle = handle
        self.valueHandle = valueHandle
        self.endHandle = endHandle
        self.properties = properties
        self.descriptors = descriptors
    }

    /// From the declaration to the last descriptor.
    public var range: HandleRange { HandleRange(handle, endHandle) }

    /// Where descriptors may stand; `nil` where there is no room for one.
    public var descriptorRange: HandleRange? { HandleRange(valueHandle, endHandle).after(valueHandle) }

    /// The first descriptor of that type.
    public func descriptor(_ uuid: BluetoothUUID) -> Descriptor? { descriptors.first { $0.uuid == uuid } }
}

/// A characteristic descriptor (Core Vol 3, Part G, 3.3.3).
public struct Descriptor: Hashable, Sendable {
    public var uuid: BluetoothUUID
    /// The handle to read and write.
    public var handle: Handle

    public init(uuid: BluetoothUUID, handle: Handle) {
        self.uuid = uuid
        self.handle = handle
    }
}
