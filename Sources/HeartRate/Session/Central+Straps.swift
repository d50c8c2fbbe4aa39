public import GAP
public import HCI
public import Host
import Wire

extension Central {
    /// Scans for a strap until one fits. What a device says in its advertisement and in its scan response counts together.
    ///
    /// - Parameter isFree: asked of each strap that fits; one that somebody else has is passed over
    /// - Throws: `HostError` where the controller refuses to scan or goes away
    public func find(
        _ wanted: HeartRateMonitor.Wanted, where isFree: @Sendable (DeviceAddress) -> Bool = { _ in true }
    ) async throws -> DeviceAddress {
        if let known = known(wanted), identity(of: known.address) != nil { return known }
        return try await withSightings { sightings in
            var devices = DeviceTable()
            for await case .value(let sighting) in sightings {
                let device = devices.record(sighting.advertisement, at: sighting.moment)
                if wanted.fits(device), isFree(device.address) { return device.address }
            }
            throw ending ?? HostError.cancelled
        }
    }
}

extension Central {
    /// The strap, where nothing has to be searched for: its address is given with its kind, or it is a bonded one.
    public func known(_ wanted: HeartRateMonitor.Wanted) -> DeviceAddress? {
        if case .target(let target) = recognise(wanted) { target } else { nil }
    }

    /// The same wish by the identity of a bonded strap, where it names one by any of its addresses: those change.
    func recognise(_ wanted: HeartRateMonitor.Wanted) -> HeartRateMonitor.Wanted {
        switch wanted {
        case .address(let address): identity(of: address).map { .target($0) } ?? wanted
        case .target(let target): identity(of: target.address).map { .target($0) } ?? wanted
        case .name, .any: wanted
        }
    }
}

extension HeartRateMonitor.Wanted {
    /// Whether this is the strap that is meant, be it in a state to be connected to or not.
    public func means(_ device: Device) -> Bool {
        switch self {
        case .target(let target):
            device.address.address == target.address
                && device.address.kind.withoutIdentity == target.kind.withoutIdentity
        case .address(let address): device.address.address == address
        case .name(let name): device.name == name
        case .any: device.isHeartRateSensor
        }
    }

    /// Whether this is the strap, and it does not say that it cannot be connected to.
    fileprivate func fits(_ device: Device) -> Bool { device.isConnectable != false && means(device) }
}
