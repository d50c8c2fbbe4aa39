/// Cuts a stream of octets into HCI packets (UART transport layer, Core Vol 4, Part A, 2).
///
/// H4 has no marker that tells where a packet begins: one octet lost or added on the line and everything after it is
/// misread. The framer then looks for the next octets that can only be a packet's start, octet by octet, and gives up
/// when it has passed over `limit` of them without finding one. A header that no sender writes counts as garbage too, so that
/// a length that was misread does not hold up everything after it.
public struct H4Framer: Sendable {
    /// Who sends on the stream. It decides which packet types can come.
    public enum Sender: Sendable {
        case controller
        case host
    }

    /// No packet start was found within the bound.
    public struct Lost: Error, Hashable, Sendable {
        /// Octets passed over since the last packet.
        public let skipped: Int
    }

    /// Octets that are passed over before the stream counts as lost.
    public static let limit = 16_384

    private let sender: Sender
    private var buffer: [UInt8] = []
    /// Octets of `buffer` that are done with.
    private var start = 0
    private var isSearching = false
    /// Octets passed over since the last packet.
    private var skippedSinceLastPacket = 0

    /// Octets passed over in all.
    public private(set) var skipped = 0

    public init(from sender: Sender) { self.sender = sender }

    /// Takes what came.
    public mutating func append(_ octets: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        buffer.append(contentsOf: octets)
    }

    /// The next whole packet, its type octet first; `nil` until more octets come.
    ///
    /// - Throws: `Lost` when `limit` octets were passed over; after that the stream is of no use.
    public mutating func next() throws(Lost) -> [UInt8]? {
        while start < buffer.count {
            switch candidate() {
            case .incomplete: return nil
            case .none: try skip()
            case .packet(let count):
                defer { start += count }
                isSearching = false
                skippedSinceLastPacket = 0
                return [UInt8](buffer[start..<start + count])
            }
        }
        return nil
    }
}

extension H4Framer {
    private enum Candidate {
        case none
        case incomplete
        case packet(count: Int)
    }

    private mutating func skip() throws(Lost) {
        start += 1
        skipped += 1
        skippedSinceLastPacket += 1
        isSearching = true
        if skippedSinceLastPacket >= H4Framer.limit { throw Lost(skipped: skippedSinceLastPacket) }
    }

    /// What stands at `start`.
    private func candidate() -> Candidate {
        guard let header = Header(type: buffer[start]), header.comes(from: sender) else { return .none }
        let needed = isSearching ? header.proof : header.count
        guard buffer.count - start > header.count else { return .incomplete }
        guard header.isPlausible(in: buffer, at: start + 1) else { return .none }
        guard buffer.count - start > needed else { return .incomplete }
        let count = 1 + header.count + header.payloadCount(of: buffer, at: start + 1)
        if isSearching && !isCredible(header, count: count) { return .none }
        return buffer.count - start < count ? .incomplete : .packet(count: count)
    }

    /// After garbage a type octet alone is no proof: the header must make sense, and so must what follows the packet.
    private func isCredible(_ header: Header, count: Int) -> Bool {
        guard header.isCredible(in: buffer, at: start + 1) else { return false }
        guard buffer.count - start > count else { return true }
        return Header(type: buffer[start + count])?.comes(from: sender) ?? false
    }
}

/// The kinds of packets and where each keeps its length (Core Vol 4, Part E, 5.4).
private enum Header {
    case command, acl, sco, event, iso

    init?(type: UInt8) {
        switch type {
        case 1: self = .command
        case 2: self = .acl
        case 3: self = .sco
        case 4: self = .event
        case 5: self = .iso
        default: return nil
        }
    }

    /// Octets between the type and the payload.
    var count: Int {
        switch self {
        case .event: 2
        case .command, .sco: 3
        case .acl, .iso: 4
        }
    }

    /// Octets behind the type that `isCredible` looks at.
    var proof: Int { self == .acl ? 6 : count }

    func comes(from sender: H4Framer.Sender) -> Bool {
        switch self {
        case .command: sender == .host
        case .event: sender == .controller
        case .acl, .sco, .iso: true
        }
    }

    /// The payload's octets as the header at `offset` states them.
    func payloadCount(of octets: [UInt8], at offset: Int) -> Int {
        switch self {
        case .event: Int(octets[offset + 1])
        case .command, .sco: Int(octets[offset + 2])
        case .acl: Int(octets[offset + 2]) | Int(octets[offset + 3]) << 8
        // The two top bits are reserved.
        case .iso: Int(octets[offset + 2]) | Int(octets[offset + 3] & 0x3F) << 8
        }
    }

    /// The longest payload with data that is believed. The fields could say 65,535; controllers' buffers hold a few hundred octets,
    /// and those of classic adapters 1021.
    private static let longestPayload = 4096

    /// Whether any sender could write this header. Always asked, so a wrong no would cost packets.
    func isPlausible(in octets: [UInt8], at offset: Int) -> Bool {
        switch self {
        // Their lengths have one octet, and any code can come.
        case .event, .command: true
        case .acl, .sco, .iso:
            // Connection handles end at 0x0EFF (Core Vol 4, Part E, 5.3.1).
            octets[offset + 1] & 0x0F != 0x0F && payloadCount(of: octets, at: offset) <= Header.longestPayload
        }
    }

    /// Whether a sender that works would write this header. Only asked after garbage, where a wrong yes costs packets.
    func isCredible(in octets: [UInt8], at offset: Int) -> Bool {
        let length = payloadCount(of: octets, at: offset)
        switch self {
        case .event:
            return Header.isCredible(eventCode: octets[offset], length: length)
        case .command:
            // Opcode groups 0x01…0x08, and 0x3F of the vendors (Core Vol 4, Part E, 5.4.1).
            let group = octets[offset + 1] >> 2
            return (0x01...0x08).contains(group) || group == 0x3F
        case .acl:
            // A whole L2CAP PDU in one packet: two lengths that agree (Core Vol 3, Part A, 3.1).
            let pdu = Int(octets[offset + 4]) | Int(octets[offset + 5]) << 8
            return pdu > 0 && length == pdu + 4
        case .sco, .iso:
            // Nothing in them proves anything.
            return false
        }
    }

    /// The events that a host meets most, with the lengths they can have (Core Vol 4, Part E, 7.7).
    private static func isCredible(eventCode: UInt8, length: Int) -> Bool {
        switch eventCode {
        case 0x05: length == 4  // Disconnection Complete
        case 0x0E: length >= 3  // Command Complete
        case 0x0F: length == 4  // Command Status
        case 0x10: length == 1  // Hardware Error
        case 0x13: length >= 5 && length % 4 == 1  // Number Of Completed Packets
        case 0x3E: length >= 2  // LE Meta
        default: false
        }
    }
}
