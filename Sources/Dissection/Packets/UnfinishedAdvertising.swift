import HCI

/// The advertising sets whose data has begun and not ended: their next report holds only a piece of it (Core Vol 4, Part E, 7.7.65.13).
struct UnfinishedAdvertising: Sendable {
    /// More than any controller reassembles; bounds what a made-up capture can make a reader keep.
    private static let limit = 1024

    private var sets: Set<AdvertisingSet> = []

    private struct AdvertisingSet: Hashable {
        var advertiser: DeviceAddress
        var id: UInt8?
    }

    /// Whether a report's data is whole by itself.
    mutating func isWhole(_ report: AdvertisingReport) -> Bool {
        let set = AdvertisingSet(advertiser: report.advertiser, id: report.setID)
        guard ExtendedAdvertisingKind(rawValue: report.kind).dataStatus == .moreToCome else {
            return sets.isEmpty || sets.remove(set) == nil
        }
        if sets.count >= Self.limit { sets = [] }
        sets.insert(set)
        return false
    }
}
