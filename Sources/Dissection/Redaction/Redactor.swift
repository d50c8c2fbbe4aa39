public import Capture
import HCI
import Wire

/// Replaces keys in HCI packets by zeros, each packet as it comes: long term, identity resolving, signing and link keys, what
/// commands and events carry of them, and what they are made of.
///
/// A key that is spread over several ACL packets is replaced in each. Everything of which it cannot be known that it is none goes, too:
/// packets that only the maker of a chip understands, the rest of a PDU whose beginning was not recorded, what bluetoothd and the
/// kernel told each other, notes. Lengths stay what they are.
///
/// Public keys, confirm values, random values and checks of a pairing stay: they went over the air in the clear. So whoever reads a
/// redacted capture knows what whoever listened knows, and no more: of a legacy pairing without a passkey, the key of that one link.
public struct Redactor: CaptureFilter {
    private var links: [Key: FramePosition] = [:]
    /// More than any capture has open at once; what is forgotten is taken for a key.
    private static let mostLinks = 4096

    private struct Key: Hashable {
        var adapter: UInt16?
        var direction: Record.Direction?
        var handle: ConnectionHandle
    }

    public init() {}

    public mutating func filter(_ packet: inout [UInt8], _ direction: Record.Direction) {
        redact(&packet, Record.Kind(packetType: packet.first ?? 0), direction, adapter: nil)
    }

    /// Takes the next record of a capture.
    public mutating func redacted(_ record: consuming Record) -> Record {
        redact(&record.octets, record.kind, record.direction, adapter: record.adapter)
        return record
    }

    private mutating func redact(
        _ octets: inout [UInt8], _ kind: Record.Kind, _ direction: Record.Direction?, adapter: UInt16?
    ) {
        switch kind {
        case .command: Self.redactCommand(&octets)
        case .event: Self.redactEvent(&octets)
        case .acl: redactData(&octets, direction, adapter)
        case .sco, .iso, .empty, .foreign: break
        case .note(.newIndex), .note(.deleteIndex), .note(.openIndex), .note(.closeIndex), .note(.indexInformation),
            .note(.systemNote), .note(.controlOpen), .note(.controlClose):
            break
        case .note, .loggerNote: octets.hide(from: 0)
        case .unassigned: octets.hide(from: 1)
        }
    }

    private static func redactCommand(_ octets: inout [UInt8]) {
        guard let opcode = octets.uint16(at: 1).map(Opcode.init(rawValue:)) else { return }
        octets.hide(KeyPlaces.ofCommand(opcode), from: 4)
    }

    private static func redactEvent(_ octets: inout [UInt8]) {
        guard let code = octets.uint8(at: 1).map(EventCode.init(rawValue:)) else { return }
        switch code {
        case .commandComplete:
            guard let opcode = octets.uint16(at: 4).map(Opcode.init(rawValue:)) else { return }
            octets.hide(KeyPlaces.ofReturn(opcode), from: 6)
        case .leMeta:
            guard let subevent = octets.uint8(at: 3).map(LESubevent.init(rawValue:)) else { return }
            octets.hide(KeyPlaces.ofLEEvent(subevent), from: 4)
        default: octets.hide(KeyPlaces.ofEvent(code), from: 3)
        }
    }

    private mutating func redactData(_ octets: inout [UInt8], _ direction: Record.Direction?, _ adapter: UInt16?) {
        guard let header = octets.uint16(at: 1), let length = octets.uint16(at: 3) else {
            return octets.hide(from: 5)
        }
        let handle = ConnectionHandle(rawValue: header)
        let boundary = PacketBoundary(rawValue: UInt8(truncatingIfNeeded: header >> 12))
        let end = min(octets.count, 5 + Int(length))
        octets.hide(from: end)
        let key = Key(adapter: adapter, direction: direction, handle: handle)
        if boundary.isStart, handle != Dissector.vendorLog {
            if links.count >= Self.mostLinks { links = [:] }
            links[key] = FramePosition()
        }
        guard var position = links[key], handle != Dissector.vendorLog else { return octets.hide(from: 5) }
        position.pass(&octets, 5..<end, declared: Int(length))
        links[key] = position
    }
}

extension [UInt8] {
    /// Replaces the octets from a place on by zeros.
    fileprivate mutating func hide(from start: Int) {
        for index in indices.dropFirst(start) { self[index] = 0 }
    }

    /// Replaces those in some places, which count from another one on, as far as they are there.
    fileprivate mutating func hide(_ places: Range<Int>?, from start: Int) {
        guard let places else { return }
        for index in indices.dropFirst(start + places.lowerBound).prefix(places.count) { self[index] = 0 }
    }
}
