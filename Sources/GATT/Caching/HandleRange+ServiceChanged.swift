public import ATT

extension HandleRange {
    /// What a Service Changed indication says has changed (Core Vol 3, Part G, 7.1). One that cannot be read leaves
    /// nothing certain: everything has.
    public init(serviceChanged value: [UInt8]) {
        let range = value.count == 4 ? HandleRange(littleEndian: value.span) : nil
        guard let range, range.first != .none, !range.isEmpty else {
            self = .all
            return
        }
        self = range
    }

    /// Whether the two have a handle in common.
    public func overlaps(_ other: HandleRange) -> Bool {
        !isEmpty && !other.isEmpty && first <= other.last && other.first <= last
    }
}
