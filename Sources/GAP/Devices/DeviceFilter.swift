public import Wire

/// Which devices somebody wants to hear of. What is not set lets every device through.
public struct DeviceFilter: Hashable, Sendable {
    /// The device offers any of these.
    public var services: [BluetoothUUID]
    /// The device's name contains this, in either case.
    public var name: String?
    /// The last advertisement came with at least so many dBm.
    public var minimumRSSI: Int8?

    public init(services: [BluetoothUUID] = [], name: String? = nil, minimumRSSI: Int8? = nil) {
        self.services = services
        self.name = name
        self.minimumRSSI = minimumRSSI
    }

    /// Judges by what is known of the device so far, from whichever of its advertisements.
    public func matches(_ device: Device) -> Bool {
        (services.isEmpty || services.contains { device.offers($0) })
            && name.map { device.isNamed($0) } != false
            && minimumRSSI.map { minimum in device.rssi.map { $0 >= minimum } ?? false } != false
    }
}

extension Device {
    fileprivate func isNamed(_ part: String) -> Bool {
        part.isEmpty || name?.lowercased().contains(part.lowercased()) == true
    }
}
