public import HCI
public import Wire

/// Joins the pieces of extended advertising reports, any number of advertisers taking turns
/// (Core Vol 4, Part E, 7.7.65.13).
///
/// A piece belongs to its address, address kind and advertising set; nothing marks a first one. What can no longer become
/// whole comes out as truncated: nothing is lost in silence, and nothing is held without a bound.
public struct ExtendedReportAssembler: Hashable, Sendable {
    /// The longest data that advertising has, in octets (Core Vol 4, Part E, 7.8.57).
    public static let longestData = 1650

    /// The pieces of one advertisement follow each other sooner: an AuxPtr reaches 2.46 s ahead (Core Vol 6, Part B,
    /// 2.3.4.5). What comes later begins anew.
    public static let longestPause = Duration.seconds(5)

    private var partials: RecencyTable<Source, Partial>

    /// - Parameter capacity: how many advertisements may be under way at once; one more ends the one that has waited
    ///   longest
    public init(capacity: Int = 32) { partials = RecencyTable(capacity: capacity) }

    /// Whose pieces belong together.
    private struct Source: Hashable {
        var advertiser: DeviceAddress
        var setID: UInt8
    }

    /// Takes one report and returns what is now whole or can no longer become so: none, one or two advertisements.
    public mutating func receive(_ report: LEExtendedAdvertisingReport.Report, at now: Moment) -> [Advertisement] {
        if partials.isEmpty, report.kind.dataStatus == .complete {
            return [Advertisement(report, data: report.data, isTruncated: false)]
        }
        let source = Source(advertiser: report.advertiser, setID: report.setID)
        var output: [Advertisement] = []
        let partial = join(report, to: source, at: now, into: &output)
        finish(partial, from: source, into: &output)
        return output
    }

    /// Ends all that is under way, as the end of scanning does.
    public mutating func reset() -> [Advertisement] {
        defer { partials.removeAll() }
        return partials.entries.compactMap { $0.value.end(isTruncated: true) }
    }

    /// Takes the advertisement under way out of the table and adds the piece, or begins a new one with it.
    private mutating func join(
        _ report: LEExtendedAdvertisingReport.Report, to source: Source, at now: Moment,
        into output: inout [Advertisement]
    ) -> Partial {
        guard var partial = partials.remove(source) else { return Partial(report, at: now) }
        guard partial.continues(with: report, at: now) else {
            if let rest = partial.end(isTruncated: true) { output.append(rest) }
            return Partial(report, at: now)
        }
        partial.append(report, at: now)
        return partial
    }

    /// Lets the advertisement out where it has ended, else keeps it.
    private mutating func finish(_ partial: Partial, from source: Source, into output: inout [Advertisement]) {
        let status = partial.report.kind.dataStatus
        guard status == .moreToCome else {
            if let end = partial.end(isTruncated: status != .complete) { output.append(end) }
            return
        }
        var partial = partial
        if let tooLong = partial.endTooLong() { output.append(tooLong) }
        if let rest = partials.set(source, to: partial)?.value.end(isTruncated: true) { output.append(rest) }
    }
}

/// An advertisement under way.
private struct Partial: Hashable {
    /// The last piece.
    private(set) var report: LEExtendedAdvertisingReport.Report
    private var data: [UInt8] = []
    private var moment: Moment
    /// It grew too long and came out; what follows of it is dropped.
    private var isOver = false

    /// Begins with a first piece.
    init(_ report: LEExtendedAdvertisingReport.Report, at now: Moment) {
        self.report = report
        moment = now
        append(report, at: now)
    }

    /// Whether the report can be the next piece.
    func continues(with next: LEExtendedAdvertisingReport.Report, at now: Moment) -> Bool {
        next.kind.properties == report.kind.properties && now - moment <= ExtendedReportAssembler.longestPause
    }

    mutating func append(_ next: LEExtendedAdvertisingReport.Report, at now: Moment) {
        report = next
        moment = now
        if !isOver { data += next.data }
    }

    /// The advertisement as far as it is known, where it has not come out before.
    func end(isTruncated: Bool) -> Advertisement? {
        isOver ? nil : Advertisement(report, data: data, isTruncated: isTruncated)
    }

    /// Lets out what is longer than any advertising data.
    mutating func endTooLong() -> Advertisement? {
        guard data.count > ExtendedReportAssembler.longestData else { return nil }
        defer {
            isOver = true
            data = []
        }
        return end(isTruncated: true)
    }
}

extension ExtendedAdvertisingKind {
    /// All but the data status, which alone may change from piece to piece.
    fileprivate var properties: UInt16 { rawValue & ~0b110_0000 }
}
