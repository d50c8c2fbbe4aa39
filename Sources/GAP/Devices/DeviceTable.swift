public import HCI
public import Wire

/// The devices heard of, each with all that its advertisements and scan responses said.
///
/// Devices change their random addresses without end; of more than `capacity`, those heard longest ago are forgotten.
public struct DeviceTable: Sendable {
    /// How many devices have been forgotten to make room.
    public private(set) var evicted = 0

    private var devices: RecencyTable<DeviceAddress, Device>

    public init(capacity: Int = 1024) { devices = RecencyTable(capacity: capacity) }

    /// How many devices are known.
    public var count: Int { devices.count }

    /// What is known of a device.
    public subscript(address: DeviceAddress) -> Device? { devices[address] }

    /// All devices, those heard last first.
    public var all: [Device] { devices.entries.map(\.value) }

    /// Takes in an advertisement and returns what is now known of its sender.
    ///
    /// Anonymous advertisements belong to no device: each stands for itself and is not kept.
    @discardableResult
    public mutating func record(_ advertisement: Advertisement, at now: Moment) -> Device {
        let address = advertisement.advertiser
        var device = devices[address] ?? Device(address, at: now)
        device.record(advertisement, at: now)
        guard address.kind != .anonymous else { return device }
        if devices.set(address, to: device) != nil { evicted += 1 }
        return device
    }
}
