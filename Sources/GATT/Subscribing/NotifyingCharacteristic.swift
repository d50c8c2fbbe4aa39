public import ATT
public import Wire

/// A characteristic that can be subscribed to: its descriptor was found, its type was seen.
public struct NotifyingCharacteristic: Hashable, Sendable {
    /// The service's handles.
    public var service: HandleRange
    public var uuid: BluetoothUUID
    /// The handle that notifications and indications carry.
    public var valueHandle: Handle
    /// What may be done with the value.
    public var properties: CharacteristicProperties
    /// The handle of the Client Characteristic Configuration descriptor.
    public var configurationHandle: Handle
    /// The one bit to set: notifications where the characteristic offers them, else indications. Real peers refuse
    /// both at once.
    public var configuration: ClientConfiguration

    public init(
        service: HandleRange, uuid: BluetoothUUID, valueHandle: Handle, properties: CharacteristicProperties,
        configurationHandle: Handle, configuration: ClientConfiguration
    ) {
        self.service = service
        self.uuid = uuid
        self.valueHandle = valueHandle
        self.properties = properties
        self.configurationHandle = configurationHandle
        self.configuration = configuration
    }

    /// Asks for the values. Have their receiver in place first: the first may come before the answer.
    public var enabling: WriteValue { WriteValue(configuration.octets, to: configurationHandle) }

    /// Asks for no more values.
    public var disabling: WriteValue { WriteValue(ClientConfiguration().octets, to: configurationHandle) }
}

extension CharacteristicProperties {
    /// The bit of the configuration that makes a characteristic send its value; `nil` where none does.
    public var preferredConfiguration: ClientConfiguration? {
        if contains(.notify) { return .notifications }
        return contains(.indicate) ? .indications : nil
    }
}
