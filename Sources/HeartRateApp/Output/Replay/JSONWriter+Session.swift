import Dissection
import GATT
import HCI
import HeartRate
import Wire

/// The objects that `replay --json` prints: those of `connect`, each with the frame that told.
extension JSONWriter {
    /// Appends the event's lines, one object each.
    static func lines(of session: SessionEvent, to buffer: inout [UInt8]) {
        let address = session.peer?.address
        guard case .services(let database) = session.content else {
            line(to: &buffer) { writer in
                writer.event(session.content.name, at: session.time, address: address)
                writer.member("frame", session.frame)
                writer.members(of: session.content)
            }
            return
        }
        for service in database.services {
            line(to: &buffer) { writer in
                writer.service(service)
                writer.member("frame", session.frame)
                if let address { writer.member("address", address) }
            }
        }
    }

    private mutating func members(of content: SessionEvent.Content) {
        switch content {
        case .link(let link):
            member("state", link.state.rawValue)
            if let status = link.reason { reason(status) }
            connection(
                interval: link.interval, latency: link.latency, supervisionTimeout: link.supervisionTimeout,
                mtu: link.mtu.map(Int.init))
        case .device(let device):
            if let name = device.name { member("name", name) }
            details(device.information, sensorLocation: device.sensorLocation, battery: device.battery)
        case .heartRate(let measurement): self.measurement(measurement)
        case .security(let step): members(of: step)
        case .gap(let from, let to, let reason):
            if let from { member("from", from) }
            if let to { member("to", to) }
            member("reason", reason)
        case .services: break
        }
    }
}

extension SessionEvent.Content {
    fileprivate var name: StaticString {
        switch self {
        case .link: "link"
        case .services: "service"
        case .device: "device"
        case .heartRate: "heart_rate"
        case .security: "security"
        case .gap: "gap"
        }
    }
}
