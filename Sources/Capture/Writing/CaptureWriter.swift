/// Writes the records of a capture as the octets of a file.
///
/// ```swift
/// var writer = CaptureWriter(.btsnoop(.h4))
/// var octets = writer.header
/// for record in records { writer.append(record, to: &octets) }
/// ```
///
/// What the format cannot hold is left out and counted in `losses`.
public struct CaptureWriter: Sendable {
    public let format: CaptureFormat
    /// What could not be held of the records so far.
    public private(set) var losses = CaptureLosses()
    private var writer: any ContainerWriter
    /// Of one adapter alone nothing is lost where a format tells none apart.
    private var firstAdapter: UInt16?

    public init(_ format: CaptureFormat) {
        self.format = format
        writer =
            switch format {
            case .btsnoop(let dataLink): BtsnoopWriter(dataLink: dataLink)
            case .packetLogger(let order): PacketLoggerWriter(order: order)
            case .pcap(let linkType, let order, let precision):
                PcapWriter(linkType: linkType, order: order, precision: precision)
            case .pcapng(let linkType, let order): PcapngWriter(linkType: linkType, order: order)
            case .h4: H4StreamWriter()
            }
    }

    /// What a file begins with, before its first record; empty where a format has no such thing.
    public var header: [UInt8] { writer.header }

    /// Appends a record.
    ///
    /// - Returns: whether the format holds such a record at all. Details may be lost all the same; `losses` tells.
    @discardableResult
    public mutating func append(_ record: Record, to octets: inout [UInt8]) -> Bool {
        firstAdapter = firstAdapter ?? record.adapter
        guard var lost = writer.append(record, to: &octets) else {
            losses.count(record: record.kind)
            return false
        }
        if record.adapter == firstAdapter { lost.remove(.adapter) }
        if !lost.isEmpty { losses.count(lost, of: record) }
        return true
    }
}

/// How one kind of capture file is written: the inverse of a `Container`.
protocol ContainerWriter: Sendable {
    var header: [UInt8] { get }

    /// Appends a record.
    ///
    /// - Returns: what of the record is lost; `nil` where the format has no place for it, and then nothing is appended
    mutating func append(_ record: Record, to octets: inout [UInt8]) -> RecordDetails?
}
