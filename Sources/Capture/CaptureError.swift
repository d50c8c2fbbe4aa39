import Wire

/// Why a capture, or the rest of it, cannot be read. Every record before the place named has been handed out.
public enum CaptureError: Error, Hashable, Sendable {
    /// There is no octet at all.
    case empty
    /// The beginning is that of no capture known here.
    case notACapture
    /// A capture in a container that is recognised and not read.
    case unsupportedContainer(String)
    /// The file header ends early.
    case fileHeaderCut(octets: Int, needed: Int)
    /// A container of a version that is not known.
    case unsupportedVersion(String, UInt32)
    /// A btsnoop file whose packets are held in a way that is not read.
    case unsupportedDataLink(Btsnoop.DataLink)
    /// A pcap file whose packets are none of HCI.
    case unsupportedLinkType(LinkType)
    /// The file ends inside a record.
    ///
    /// - Parameters:
    ///   - frame: the number that the record would have had
    ///   - offset: where the record begins, in octets from the start of the file
    ///   - octets: what there is of it, its header included
    ///   - needed: what it takes, as far as its header is there to tell
    case recordCut(frame: Int, offset: Int, octets: Int, needed: Int)
    /// A record claims to be longer than any packet can be; where the next one begins is not known.
    case recordTooLong(frame: Int, offset: Int, length: Int)
    /// A record claims to be shorter than what stands at its beginning.
    case recordTooShort(frame: Int, offset: Int, length: Int)
    /// A block of a pcapng file contradicts itself, in its length say.
    case blockBroken(offset: Int, length: Int)
    /// A pcapng file ends inside a block that holds no packet.
    ///
    /// - Parameters:
    ///   - end: where the file ends, in octets from its start
    ///   - missing: what the block has not, as far as its head is there to tell
    case blockCut(end: Int, missing: Int)
    /// A bare stream of packets goes on with an octet that is no packet type.
    case framingLost(frame: Int, offset: Int, octet: UInt8)
}

extension CaptureError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "the file is empty"
        case .notACapture:
            "this is no capture of HCI traffic (btsnoop, PacketLogger, pcap, pcapng or a bare H4 stream)"
        case .unsupportedContainer(let name): "this is a \(name) file, which is not read here"
        case .fileHeaderCut(let octets, let needed): "the file header is cut: \(octets) of \(needed) octets"
        case .unsupportedVersion(let container, let version): "\(container) version \(version) is not known"
        case .unsupportedDataLink(let dataLink):
            "btsnoop data link \(dataLink.rawValue) (\(dataLink)) is not read; 1001, 1002 and 2001 are"
        case .unsupportedLinkType(let linkType):
            "the packets are of link type \(linkType.rawValue) (\(linkType)), none of HCI's; 187, 201 and 254 are"
        case .recordCut(let frame, let offset, let octets, let needed):
            "the file ends inside frame \(frame), which begins at offset \(offset): \(octets) of \(needed) octets"
        case .recordTooLong(let frame, let offset, let length):
            "frame \(frame) at offset \(offset) claims \(length) octets, more than a packet can have"
        case .recordTooShort(let frame, let offset, let length):
            "frame \(frame) at offset \(offset) claims \(length) octets, fewer than it begins with"
        case .blockBroken(let offset, let length):
            "the block of \(length) octets at offset \(offset) contradicts itself"
        case .blockCut(let end, let missing):
            "the file ends at offset \(end) inside a block: \(missing) octets are missing"
        case .framingLost(let frame, let offset, let octet):
            "at offset \(offset), where frame \(frame) should begin, 0x\(octet.paddedHexadecimal) is no packet type"
        }
    }
}
