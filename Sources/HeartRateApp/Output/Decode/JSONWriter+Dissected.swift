import ATT
import Capture
import Dissection
import HCI
import HeartRate
import L2CAP
import Wire

/// The object that `decode --json` prints for a record.
extension JSONWriter {
    /// - Parameter fields: all fields of the packet by name, where they are wanted
    mutating func members(of dissected: Dissected, fields: [DescribedField]?) {
        let record = dissected.record
        member("frame", record.frame)
        if let timestamp = record.timestamp {
            member("time", timestamp)
        }
        if let adapter = record.adapter { member("adapter", adapter) }
        if let direction = record.direction { member("direction", direction == .received ? "in" : "out") }
        if let packet = record.kind.word { member("packet", packet) }
        if let opcode = dissected.opcode { member("opcode", opcode.rawValue) }
        if let code = dissected.eventCode { member("event_code", code.rawValue) }
        if let subevent = dissected.subevent { member("subevent", subevent.rawValue) }
        if let status = dissected.status { member("status", status.rawValue) }
        if let name = dissected.name { member("name", name) }
        if !dissected.reports.isEmpty {
            key("adv")
            array { json in
                for report in dissected.reports { json.object { $0.members(of: report) } }
            }
        }
        if let handle = dissected.handle { member("handle", handle.rawValue) }
        if let channel = dissected.channel { member("cid", channel.rawValue) }
        if let attribute = dissected.attribute {
            key("att")
            object { $0.members(of: attribute) }
        }
        if let measurement = dissected.heartRate {
            key("heart_rate")
            object { $0.measurement(measurement) }
        }
        if let malformed = dissected.malformed { member("malformed", malformed) }
        if record.cumulativeDrops > 0 { member("drops", record.cumulativeDrops) }
        if let fields {
            key("fields")
            self.fields(fields)
        }
        key("data")
        hexadecimal(record.kind.packetType == nil ? record.octets[...] : record.octets.dropFirst())
    }

    private mutating func members(of report: AdvertisingReport) {
        member("kind", report.kind)
        if report.advertiser.kind != .anonymous {
            member("address_type", report.advertiser.kind.rawValue)
        }
        member("address", report.advertiser.address)
        if let rssi = report.rssi.dBm { member("rssi", rssi) }
        if let power = report.txPower.dBm { member("tx_power", power) }
        if let setID = report.setID { member("sid", setID) }
        key("data")
        hexadecimal(report.data)
    }

    private mutating func fields(_ fields: [DescribedField]) {
        array { json in
            for field in fields {
                json.object { json in
                    json.member("name", field.name)
                    if !field.text.isEmpty { json.member("value", field.text) }
                    guard !field.children.isEmpty else { return }
                    json.key("fields")
                    json.fields(field.children)
                }
            }
        }
    }

    private mutating func members(of attribute: AttributePDU) {
        member("opcode", attribute.opcode.rawValue)
        if let handle = attribute.handle { member("handle", handle.rawValue) }
        if let value = attribute.value {
            key("value")
            hexadecimal(value)
        }
        if let type = attribute.attributeType {
            key("uuid")
            uuid(type)
        }
    }
}

extension RRInterval {
    /// The interval to the nearest microsecond.
    var microseconds: Int { (Int(ticks) * 1_000_000 + 512) / 1024 }
}

extension Record.Kind {
    /// The contract's word for it; `nil` for a record that holds no packet of a known type.
    fileprivate var word: String? {
        switch self {
        case .command: "command"
        case .event: "event"
        case .acl: "acl"
        case .sco: "sco"
        case .iso: "iso"
        case .note: "note"
        case .unassigned, .empty: nil
        }
    }
}
