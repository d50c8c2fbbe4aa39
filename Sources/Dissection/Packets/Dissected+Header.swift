import ATT
import Capture
import HCI
import L2CAP

extension Dissected {
    var octets: [UInt8] { record.octets }

    /// Checks a packet's header against what is there.
    ///
    /// - Returns: where the packet ends, by its own length; `nil` where it is not whole
    @discardableResult
    mutating func readHeader(count: Int, declared: Int?) -> Int? {
        let present = record.octets.count
        guard present >= count, let declared else {
            if !record.isCutShort { faults.append(.headerCut(octets: present, needed: count)) }
            return nil
        }
        guard present - count >= declared else {
            if !record.isCutShort { faults.append(.parametersCut(octets: present - count, declared: declared)) }
            return nil
        }
        if present - count > declared { faults.append(.trailing(octets: present - count - declared)) }
        return count + declared
    }

    /// Says an assumption that is said once.
    mutating func tell(_ assumption: Assumptions) {
        assumptions.formUnion(assumption)
        newAssumptions.formUnion(assumption)
    }

    mutating func readLayout(_ layout: EventLayout, at start: Int) {
        if layout.beginsWithStatus { status = octets.uint8(at: start).map(Status.init(rawValue:)) }
        if let offset = layout.handleOffset {
            handle = octets.uint16(at: start + offset).map(ConnectionHandle.init(rawValue:))
        }
    }

    /// What can be told of a frame of which only the beginning was recorded.
    mutating func readCutFrame() {
        let octets = octets
        guard let length = octets.uint16(at: 5), let channel = octets.uint16(at: 7) else {
            faults.append(.frameCut(octets: max(0, octets.count - 5), needed: nil))
            return
        }
        faults.append(.frameCut(octets: octets.count - 9, needed: Int(length)))
        self.channel = ChannelID(rawValue: channel)
        guard self.channel == .attribute, record.octets.count > 9 else { return }
        guard let pdu = AnyPDU(record.octets.span.extracting(9..<min(record.octets.count, 9 + Int(length)))) else {
            return
        }
        attribute = AttributePDU(
            opcode: pdu.opcode, handle: pdu.handle, value: nil,
            server: pdu.opcode.isFromClient == (record.direction != .sent) ? .host : .peer)
    }
}
