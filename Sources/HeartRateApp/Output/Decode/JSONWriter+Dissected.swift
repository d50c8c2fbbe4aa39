import ATT
import Capture
import Dissection
import HCI
import HeartRate
import L2CAP
import Wire

/// The object that `decode --json` prints for a record.
extension JSONWriter {
    /// - Parameter fields: appends all fields of the packet by name, where they are wanted
    mutating func members(of dissected: Dissected, fields: ((inout [UInt8]) -> Void)? = nil) {
        let record = dissected.record
        member("frame", record.frame)
        if let timestamp = record.timestamp {
            member("time", timestamp)
        }
        if let adapter = record.adapter { member("adapter", adapter) }
        if let direction = record.direction { member("direction", direction == .received ? "in" : "out") }
        let kind = RecordClass(record.kind)
        if kind != .other { member("packet", kind.word) }
        if let opcode = dissected.opcode { member("opcode", opcode.rawValue) }
        if let code = dissected.eventCode { member("event_code", code.rawValue) }
        if let subevent = dissected.subevent { member("subevent", subevent.rawValue) }
        if let status = dissected.status { member("status", status.rawValue) }
        if let name = dissected.name { member("name", name) }
        if dissected.isVendorSpecific { flag("vendor") }
        if !dissected.reports.isEmpty {
            key("adv")
            array { json in
                for report in dissected.reports { json.object { $0.members(of: report) } }
            }
        }
        if let handle = dissected.handle { member("handle", handle.rawValue) }
        if let peer = dissected.peer { member("peer", peer.address) }
        if let change = dissected.linkChange { link(change) }
        if let encryption = dissected.encryption { member("encryption", encryption.rawValue) }
        if dissected.isEncrypted { flag("encrypted") }
        if let channel = dissected.channel { member("cid", channel.rawValue) }
        if let attribute = dissected.attribute {
            key("att")
            object { $0.members(of: attribute, dissected.payload) }
        } else if let payload = dissected.payload, let channel = dissected.channel {
            members(of: payload, on: channel)
        }
        if let measurement = dissected.heartRate {
            key("heart_rate")
            object { $0.measurement(measurement) }
        }
        if let security = dissected.security { self.security(security) }
        if !dissected.assumptions.isEmpty { assumed(dissected.assumptions) }
        if dissected.isRedacted { flag("withheld") }
        if record.isCutShort { member("original_length", record.originalLength) }
        if let malformed = dissected.malformed { member("malformed", malformed) }
        if record.cumulativeDrops > 0 { member("drops", record.cumulativeDrops) }
        if let fields {
            key("fields")
            array { $0.append(fields) }
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

    /// A key that stands for its being true.
    private mutating func flag(_ name: StaticString) {
        key(name)
        bool(true)
    }

    private mutating func assumed(_ assumptions: Assumptions) {
        let words: KeyValuePairs<Assumptions, StaticString> = [
            .linkBeganEarlier: "link_began_earlier", .sentByPeer: "sent_by_peer",
            .typeOfEarlierLink: "type_of_earlier_link", .heartRateHandle: "heart_rate_handle",
        ]
        key("assumed")
        array { json in
            for (assumption, word) in words where assumptions.contains(assumption) { json.string(word) }
        }
    }

    // MARK: Data

    private mutating func members(of attribute: AttributePDU, _ pdu: ArraySlice<UInt8>?) {
        member("opcode", attribute.opcode.rawValue)
        if let handle = attribute.handle {
            member("handle", handle.rawValue)
        } else if let requested = attribute.requested {
            member("requested", requested.rawValue)
        }
        if let value = attribute.value {
            key("value")
            hexadecimal(value)
        }
        if let type = attribute.attributeType {
            key("uuid")
            uuid(type)
        }
        guard attribute.opcode == .errorResponse, let pdu,
            let error = try? ErrorResponse(decoding: [UInt8](pdu.dropFirst()))
        else { return }
        key("error")
        object { json in
            json.member("request", error.request.rawValue)
            json.member("handle", error.handle.rawValue)
            json.member("code", error.code.rawValue)
            json.member("name", error.code.description)
        }
    }
}
