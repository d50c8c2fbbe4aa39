import AssignedNumbers
import Dissection
import GATT
import HCI
import HeartRate
import Wire

/// The lines that `replay` prints for people. Times are UTC: the capture may come from anywhere.
extension SessionEvent {
    /// - Parameter style: colours, where they are wanted
    func lines(_ style: Style) -> [String] {
        let parts = [frame.description, time?.forPeople, peer?.address.description].compactMap(\.self)
        let head = style.faint(parts.joined(separator: "  ")) + "  "
        switch content {
        case .link(let link): return [head + link.text(style)]
        case .device(let device): return [head + device.text]
        case .heartRate(let measurement): return [head + measurement.text(style)]
        case .security(let step): return [head + "security: " + step.description.printable]
        case .gap(let from, let to, let reason):
            let times = [from, to].compactMap { $0?.forPeople }.joined(separator: " to ")
            return [head + style.yellow("gap \(times): \(reason)")]
        case .services(let database): return [head + "services"] + database.services.flatMap(\.lines)
        }
    }
}

extension Timestamp {
    /// `2024-02-29 23:59:58.500000`, UTC.
    fileprivate var forPeople: String {
        String(withinFourDigits.description.dropLast().map { $0 == "T" ? " " : $0 })
    }
}

extension LinkReport {
    fileprivate func text(_ style: Style) -> String {
        var parts: [String] = []
        if let reason { parts.append("\(reason) (\(reason.hexadecimal))") }
        if let interval { parts.append("interval \(interval.milliseconds) ms") }
        if let latency, latency > 0 { parts.append("latency \(latency)") }
        if let supervisionTimeout { parts.append("timeout \(Int(supervisionTimeout.rawValue) * 10) ms") }
        if let mtu { parts.append("MTU \(mtu)") }
        let state = state == .disconnected ? style.red(state.rawValue) : style.green(state.rawValue)
        return parts.isEmpty ? state : "\(state): \(parts.joined(separator: ", "))"
    }
}

extension DeviceReport {
    fileprivate var text: String {
        let parts: [(String, String?)] = [
            ("name", name), ("manufacturer", information.manufacturer), ("model", information.model),
            ("serial", information.serial), ("hardware", information.hardware), ("firmware", information.firmware),
            ("software", information.software), ("worn on", sensorLocation?.description),
            ("battery", battery.map { "\($0.percent) %" }),
        ]
        let known = parts.compactMap { name, value in value.map { "\(name) \($0.printable)" } }
        return "device: " + known.joined(separator: ", ")
    }
}

extension Service {
    fileprivate var lines: [String] {
        let kind = isPrimary ? "" : " (secondary)"
        let head = "        \(range)  \(uuid)\(kind)\(Names.service(uuid).map { "  " + $0 } ?? "")"
        return [head]
            + characteristics.map { characteristic in
                let name = Names.characteristic(characteristic.uuid).map { "  " + $0 } ?? ""
                let properties = characteristic.properties.names.joined(separator: ", ")
                return "          \(characteristic.valueHandle)  \(characteristic.uuid)\(name)  (\(properties))"
            }
    }
}
