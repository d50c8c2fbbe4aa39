import GAP
import HCI
import Host
import Synchronization
import Wire

/// What `scan` has heard so far, and what of it has been shown.
///
/// As JSON each report is an object as it comes. For people each device is a line, written when it has had a moment to answer with
/// its name; those of one moment are sorted, straps first.
final class ScanRun: Sendable {
    fileprivate struct State {
        var devices = DeviceTable(capacity: 4096)
        /// Devices that matched, and what of them was shown last; bounded like the table.
        var matched: Set<DeviceAddress> = []
        var shown: [DeviceAddress: Shown] = [:]
        var fresh: Set<DeviceAddress> = []
    }

    /// What a device's line depends on: when it changes, the line is written again.
    fileprivate struct Shown: Hashable {
        var name: String?
        var isHeartRateSensor: Bool
    }

    /// Devices kept in mind; with random addresses that change there is no end to them.
    private static let mostDevices = 65_536

    private let state = Mutex(State())
    private let console: Console
    private let filter: DeviceFilter
    private let limit: Int?
    private let isJSON: Bool

    init(console: Console, filter: DeviceFilter, limit: Int?, isJSON: Bool) {
        self.console = console
        self.filter = filter
        self.limit = limit
        self.isJSON = isJSON
    }

    /// Takes one sighting.
    ///
    /// - Returns: whether enough devices have been heard
    func take(_ sighting: Sighting, at time: Timestamp) throws(OutputError) -> Bool {
        try state.withLock { (state: inout State) throws(OutputError) in
            let device = state.devices.record(sighting.advertisement, at: sighting.moment)
            guard filter.matches(device) else { return false }
            if state.matched.count >= Self.mostDevices { state.forget() }
            state.matched.insert(device.address)
            if isJSON {
                try console.output.write { octets in
                    JSONWriter.line(to: &octets) { $0.advertisement(sighting.advertisement, at: time) }
                }
            } else {
                state.note(device)
            }
            return limit.map { state.matched.count >= $0 } ?? false
        }
    }

    /// Writes the lines of devices that are new, or of which more is known now.
    func showNews() throws(OutputError) {
        guard !isJSON else { return }
        try state.withLock { (state: inout State) throws(OutputError) in
            let devices = state.fresh.compactMap { state.devices[$0] }.sorted(by: comesFirst)
            state.fresh = []
            for device in devices { try console.output.writeLine(device.line(console.style)) }
        }
    }

    /// Reports that were missed because standard output was too slow.
    func tellMissed(_ count: Int) {
        console.messages.warning("\(count) advertisements were missed: the reader of the output is too slow")
    }

    /// Straps first, then the strongest.
    private func comesFirst(_ left: Device, _ right: Device) -> Bool {
        if left.isHeartRateSensor != right.isHeartRateSensor { return left.isHeartRateSensor }
        let strengths = (left.rssi ?? .min, right.rssi ?? .min)
        return strengths.0 == strengths.1 ? left.address.address < right.address.address : strengths.0 > strengths.1
    }
}

extension ScanRun.State {
    /// Marks a device for showing where its line would be new.
    fileprivate mutating func note(_ device: Device) {
        let line = ScanRun.Shown(name: device.name, isHeartRateSensor: device.isHeartRateSensor)
        guard shown[device.address] != line else { return }
        shown[device.address] = line
        fresh.insert(device.address)
    }

    /// Starts counting anew.
    fileprivate mutating func forget() {
        matched = []
        shown = [:]
    }
}

extension Device {
    /// `♥ F0:F1:F2:F3:F4:01  random   -50 dBm  Virtual H7 0001`
    fileprivate func line(_ style: Style) -> String {
        let mark = isHeartRateSensor ? style.red("♥") : " "
        let strength = rssi.map { "\($0) dBm".padded(to: 8) } ?? "        "
        let kind = address.kind.jsonName.padded(to: 6, left: false)
        var parts = [mark, address.address.description, kind, strength]
        if let name { parts.append(style.bold(name.printable)) }
        if !services.isEmpty { parts.append(style.faint(services.map(\.description).joined(separator: " "))) }
        return parts.joined(separator: "  ")
    }
}

extension String {
    fileprivate func padded(to width: Int, left: Bool = true) -> String {
        let space = String(repeating: " ", count: max(0, width - count))
        return left ? space + self : self + space
    }
}
