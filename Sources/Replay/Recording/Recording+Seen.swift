public import ATT
import Capture
public import Dissection
public import GATT
public import HCI
public import HeartRate
public import Wire

/// What the host in a recording saw.
public struct Seen: Sendable {
    /// Links, services, devices, heart rates and gaps, as they came.
    public internal(set) var events: [SessionEvent] = []
    /// Every value that a peer told, read or by itself, as it came.
    public internal(set) var values: [SeenValue] = []
    /// What is wrong with records, by their numbers.
    public internal(set) var faults: [Int: [Fault]] = [:]
}

/// A value that a peer told.
public struct SeenValue: Hashable, Sendable {
    /// The record that told.
    public var frame: Int
    /// `nil` in a capture without times.
    public var time: Timestamp?
    /// The device at the other end; `nil` where the capture does not tell.
    public var peer: DeviceAddress?
    /// Where the value is.
    public var handle: Handle
    /// The type of the attribute; `nil` where the capture does not tell.
    public var uuid: BluetoothUUID?
    /// The value as it was sent.
    public var value: [UInt8]
    /// The PDU that brought it.
    public var opcode: ATT.Opcode
}

extension Seen {
    /// How links went.
    public var links: [(peer: DeviceAddress?, report: LinkReport)] {
        events.compactMap { event in
            if case .link(let report) = event.content { (event.peer, report) } else { nil }
        }
    }

    /// What each peer serves, as far as the host asked; the last word counts.
    public var databases: [DeviceAddress: Database] {
        events.reduce(into: [:]) { databases, event in
            if case .services(let database) = event.content, let peer = event.peer { databases[peer] = database }
        }
    }

    /// The heart rates, as they came.
    public var heartRates: [HeartRateMeasurement] {
        events.compactMap { event in
            if case .heartRate(let measurement) = event.content { measurement } else { nil }
        }
    }
}

extension Recording {
    /// Goes through the recording as its host did: no host of ours runs, the packets go through our decoders alone.
    ///
    /// - Parameter heartRateHandles: attributes to take for the heart rate where the recording began after the discovery
    public func seen(heartRateHandles: Set<Handle> = []) -> Seen {
        var seen = Seen()
        var session = ReplaySession(heartRateHandles: heartRateHandles)
        for record in records {
            let dissected = session.receive(record, into: &seen.events)
            if !dissected.faults.isEmpty { seen.faults[record.frame] = dissected.faults }
            seen.values += SeenValue.values(in: dissected)
        }
        session.finish(into: &seen.events)
        return seen
    }
}

extension SeenValue {
    /// The values that a peer tells in a record.
    fileprivate static func values(in dissected: Dissected) -> [SeenValue] {
        guard let attribute = dissected.attribute, attribute.server == .peer, let octets = attribute.value else {
            return []
        }
        func value(_ handle: Handle, _ octets: some Sequence<UInt8>) -> SeenValue {
            SeenValue(
                frame: dissected.record.frame, time: dissected.record.timestamp, peer: dissected.peer, handle: handle,
                uuid: attribute.attributeType, value: [UInt8](octets), opcode: attribute.opcode)
        }
        switch attribute.opcode {
        case .handleValueNotification, .handleValueIndication:
            return attribute.handle.map { [value($0, octets)] } ?? []
        case .readResponse, .readBlobResponse:
            return attribute.requested.map { [value($0, octets)] } ?? []
        case .readByTypeResponse:
            return attribute.listedValues.map { value($0.handle, $0.value) }
        default: return []
        }
    }
}

extension AttributePDU {
    /// The values in a Read By Type Response, with their handles.
    var listedValues: [(handle: Handle, value: [UInt8])] {
        guard let octets = value, let length = octets.first else { return [] }
        let response = ReadByTypeResponse(length: length, attributeData: [UInt8](octets.dropFirst()))
        return ((try? response.entries()) ?? []).map { ($0.handle, $0.value) }
    }
}
