import ATT
import Capture
import GATT
import HCI
import HeartRate
import Wire

/// What the host in a capture knows of one peer and of the link to it.
struct PeerState: Sendable {
    var address: DeviceAddress?
    private(set) var link = LinkReport(state: .connected)
    /// Whether measurements were ever asked for: then they are missed while the link is down.
    private(set) var hasSubscribed = false
    private var device = DeviceReport()
    /// Whether `device` holds something that was not passed on yet.
    private var hasNews = false
    private var services: Database?
    /// Whether the services were told on this link.
    private var hasToldServices = false
    /// The value that is being read piece by piece, and its handle.
    private var long: (handle: Handle, octets: [UInt8])?
    /// When the last measurement came.
    private var lastMeasurement: Timestamp?
    /// Why measurements may be missing since; `nil` while they come.
    private var gapReason: String?

    init(address: DeviceAddress? = nil) { self.address = address }

    // MARK: Link

    mutating func begin(_ connection: EstablishedConnection) {
        address = connection.peer
        link = LinkReport(
            state: .connected, interval: connection.interval, latency: connection.latency,
            supervisionTimeout: connection.supervisionTimeout)
        hasToldServices = false
    }

    mutating func update(_ interval: ConnectionInterval, latency: UInt16, _ timeout: SupervisionTimeout) {
        (link.interval, link.latency, link.supervisionTimeout) = (interval, latency, timeout)
    }

    mutating func end(_ reason: Status?) {
        link = LinkReport(state: .disconnected, reason: reason)
        gapReason = reason?.description ?? "the adapter was reset or taken away"
    }

    /// The peer took a wish for measurements, or for none any more (Core Vol 3, Part G, 3.3.3.3).
    mutating func subscribe(_ configuration: [UInt8], mtu: UInt16?, _ mark: RecordMark, _ events: inout [SessionEvent])
    {
        let isOn = configuration.first.map { $0 & 0b11 != 0 } ?? false
        link.mtu = mtu
        guard isOn != (link.state == .subscribed) else { return }
        link.state = isOn ? .subscribed : .connected
        hasSubscribed = hasSubscribed || isOn
        guard isOn else { return }
        tellDevice(mark, &events)
        events.append(SessionEvent(mark, address, .link(link)))
    }

    // MARK: Device

    /// Takes in what the peer said of itself.
    mutating func learn(from attribute: AttributePDU) {
        guard let value = attribute.value, let type = attribute.attributeType, Self.tells(type) else { return }
        switch attribute.opcode {
        case .readResponse:
            long = attribute.requested.map { ($0, [UInt8](value)) }
            take([UInt8](value), of: type)
        case .readBlobResponse:
            guard let part = long, part.handle == attribute.requested, part.octets.count == attribute.offset else {
                return
            }
            long?.octets += value
            take(part.octets + value, of: type)
        case .readByTypeResponse:
            guard let length = value.first else { return }
            let response = ReadByTypeResponse(length: length, attributeData: [UInt8](value.dropFirst()))
            for entry in (try? response.entries()) ?? [] { take(entry.value, of: type) }
        case .handleValueNotification, .handleValueIndication: take([UInt8](value), of: type)
        default: return
        }
    }

    /// Whether values of this type say something of the device.
    static func tells(_ type: BluetoothUUID) -> Bool {
        switch type {
        case .deviceName, HeartRateUUID.bodySensorLocation, HeartRateUUID.batteryLevel: true
        default: DeviceInformation.characteristics.contains(type)
        }
    }

    private mutating func take(_ value: [UInt8], of type: BluetoothUUID) {
        let before = device
        switch type {
        case .deviceName: device.name = DeviceInformation.text(value.span)
        case HeartRateUUID.bodySensorLocation:
            device.sensorLocation = (try? BodySensorLocation(decoding: value.span)) ?? device.sensorLocation
        case HeartRateUUID.batteryLevel: device.battery = (try? BatteryLevel(decoding: value.span)) ?? device.battery
        default: try? device.information.record(value.span, of: type)
        }
        if device != before { hasNews = true }
    }

    // MARK: Telling

    /// Tells what the peer serves, the first time on a link.
    mutating func tellServicesOnce(
        _ database: () -> Database, _ mark: RecordMark, _ events: inout [SessionEvent]
    ) {
        if !hasToldServices { tellServices(database(), mark, &events) }
    }

    /// Tells what the peer serves, where there is anything new.
    mutating func tellServices(_ database: Database, _ mark: RecordMark, _ events: inout [SessionEvent]) {
        hasToldServices = true
        guard !database.services.isEmpty, database != services else { return }
        services = database
        events.append(SessionEvent(mark, address, .services(database)))
    }

    /// Tells what is new of the device. Several reads make one report.
    mutating func tellDevice(_ mark: RecordMark, _ events: inout [SessionEvent]) {
        guard hasNews else { return }
        hasNews = false
        events.append(SessionEvent(mark, address, .device(device)))
    }

    mutating func tell(_ measurement: HeartRateMeasurement, _ mark: RecordMark, _ events: inout [SessionEvent]) {
        tellDevice(mark, &events)
        if let reason = gapReason, let from = lastMeasurement {
            events.append(SessionEvent(mark, address, .gap(from: from, to: mark.time, reason: reason)))
        }
        gapReason = nil
        lastMeasurement = mark.time
        events.append(SessionEvent(mark, address, .heartRate(measurement)))
    }

    /// A PDU of the peer's that did not arrive whole may have been a measurement.
    func followFaults(_ dissected: Dissected, _ events: inout [SessionEvent]) {
        guard link.state == .subscribed, dissected.record.direction != .sent else { return }
        let lost = dissected.faults.first { fault in
            switch fault {
            case .fragments, .frameCut, .parametersCut, .headerCut: true
            default: false
            }
        }
        guard let lost else { return }
        let content = SessionEvent.Content.gap(
            from: lastMeasurement, to: dissected.record.timestamp, reason: lost.description)
        events.append(SessionEvent(RecordMark(dissected.record), address, content))
    }
}
