import Capture
import HCI
import Wire

extension Dissector {
    mutating func readCommand(_ dissected: inout Dissected) {
        let octets = dissected.octets
        guard let opcode = octets.uint16(at: 1).map(HCI.Opcode.init(rawValue:)) else {
            dissected.readHeader(count: 4, declared: nil)
            return
        }
        let length = octets.uint8(at: 3).map(Int.init)
        if opcode.takesHandle { dissected.handle = octets.uint16(at: 4).map(ConnectionHandle.init(rawValue:)) }
        dissected.opcode = opcode
        guard dissected.readHeader(count: 4, declared: length) != nil else { return }
        if let attempt = ConnectionAttempt(opcode, dissected.record.octets[4...]) {
            links.attempted[dissected.record.adapter] = attempt.peer
            dissected.linkChange = .connecting(attempt.peer)
        }
        readEncryption(of: opcode, &dissected)
    }

    mutating func readEvent(_ dissected: inout Dissected) {
        let octets = dissected.octets
        let code = octets.uint8(at: 1).map(EventCode.init(rawValue:))
        let length = octets.uint8(at: 2).map(Int.init)
        dissected.eventCode = code
        let end = dissected.readHeader(count: 3, declared: length)
        guard let code else { return }
        switch code {
        case .commandComplete: readCommandComplete(&dissected)
        case .commandStatus:
            dissected.status = dissected.octets.uint8(at: 3).map(Status.init(rawValue:))
            dissected.opcode = dissected.octets.uint16(at: 5).map(HCI.Opcode.init(rawValue:))
        case .leMeta: readLEEvent(end, &dissected)
        case .numberOfCompletedPackets:
            if dissected.octets.uint8(at: 3) == 1 {
                dissected.handle = dissected.octets.uint16(at: 4).map(ConnectionHandle.init(rawValue:))
            }
        default:
            dissected.readLayout(EventLayout(code), at: 3)
            check(code, end, &dissected)
            readLinkEvent(code, &dissected)
        }
    }

    private mutating func readLinkEvent(_ code: EventCode, _ dissected: inout Dissected) {
        switch code {
        case .disconnectionComplete: readDisconnection(&dissected)
        case .encryptionChange, .encryptionChangeV2, .encryptionKeyRefreshComplete: readEncryption(code, &dissected)
        case Self.connectionComplete: readClassicConnection(&dissected)
        default: break
        }
    }

    private static let connectionComplete = EventCode(rawValue: 0x03)

    private mutating func readCommandComplete(_ dissected: inout Dissected) {
        let octets = dissected.octets
        guard let opcode = octets.uint16(at: 4).map(HCI.Opcode.init(rawValue:)) else { return }
        dissected.opcode = opcode
        // Every command of the specification returns a status first; a vendor's need not.
        guard opcode != .none, !opcode.isVendorSpecific else { return }
        dissected.status = octets.uint8(at: 6).map(Status.init(rawValue:))
        if opcode.returnsHandle { dissected.handle = octets.uint16(at: 7).map(ConnectionHandle.init(rawValue:)) }
        if opcode == Reset.opcode, dissected.status == .success { endAllLinks(&dissected) }
    }

    private mutating func readLEEvent(_ end: Int?, _ dissected: inout Dissected) {
        guard let subevent = dissected.octets.uint8(at: 3).map(LESubevent.init(rawValue:)) else { return }
        dissected.subevent = subevent
        switch subevent {
        case .advertisingReport: readReports(.legacy, end, &dissected)
        case .directedAdvertisingReport: readReports(.directed, end, &dissected)
        case .extendedAdvertisingReport: readReports(.extended, end, &dissected)
        default:
            dissected.readLayout(EventLayout(subevent), at: 4)
            check(.leMeta, end, &dissected)
            readLinkEvent(&dissected)
        }
    }

    /// Finds out whether the event's fields are whole, where its type is known.
    private func check(_ code: EventCode, _ end: Int?, _ dissected: inout Dissected) {
        guard let end else { return }
        var trailing = 0
        do throws(WireError) {
            _ = try Event(code, parameters: dissected.record.octets.span.extracting(3..<end), trailing: &trailing)
            if trailing > 0 { dissected.faults.append(.trailing(octets: trailing)) }
        } catch {
            dissected.faults.append(.fields(error))
        }
    }
}
