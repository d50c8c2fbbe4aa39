public import Capture
public import HCI
public import Wire

/// Which records of a capture are wanted. Several values of one kind mean any of them; several kinds mean all of them.
///
/// A dissector takes every record, wanted or not: what comes later is read in its light.
public struct RecordFilter: Hashable, Sendable {
    /// Devices: as the peer of a link, in an advertisement, or named in a command or an event.
    public var addresses: Set<Address> = []
    /// Connections.
    public var handles: Set<ConnectionHandle> = []
    /// ATT PDUs.
    public var attributes: Set<AttributeSelector> = []
    /// Kinds of records.
    public var kinds: Set<RecordClass> = []
    /// The first time that is wanted.
    public var start: Bound?
    /// The last time that is wanted.
    public var end: Bound?
    /// When the capture begins: the time of its first record that has one.
    private var origin: Timestamp?

    /// A time, as the user knows it.
    public enum Bound: Hashable, Sendable {
        case at(Timestamp)
        /// So long after the first record.
        case after(Duration)
    }

    public init() {}

    /// Whether all records are wanted.
    public var isEmpty: Bool {
        addresses.isEmpty && handles.isEmpty && attributes.isEmpty && kinds.isEmpty && start == nil && end == nil
    }

    /// Whether a record is wanted. Asked of each record of a capture, in its order.
    public mutating func admits(_ dissected: Dissected) -> Bool {
        if origin == nil { origin = dissected.record.timestamp }
        return (kinds.isEmpty || kinds.contains(RecordClass(dissected.record.kind)))
            && (handles.isEmpty || concerns(handles, dissected))
            && (attributes.isEmpty || attributes.contains { $0.selects(dissected) })
            && (addresses.isEmpty || addresses.contains { dissected.names($0) })
            && (start == nil && end == nil || isInTime(dissected.record.timestamp))
    }

    private func concerns(_ handles: Set<ConnectionHandle>, _ dissected: Dissected) -> Bool {
        if let handle = dissected.handle { return handles.contains(handle) }
        // The only event that is about several connections.
        return dissected.eventCode == .numberOfCompletedPackets
            && dissected.completedHandles.contains(where: handles.contains)
    }

    private func isInTime(_ time: Timestamp?) -> Bool {
        // Of a record without a time nobody can say.
        guard let time, let origin else { return false }
        if let start, time < start.time(from: origin) { return false }
        if let end, time > end.time(from: origin) { return false }
        return true
    }
}

extension RecordFilter.Bound {
    fileprivate func time(from origin: Timestamp) -> Timestamp {
        switch self {
        case .at(let time): time
        case .after(let duration): origin + duration
        }
    }
}

/// What a record is, roughly: the words of `decode --type` and of its JSON.
public enum RecordClass: Hashable, Sendable, CaseIterable {
    case command, event, acl, sco, iso, note
    /// A record without a packet that the specification knows.
    case other

    public init(_ kind: Record.Kind) {
        switch kind {
        case .command: self = .command
        case .event: self = .event
        case .acl: self = .acl
        case .sco: self = .sco
        case .iso: self = .iso
        case .note, .loggerNote: self = .note
        case .foreign, .unassigned, .empty: self = .other
        }
    }
}

extension Dissected {
    /// The connections in a Number Of Completed Packets event (Core Vol 4, Part E, 7.7.19).
    fileprivate var completedHandles: [ConnectionHandle] {
        let octets = record.octets
        return (0..<Int(octets.uint8(at: 3) ?? 0)).compactMap { index in
            octets.uint16(at: 4 + 4 * index).map(ConnectionHandle.init(rawValue:))
        }
    }

    /// Whether the record is about a device.
    fileprivate func names(_ address: Address) -> Bool {
        if peer?.address == address { return true }
        switch record.kind {
        case .command, .event: return record.octets.hold(address)
        default: break
        }
        switch linkChange {
        case .connecting(let peer?), .failed(_, let peer?): return peer.address == address
        default: return false
        }
    }
}

extension [UInt8] {
    /// Whether the address stands somewhere in a packet.
    fileprivate func hold(_ address: Address) -> Bool {
        let wanted = address.littleEndian
        guard count >= wanted.count else { return false }
        return (0...count - wanted.count).contains { self[$0] == wanted[0] && self[$0...].starts(with: wanted) }
    }
}
