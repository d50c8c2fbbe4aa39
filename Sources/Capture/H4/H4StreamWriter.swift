/// Writes bare H4 streams.
struct H4StreamWriter: ContainerWriter {
    var header: [UInt8] { [] }

    /// Only what has the length that its header says can be found again.
    mutating func append(_ record: Record, to octets: inout [UInt8]) -> RecordDetails? {
        guard !record.octets.isEmpty, record.kind.packetType == record.octets.first,
            case .whole(record.octets.count) = H4Stream.extent(record.octets.span, at: 0)
        else { return nil }
        octets.append(contentsOf: record.octets)
        var lost = record.details
        if lost.contains(.time) { lost.remove(.nanoseconds) }
        return lost
    }
}
