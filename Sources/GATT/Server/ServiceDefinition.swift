public import ATT
public import Wire

/// What a server is to hold: a service.
public struct ServiceDefinition: Hashable, Sendable {
    public var uuid: BluetoothUUID
    /// Whether the service stands for itself; a secondary one is there to be included.
    public var isPrimary: Bool
    /// The included services, by their places in the list of definitions.
    public var includes: [Int]
    /// What the service holds.
    public var characteristics: [CharacteristicDefinition]
    /// The least handle for the declaration; the next free one where that is greater.
    public var firstHandle: Handle

    public init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, includes: [Int] = [], at firstHandle: Handle = .first,
        _ characteristics: [CharacteristicDefinition] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includes = includes
        self.firstHandle = firstHandle
        self.characteristics = characteristics
    }
}

/// What a server is to hold: a characteristic.
public struct CharacteristicDefinition: Hashable, Sendable {
    public var uuid: BluetoothUUID
    /// What clients may do with the value.
    public var properties: CharacteristicProperties
    /// The value until the owner or a client writes another.
    public var value: [UInt8]
    /// Who may read the value.
    public var read: Access
    /// Who may write the value.
    public var write: Access
    /// Whether the owner decides on each write: it is asked by `Server.Effect.askedToWrite`. Otherwise the value is
    /// stored.
    public var asksOwner: Bool
    /// The longest value in octets that a client may write.
    public var longestValue: Int
    /// Who may write the Client Characteristic Configuration, which stands where the properties offer notifications or
    /// indications; `nil` for a characteristic that lacks it all the same.
    public var configuration: Access?
    /// Whether the Client Characteristic Configuration stands behind the further descriptors, not before them.
    public var configurationComesLast = false
    /// Further descriptors.
    public var descriptors: [DescriptorDefinition]
    /// The least handle for the declaration; the next free one where that is greater.
    public var firstHandle = Handle.first
    /// The least handle for the Client Characteristic Configuration.
    public var firstConfigurationHandle = Handle.first

    /// - Parameters:
    ///   - read: as the properties say, unless given
    ///   - write: as the properties say, unless given
    public init(
        _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, value: [UInt8] = [], read: Access? = nil,
        write: Access? = nil, asksOwner: Bool = false, longestValue: Int = 512, configuration: Access? = .open,
        descriptors: [DescriptorDefinition] = []
    ) {
        self.uuid = uuid
        self.properties = properties
        self.value = value
        self.read = read ?? (properties.contains(.read) ? .open : .never)
        self.write = write ?? (properties.isDisjoint(with: [.write, .writeWithoutResponse]) ? .never : .open)
        self.asksOwner = asksOwner
        self.longestValue = longestValue
        self.configuration = configuration
        self.descriptors = descriptors
    }
}

/// What a server is to hold: a descriptor.
public struct DescriptorDefinition: Hashable, Sendable {
    public var uuid: BluetoothUUID
    /// The value until a client writes another.
    public var value: [UInt8]
    /// Who may read the value.
    public var read: Access
    /// Who may write the value.
    public var write: Access
    /// The least handle for the descriptor; the next free one where that is greater.
    public var firstHandle = Handle.first

    public init(_ uuid: BluetoothUUID, value: [UInt8], read: Access = .open, write: Access = .never) {
        self.uuid = uuid
        self.value = value
        self.read = read
        self.write = write
    }
}
