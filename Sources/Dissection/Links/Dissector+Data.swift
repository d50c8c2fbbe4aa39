import ATT
import Capture
import HCI
import HeartRate
import L2CAP

extension Dissector {
    mutating func readData(_ dissected: inout Dissected) {
        let record = dissected.record
        let octets = dissected.octets
        guard let header = octets.uint16(at: 1) else {
            dissected.readHeader(count: 5, declared: nil)
            return
        }
        let handle = ConnectionHandle(rawValue: header)
        let boundary = PacketBoundary(rawValue: UInt8(truncatingIfNeeded: header >> 12))
        let length = octets.uint16(at: 3).map(Int.init)
        dissected.handle = handle
        let end = dissected.readHeader(count: 5, declared: length)
        if !links.contains(record.adapter, handle) {
            if handle == Self.vendorLog {
                dissected.isVendorLog = true
                return
            }
            makeRoom(&dissected)
        }
        guard let end else {
            if let lost = links[record.adapter, handle][record.direction].reset() {
                dissected.faults.append(.fragments(lost))
            }
            if boundary.isStart { dissected.readCutFrame() }
            return
        }
        guard let frame = join(5..<end, boundary, &dissected) else { return }
        dissected.channel = frame.channel
        dissected.payload = frame.payload
        if frame.channel == .attribute { readAttribute(frame.payload, &dissected) }
    }

    /// The frame that the fragment completes.
    private mutating func join(
        _ range: Range<Int>, _ boundary: PacketBoundary, _ dissected: inout Dissected
    ) -> (channel: ChannelID, payload: ArraySlice<UInt8>)? {
        let record = dissected.record
        let octets = dissected.octets
        // Nearly every frame comes in one fragment; it is left where it lies.
        if boundary.isStart, let length = octets.uint16(at: range.lowerBound), range.count == 4 + Int(length),
            let channel = octets.uint16(at: range.lowerBound + 2),
            !links[record.adapter, handle(dissected)][record.direction].isCollecting
        {
            return (ChannelID(rawValue: channel), record.octets[range.dropFirst(4)])
        }
        let outcome = links[record.adapter, handle(dissected)][record.direction].receive(
            record.octets.span.extracting(range), isContinuation: !boundary.isStart)
        dissected.faults += outcome.faults.map(Fault.fragments)
        return outcome.frame.map { ($0.channel, $0.payload[...]) }
    }

    private func handle(_ dissected: Dissected) -> ConnectionHandle {
        dissected.handle ?? ConnectionHandle(rawValue: 0)
    }

    private mutating func readAttribute(_ pdu: ArraySlice<UInt8>, _ dissected: inout Dissected) {
        let record = dissected.record
        guard let attribute = links[record.adapter, handle(dissected)].conversation.receive(pdu, from: record.direction)
        else {
            dissected.faults.append(.emptyAttributePDU)
            return
        }
        dissected.attribute = attribute
        guard isHeartRate(attribute), let value = attribute.value else { return }
        let measurement = HeartRateMeasurement(decoding: value.span)
        dissected.faults += measurement.faults.map(Fault.heartRate)
        dissected.heartRate = measurement
    }

    private func isHeartRate(_ attribute: AttributePDU) -> Bool {
        guard attribute.opcode == .handleValueNotification || attribute.opcode == .handleValueIndication else {
            return false
        }
        if let type = attribute.attributeType { return type == HeartRateUUID.measurement }
        return attribute.server == .peer && attribute.handle.map(heartRateHandles.contains) == true
    }

    /// Qualcomm's controllers send their debug log as ACL data on this handle; it is no L2CAP.
    private static let vendorLog = ConnectionHandle(rawValue: 0x0EDC)
}
