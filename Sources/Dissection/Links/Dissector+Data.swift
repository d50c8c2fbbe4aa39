import ATT
import Capture
import HCI
import HeartRate
import L2CAP

extension Dissector {
    mutating func readData(_ dissected: inout Dissected) {
        let octets = dissected.octets
        let direction = dissected.record.direction
        guard let header = octets.uint16(at: 1) else {
            dissected.readHeader(count: 5, declared: nil)
            return
        }
        let handle = ConnectionHandle(rawValue: header)
        let boundary = PacketBoundary(rawValue: UInt8(truncatingIfNeeded: header >> 12))
        let length = octets.uint16(at: 3).map(Int.init)
        dissected.handle = handle
        let end = dissected.readHeader(count: 5, declared: length)
        guard let place = place(of: handle, &dissected) else {
            dissected.isVendorLog = true
            return
        }
        dissected.isEncrypted = links[place].isEncrypted
        if direction == nil, !links[place].hasToldDirection {
            links[place].hasToldDirection = true
            dissected.tell(.sentByPeer)
        }
        guard let end else {
            if let lost = links[place][direction].reset() { dissected.faults.append(.fragments(lost)) }
            if boundary.isStart { dissected.readCutFrame() }
            return
        }
        join(5..<end, boundary, place, &dissected)
        if dissected.channel == .attribute {
            readAttribute(place, &dissected)
        } else if dissected.channel == .securityManager, let payload = dissected.payload {
            dissected.security = .pairing(
                links[place].pairing.receive(
                    payload, from: direction, at: dissected.record.timestamp, isEncrypted: links[place].isEncrypted))
        } else if let payload = dissected.payload {
            dissected.isRedacted = Self.isWithheld(payload, dissected.channel)
        }
    }

    /// Where the link stands, begun where there is none yet: the capture may have started after it. `nil` for a chip's log.
    mutating func place(of handle: ConnectionHandle, _ dissected: inout Dissected) -> Int? {
        if let place = links.place(of: dissected.record.adapter, handle) { return place }
        guard handle != Self.vendorLog else { return nil }
        let (place, forgot) = links.open(dissected.record.adapter, handle)
        if forgot { dissected.faults.append(.tooManyLinks) }
        dissected.tell(.linkBeganEarlier)
        return place
    }

    /// Takes a fragment in, and notes the frame that it completes.
    private mutating func join(
        _ range: Range<Int>, _ boundary: PacketBoundary, _ place: Int, _ dissected: inout Dissected
    ) {
        let octets = dissected.octets
        let direction = dissected.record.direction
        // Nearly every frame comes in one fragment; it is left where it lies.
        if boundary.isStart, let length = octets.uint16(at: range.lowerBound), range.count == 4 + Int(length),
            let channel = octets.uint16(at: range.lowerBound + 2), !links[place].isCollecting(direction)
        {
            dissected.channel = ChannelID(rawValue: channel)
            dissected.payload = octets[range.dropFirst(4)]
            return
        }
        let outcome = links[place][direction].receive(
            octets.span.extracting(range), isContinuation: !boundary.isStart)
        dissected.faults += outcome.faults.map(Fault.fragments)
        guard let frame = outcome.frame else { return }
        dissected.channel = frame.channel
        dissected.payload = frame.payload[...]
    }

    private mutating func readAttribute(_ place: Int, _ dissected: inout Dissected) {
        guard let pdu = dissected.payload,
            let attribute = links[place].conversation.receive(pdu, from: dissected.record.direction)
        else {
            dissected.faults.append(.emptyAttributePDU)
            return
        }
        if attribute.isTypeOfEarlierLink { assume(.typeOfEarlierLink, attribute, place, &dissected) }
        if isHeartRate(attribute), let value = attribute.value {
            if attribute.attributeType == nil { assume(.heartRateHandle, attribute, place, &dissected) }
            readHeartRate(value, &dissected)
        }
        dissected.attribute = attribute
    }

    private func readHeartRate(_ value: ArraySlice<UInt8>, _ dissected: inout Dissected) {
        let measurement = HeartRateMeasurement(decoding: value.span)
        for fault in measurement.faults { dissected.faults.append(.heartRate(fault)) }
        dissected.heartRate = measurement
    }

    private mutating func assume(
        _ assumption: Assumptions, _ attribute: AttributePDU, _ place: Int, _ dissected: inout Dissected
    ) {
        dissected.assumptions.insert(assumption)
        guard let subject = attribute.handle ?? attribute.requested, links[place].tell(subject) else { return }
        dissected.newAssumptions.insert(assumption)
    }

    private func isHeartRate(_ attribute: AttributePDU) -> Bool {
        guard attribute.opcode == .handleValueNotification || attribute.opcode == .handleValueIndication else {
            return false
        }
        if let type = attribute.attributeType { return type == HeartRateUUID.measurement }
        return attribute.server == .peer && attribute.handle.map(heartRateHandles.contains) == true
    }

    /// Android's recorder, told to filter, writes this over the payload of the channels of classic profiles.
    private static func isWithheld(_ payload: ArraySlice<UInt8>, _ channel: ChannelID?) -> Bool {
        guard let channel, channel.rawValue >= 0x0040 else { return false }
        let filling: StaticString = "PROHIBITED"
        // It stands behind the header of the protocol above, which takes a few octets.
        return filling.withUTF8Buffer { filling in
            (0..<8).contains { unsafe payload.dropFirst($0).starts(with: filling) }
        }
    }

    /// Qualcomm's controllers send their debug log as ACL data on this handle; it is no L2CAP.
    static let vendorLog = ConnectionHandle(rawValue: 0x0EDC)
}
