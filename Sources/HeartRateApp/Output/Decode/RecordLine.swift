import ATT
import Capture
import Dissection
import HCI
import HeartRate
import L2CAP
import Wire

/// The line that `decode` prints for a record, written piece by piece to a buffer of octets.
struct RecordLine {
    private var octets: [UInt8]
    private let names: NameMemory
    private let style: Style

    /// Appends the line for `dissected`, and its end, to `buffer`.
    ///
    /// - Parameter names: one for the whole capture
    static func append(_ dissected: Dissected, _ names: NameMemory, style: Style, to buffer: inout [UInt8]) {
        var line = RecordLine(octets: buffer, names: names, style: style)
        // The line holds the only reference from here on, so that nothing is copied.
        buffer = []
        line.write(dissected)
        buffer = line.octets
    }

    private mutating func write(_ dissected: Dissected) {
        writeHead(dissected.record)
        switch dissected.record.kind {
        case .command: writeCommand(dissected)
        case .event: writeEvent(dissected)
        case .acl: writeData(dissected)
        case .sco, .iso: writeIsochronous(dissected)
        case .note(let opcode): writeNote(opcode, dissected.record)
        case .loggerNote(let type): writeNote(type, dissected.record)
        case .foreign(let linkType): writeForeign(linkType, dissected.record)
        case .unassigned, .empty: octets.append("record without a packet" as StaticString)
        }
        if let security = dissected.security?.brief { write("  = ", security, color: .green) }
        if !dissected.newAssumptions.isEmpty { write("  ? ", dissected.newAssumptions.description, color: .yellow) }
        if let malformed = dissected.malformed { write("  ! ", malformed, color: .red) }
        octets.append(UInt8(ascii: "\n"))
    }

    /// Frame, time, adapter and direction, in columns.
    private mutating func writeHead(_ record: Record) {
        octets.append(decimal: record.frame, width: 6)
        octets.append(UInt8(ascii: " "))
        if let timestamp = record.timestamp {
            let start = octets.count
            timestamp.withinFourDigits.append(to: &octets)
            // `2024-02-29T23:59:58.500000Z`, for the eye.
            octets[start + 10] = UInt8(ascii: " ")
            octets[octets.count - 1] = UInt8(ascii: " ")
        }
        if let adapter = record.adapter {
            octets.append("hci" as StaticString)
            octets.append(decimal: adapter)
            octets.append(UInt8(ascii: " "))
        }
        switch record.direction {
        case .received: octets.append("> " as StaticString)
        case .sent: octets.append("< " as StaticString)
        case nil: octets.append(record.kind.packetType == nil ? "= " : "  ")
        }
    }

    // MARK: Commands and events

    private mutating func writeCommand(_ dissected: Dissected) {
        write(dissected.name ?? "Command", color: .blue)
        if let handle = dissected.handle { write(handle: handle.rawValue) }
        switch dissected.linkChange {
        case .connecting(let peer?): write(peer)
        default:
            let parameters = dissected.record.octets.dropFirst(4)
            guard !parameters.isEmpty else { return }
            octets.append(UInt8(ascii: " "))
            octets.append(lowerHexadecimal: parameters)
        }
    }

    private mutating func writeEvent(_ dissected: Dissected) {
        write(dissected.name ?? "Event", color: .magenta)
        if let opcode = dissected.opcode {
            octets.append(": " as StaticString)
            octets.append(opcode.description)
        }
        if let handle = dissected.handle { write(handle: handle.rawValue) }
        switch dissected.linkChange {
        case .connected(let link):
            write(link.peer)
            octets.append(" " as StaticString)
            octets.append(link.role.description)
            write(link.interval, link.latency, link.supervisionTimeout)
        case .updated(let interval, let latency, let timeout): write(interval, latency, timeout)
        case .disconnected(let reason): write(reason)
        default:
            if let status = dissected.status { write(status) }
        }
        if let encryption = dissected.encryption {
            octets.append(encryption == .off ? " no longer encrypted" : " encrypted on air from here")
        }
        if dissected.eventCode == .vendorSpecific {
            octets.append(UInt8(ascii: " "))
            octets.append(lowerHexadecimal: dissected.record.octets.dropFirst(3))
        }
        for (index, report) in dissected.reports.enumerated() {
            if index > 0 { octets.append(" |" as StaticString) }
            write(report)
        }
    }

    private mutating func write(_ status: Status) {
        octets.append(UInt8(ascii: " "))
        if status == .success {
            octets.append("Success" as StaticString)
        } else {
            write("\(status) (\(status.hexadecimal))", color: .red)
        }
    }

    private mutating func write(_ interval: ConnectionInterval, _ latency: UInt16, _ timeout: SupervisionTimeout) {
        octets.append(" interval " as StaticString)
        octets.append(thousandths: Int(interval.rawValue) * 1250)
        octets.append(" ms latency " as StaticString)
        octets.append(decimal: latency)
        octets.append(" timeout " as StaticString)
        octets.append(decimal: Int(timeout.rawValue) * 10)
        octets.append(" ms" as StaticString)
    }

    // MARK: Data

    private mutating func writeIsochronous(_ dissected: Dissected) {
        octets.append(dissected.record.kind == .sco ? "SCO data" : "ISO data")
        if let handle = dissected.handle { write(handle: handle.rawValue) }
    }

    private mutating func writeData(_ dissected: Dissected) {
        if let handle = dissected.handle {
            octets.append("ACL" as StaticString)
            write(handle: handle.rawValue)
            octets.append(UInt8(ascii: " "))
        }
        write(dissected.name ?? "data", color: .cyan)
        if let attribute = dissected.attribute {
            write(attribute, dissected.payload)
            if let measurement = dissected.heartRate { write(measurement) }
        } else if let payload = dissected.payload, !payload.isEmpty {
            octets.append(UInt8(ascii: " "))
            octets.append(lowerHexadecimal: payload)
        } else if dissected.record.octets.count > 5 {
            octets.append(UInt8(ascii: " "))
            octets.append(decimal: dissected.record.octets.count - 5)
            octets.append(" octets" as StaticString)
        }
    }

    private mutating func write(_ attribute: AttributePDU, _ pdu: ArraySlice<UInt8>?) {
        if let handle = attribute.handle ?? attribute.requested { write(handle: handle.rawValue) }
        if let type = attribute.attributeType {
            octets.append(UInt8(ascii: " "))
            type.append(to: &octets)
            if let name = names.attributeType(type) {
                octets.append(UInt8(ascii: " "))
                octets.append(name)
            }
        }
        if attribute.opcode == .errorResponse, let pdu,
            let error = try? ErrorResponse(decoding: [UInt8](pdu.dropFirst()))
        {
            octets.append(": " as StaticString)
            write("\(error.code)", color: .yellow)
            octets.append(" to \(error.request)")
            if attribute.requested == nil { write(handle: error.handle.rawValue) }
        } else if let value = attribute.value, !value.isEmpty {
            octets.append(": " as StaticString)
            octets.append(lowerHexadecimal: value)
        }
    }

    private mutating func write(_ measurement: HeartRateMeasurement) {
        octets.append(" = " as StaticString)
        write(measurement.beatsPerMinute.map { "\($0) bpm" } ?? "no rate", color: .green)
        if let contact = measurement.contact { octets.append(contact ? " contact" : " no contact") }
        if let energy = measurement.energyExpended {
            octets.append(UInt8(ascii: " "))
            octets.append(decimal: energy)
            octets.append(" kJ" as StaticString)
        }
        guard !measurement.intervals.isEmpty else { return }
        octets.append(" RR" as StaticString)
        for interval in measurement.intervals {
            octets.append(UInt8(ascii: " "))
            octets.append(thousandths: interval.microseconds)
        }
        octets.append(" ms" as StaticString)
    }

    // MARK: Pieces

    private mutating func write(handle: UInt16) {
        octets.append(UInt8(ascii: " "))
        octets.append(handle: handle)
    }

    private mutating func write(_ peer: DeviceAddress) {
        octets.append(UInt8(ascii: " "))
        peer.address.append(to: &octets)
        switch peer.kind {
        case .public: octets.append(" public" as StaticString)
        case .random: octets.append(" random" as StaticString)
        default: octets.append(" \(peer.kind)")
        }
    }

    private mutating func write(_ report: AdvertisingReport) {
        octets.append(UInt8(ascii: " "))
        octets.append(report.kindName)
        write(report.advertiser)
        if let rssi = report.rssi.dBm {
            octets.append(UInt8(ascii: " "))
            octets.append(decimal: rssi)
            octets.append(" dBm" as StaticString)
        }
        octets.appendSummary(ofAdvertisingData: report.data.span, names)
    }

    private mutating func writeNote(_ opcode: MonitorOpcode, _ record: Record) {
        write(opcode.description, color: .yellow)
        guard !record.octets.isEmpty else { return }
        octets.append(UInt8(ascii: " "))
        octets.append(record.noteText(opcode))
    }

    private mutating func writeNote(_ type: PacketLogger.RecordType, _ record: Record) {
        write(type.description, color: .yellow)
        guard !record.octets.isEmpty else { return }
        octets.append(UInt8(ascii: " "))
        octets.append(record.noteText(type))
    }

    private mutating func writeForeign(_ linkType: LinkType?, _ record: Record) {
        octets.append("no HCI: " as StaticString)
        octets.append(linkType.map(\.description) ?? "an interface that the file does not describe")
        octets.append(" " as StaticString)
        octets.append(decimal: record.includedLength)
        octets.append(" octets" as StaticString)
    }

    private enum Color { case red, green, yellow, blue, magenta, cyan }

    private mutating func write(_ text: String..., color: Color) {
        for text in text {
            guard style.isOn else {
                octets.append(text)
                continue
            }
            switch color {
            case .red: octets.append(style.red(text))
            case .green: octets.append(style.green(text))
            case .yellow: octets.append(style.yellow(text))
            case .blue: octets.append(style.blue(text))
            case .magenta: octets.append(style.magenta(text))
            case .cyan: octets.append(style.cyan(text))
            }
        }
    }
}

extension AdvertisingReport {
    /// The name of the PDU on air.
    fileprivate var kindName: String {
        guard form == .extended else { return AdvertisingKind(rawValue: UInt8(truncatingIfNeeded: kind)).description }
        let kind = ExtendedAdvertisingKind(rawValue: kind)
        return kind.legacyKind?.description ?? kind.name.map { "AUX \($0)" } ?? "AUX"
    }
}
