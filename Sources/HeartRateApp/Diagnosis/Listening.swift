import GAP
import HCI
import HeartRate
import Host
import Synchronization
import Wire

/// Gathers what is heard of a device, and of those that might be meant instead.
final class Listening: Sendable {
    /// What was heard of the device.
    struct Sought: Hashable, Sendable {
        var device: Device
        /// Whether it ever allowed to be connected to; `nil` where it never said.
        var isConnectable: Bool?
        /// Whether it called one device only, and by that all that can be told is its address.
        var isOnlyDirected: Bool
    }

    private struct State {
        var devices = DeviceTable()
        /// The device itself, once it was heard.
        var found: DeviceAddress?
        var isConnectable: Bool?
        var isOnlyDirected = true
        var firstHeard: Moment?
    }

    private let state = Mutex(State())
    private let selector: DeviceSelector

    init(_ selector: DeviceSelector) { self.selector = selector }

    /// How long a device that was heard is listened to for the rest of what it says, such as a scan response.
    private static let rest: Duration = .seconds(3)

    /// Takes a sighting in. Answers whether enough is known of the device.
    func take(_ sighting: Sighting) -> Bool {
        state.withLock { state in
            let device = state.devices.record(sighting.advertisement, at: sighting.moment)
            if state.found == nil, selector.wanted(kind: nil).means(device) {
                state.found = device.address
                state.firstHeard = sighting.moment
            }
            if state.found == device.address {
                if let isConnectable = sighting.advertisement.kind.isConnectable {
                    state.isConnectable = isConnectable || state.isConnectable == true
                }
                if sighting.advertisement.kind.name != "ADV_DIRECT_IND" { state.isOnlyDirected = false }
            }
            guard let found = state.found, let firstHeard = state.firstHeard else { return false }
            let known = state.devices[found]
            let knowsAll = state.isConnectable == true && known?.name != nil && known?.isHeartRateSensor == true
            return knowsAll || sighting.moment - firstHeard >= Self.rest
        }
    }

    /// What was heard of the device; `nil` where nothing was.
    var sought: Sought? {
        state.withLock { state in
            guard let found = state.found, let device = state.devices[found] else { return nil }
            return Sought(
                device: device, isConnectable: state.isConnectable, isOnlyDirected: state.isOnlyDirected)
        }
    }

    /// How many devices were heard, whichever.
    var count: Int { state.withLock { $0.devices.count } }

    /// Those that might be meant: with an address or a name that differs a little, then heart-rate sensors.
    var candidates: [Device] {
        let all = state.withLock { $0.devices.all }
        let near = all.filter(selector.isNear)
        let sensors = all.filter { $0.isHeartRateSensor && !near.contains($0) }
        return Array((near + sensors.sorted { ($0.rssi ?? .min) > ($1.rssi ?? .min) }).prefix(5))
    }
}

extension DeviceSelector {
    /// Whether somebody may have meant this device and mistyped it, or known it before it changed its address.
    fileprivate func isNear(_ device: Device) -> Bool {
        switch self {
        case .address(let address):
            return editDistance("\(address)", "\(device.address.address)") <= 2
        case .name(let name):
            guard let other = device.name?.lowercased() else { return false }
            let name = name.lowercased()
            return other.contains(name) || name.contains(other) || editDistance(name, other) <= 2
        case .any:
            return false
        }
    }
}

extension Device {
    /// `C0:00:5E:00:53:01 (random), 'Polar H10', −58 dBm`
    var text: String {
        var parts = ["\(address)"]
        if let name { parts.append("'\(name.printable)'") }
        if let rssi { parts.append("\(rssi) dBm") }
        return parts.joined(separator: ", ")
    }
}
