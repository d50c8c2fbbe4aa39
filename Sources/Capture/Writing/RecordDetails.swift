/// What a record tells beside its octets, and not every format can hold.
struct RecordDetails: OptionSet {
    let rawValue: UInt8

    static let time = RecordDetails(rawValue: 1 << 0)
    static let nanoseconds = RecordDetails(rawValue: 1 << 1)
    static let direction = RecordDetails(rawValue: 1 << 2)
    static let adapter = RecordDetails(rawValue: 1 << 3)
    static let drops = RecordDetails(rawValue: 1 << 4)
    static let comments = RecordDetails(rawValue: 1 << 5)
    static let originalLength = RecordDetails(rawValue: 1 << 6)
}

extension Record {
    /// What this record tells.
    var details: RecordDetails {
        var details: RecordDetails = []
        if timestamp != nil { details.insert(.time) }
        if nanoseconds != 0 { details.insert(.nanoseconds) }
        if direction != impliedDirection { details.insert(.direction) }
        if adapter != nil { details.insert(.adapter) }
        if cumulativeDrops != 0 { details.insert(.drops) }
        if !comments.isEmpty { details.insert(.comments) }
        if includedLength != originalLength { details.insert(.originalLength) }
        return details
    }

    /// Commands and events go one way only.
    private var impliedDirection: Direction? {
        switch kind {
        case .command: .sent
        case .event: .received
        default: nil
        }
    }

    /// The direction to write where a format must name one.
    var namedDirection: Direction { direction ?? (kind == .command ? .sent : .received) }

    /// The original length of a record whose body has `count` octets in the format that is written.
    func originalLength(ofBody count: Int) -> UInt32 { UInt32(clamping: count + originalLength - includedLength) }
}
