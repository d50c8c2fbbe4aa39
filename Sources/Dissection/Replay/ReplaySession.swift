public import ATT
public import Capture
import GATT
import HCI
import HeartRate
import Wire

/// Goes through a capture as the host in it did: links, devices, heart rates, and the gaps between them.
public struct ReplaySession: Sendable {
    var dissector: Dissector
    /// The links now open. As many as the dissector keeps apart, which forgets all where there are too many.
    private var links: [LinkID: PeerState] = [:]
    /// The peers whose link has ended, for when they come back.
    private var left: [DeviceAddress: PeerState] = [:]
    private var drops: UInt32 = 0
    /// The record before the one at hand.
    private var last: RecordMark?
    /// Attributes that sent what could be heart rates while nothing in the capture says what they are, and how often.
    public private(set) var unclaimed: [Handle: Int] = [:]

    private struct LinkID: Hashable {
        var adapter: UInt16?
        var handle: ConnectionHandle
    }

    /// - Parameter heartRateHandles: as in `Dissector.init(heartRateHandles:)`
    public init(heartRateHandles: Set<Handle> = []) { dissector = Dissector(heartRateHandles: heartRateHandles) }

    /// Takes the next record and appends what it tells.
    ///
    /// - Returns: what the record says by itself
    @discardableResult
    public mutating func receive(_ record: consuming Record, into events: inout [SessionEvent]) -> Dissected {
        let dissected = dissector.dissect(record)
        if dissected.record.cumulativeDrops != drops { followDrops(dissected.record, &events) }
        if dissected.faults.contains(.tooManyLinks) { links = [:] }
        if let security = dissected.security, security.isMilestone {
            events.append(SessionEvent(RecordMark(dissected.record), dissected.peer, .security(security)))
        }
        if let change = dissected.linkChange { follow(change, dissected, &events) }
        if let handle = dissected.handle, dissected.record.kind == .acl {
            let id = LinkID(adapter: dissected.record.adapter, handle: handle)
            // Asked of its parts: the whole would be copied for most of what sensors send, which tells nothing.
            if let opcode = dissected.attribute?.opcode, opcode.tells(of: dissected.attribute?.attributeType) {
                follow(id, dissected, &events)
            }
            if !dissected.faults.isEmpty { links[id]?.followFaults(dissected, &events) }
        }
        last = RecordMark(dissected.record)
        return dissected
    }

    /// Appends what is known and was not yet told, at the end of the capture.
    public mutating func finish(into events: inout [SessionEvent]) {
        guard let last else { return }
        for (id, var peer) in links.sorted(by: {
            ($0.key.adapter ?? 0, $0.key.handle) < ($1.key.adapter ?? 0, $1.key.handle)
        }) {
            peer.tellServices(dissector.database(id.adapter, id.handle), last, &events)
            peer.tellDevice(last, &events)
        }
        links = [:]
    }

    // MARK: Links

    private mutating func follow(_ change: LinkChange, _ dissected: Dissected, _ events: inout [SessionEvent]) {
        let mark = RecordMark(dissected.record)
        let adapter = dissected.record.adapter
        switch change {
        case .connecting(let address):
            let isKnown = address.flatMap { left[$0] }?.hasSubscribed == true
            events.append(
                SessionEvent(mark, address, .link(LinkReport(state: isKnown ? .reconnecting : .connecting))))
        case .failed(let status, let address):
            events.append(SessionEvent(mark, address, .link(LinkReport(state: .disconnected, reason: status))))
        case .connected(let connection):
            var peer = left.removeValue(forKey: connection.peer) ?? PeerState()
            peer.begin(connection)
            links[LinkID(adapter: adapter, handle: connection.handle)] = peer
            events.append(SessionEvent(mark, connection.peer, .link(peer.link)))
        case .updated(let interval, let latency, let timeout):
            guard let handle = dissected.handle else { return }
            let id = LinkID(adapter: adapter, handle: handle)
            links[id]?.update(interval, latency: latency, timeout)
        case .disconnected(let reason):
            guard let handle = dissected.handle else { return }
            end(LinkID(adapter: adapter, handle: handle), reason, dissected, &events)
        case .allLost:
            for id in links.keys.filter({ $0.adapter == adapter }) { end(id, nil, dissected, &events) }
        }
    }

    private mutating func end(_ id: LinkID, _ reason: Status?, _ dissected: Dissected, _ events: inout [SessionEvent]) {
        let mark = RecordMark(dissected.record)
        var peer = links.removeValue(forKey: id) ?? PeerState(address: dissected.peer)
        if let attributes = dissected.lastAttributes {
            peer.tellServices(attributes.database, mark, &events)
        }
        peer.tellDevice(mark, &events)
        peer.end(reason)
        events.append(SessionEvent(mark, peer.address, .link(peer.link)))
        guard let address = peer.address else { return }
        // A made-up capture must not make this grow without end.
        if left.count >= 256 { left = [:] }
        left[address] = peer
    }

    // MARK: Attributes

    private mutating func follow(_ id: LinkID, _ dissected: Dissected, _ events: inout [SessionEvent]) {
        guard let attribute = dissected.attribute else { return }
        let mark = RecordMark(dissected.record)
        guard attribute.server == .peer else {
            // The captured host is the sensor: the address at the other end is not the measured one's.
            if let measurement = dissected.heartRate {
                events.append(SessionEvent(mark, nil, .heartRate(measurement)))
            }
            return
        }
        let subscribes = attribute.configured == HeartRateUUID.measurement && attribute.opcode == .writeResponse
        guard subscribes || dissected.heartRate != nil || attribute.opcode.bringsValue else { return }
        let place = place(of: id, dissected)
        if subscribes || dissected.heartRate != nil {
            links.values[place].tellServicesOnce({ dissector.database(id.adapter, id.handle) }, mark, &events)
        }
        if let measurement = dissected.heartRate {
            links.values[place].tell(measurement, mark, &events)
        } else if subscribes {
            let mtu = dissector.mtu(id.adapter, id.handle)
            links.values[place].subscribe(attribute.written ?? [], mtu: mtu, mark, &events)
        } else {
            if attribute.attributeType == nil { noteUnclaimed(attribute) }
            links.values[place].learn(from: attribute)
        }
    }

    /// Where the peer's state is kept, begun where there is none yet: the capture may have started after the link.
    private mutating func place(of id: LinkID, _ dissected: Dissected) -> Dictionary<LinkID, PeerState>.Index {
        if let place = links.index(forKey: id) { return place }
        links[id] = PeerState(address: dissected.peer)
        // It was just put there.
        return links.index(forKey: id) ?? links.startIndex
    }

    /// A value that would pass for a measurement says nothing of what it is; the user may know.
    private mutating func noteUnclaimed(_ attribute: AttributePDU) {
        guard attribute.opcode == .handleValueNotification, let handle = attribute.handle, let value = attribute.value
        else {
            return
        }
        let measurement = HeartRateMeasurement(decoding: value.span)
        guard measurement.faults.isEmpty, let rate = measurement.beatsPerMinute, (25...250).contains(rate) else {
            return
        }
        unclaimed[handle, default: 0] += 1
    }

    // MARK: Gaps

    /// Records that the recorder lost may have held measurements.
    private mutating func followDrops(_ record: Record, _ events: inout [SessionEvent]) {
        if record.cumulativeDrops > drops {
            let lost = record.cumulativeDrops - drops
            let reason = "the recorder dropped \(lost) record\(lost == 1 ? "" : "s")"
            events.append(
                SessionEvent(RecordMark(record), nil, .gap(from: last?.time, to: record.timestamp, reason: reason)))
        }
        drops = record.cumulativeDrops
    }
}

/// Which record told something.
struct RecordMark: Sendable {
    var frame: Int
    var time: Timestamp?

    init(_ record: Record) {
        frame = record.frame
        time = record.timestamp
    }
}

extension SessionEvent {
    init(_ mark: RecordMark, _ peer: DeviceAddress?, _ content: Content) {
        self.init(frame: mark.frame, time: mark.time, peer: peer, content: content)
    }
}

extension ATT.Opcode {
    /// Whether a session can learn from such a PDU about an attribute of this type.
    fileprivate func tells(of type: BluetoothUUID?) -> Bool {
        guard bringsValue, let type else { return bringsValue || self == .writeResponse }
        return type == HeartRateUUID.measurement || PeerState.tells(type)
    }

    /// Whether such a PDU brings a value that the server holds.
    fileprivate var bringsValue: Bool {
        switch self {
        case .readResponse, .readBlobResponse, .readByTypeResponse, .handleValueNotification, .handleValueIndication:
            true
        default: false
        }
    }
}
