import Dissection
import HCI
import Simulator
import Wire

/// What a recording tells of how one device advertises.
struct Broadcasts {
    private var form = AdvertiserPlan.Form.nonConnectable
    private var data: [UInt8] = []
    private var scanResponse: [UInt8] = []
    /// Whether the rest of the data has still to come (Core Vol 4, Part E, 7.7.65.13).
    private var isUnfinished = false
    private var levels = 0
    private var heard = 0
    private var first: Moment?
    private var last = Moment.zero

    /// Octets of extended advertising data (Core Vol 4, Part E, 7.8.54).
    private static let longestData = 1650

    mutating func hear(_ report: AdvertisingReport, at moment: Moment) {
        guard let kind = report.legacyKind else {
            form = .extended
            data = isUnfinished ? data + report.data : [UInt8](report.data)
            isUnfinished = ExtendedAdvertisingKind(rawValue: report.kind).dataStatus == .moreToCome
            // More than any advertisement can hold is made up.
            if data.count > Self.longestData { data = [] }
            return count(report, at: moment)
        }
        switch kind {
        case .scanResponse:
            scanResponse = [UInt8](report.data)
            return
        case .connectable, .directed: form = .connectable
        case .scannable: form = .scannable
        default: form = .nonConnectable
        }
        if kind != .directed { data = [UInt8](report.data) }
        count(report, at: moment)
    }

    private mutating func count(_ report: AdvertisingReport, at moment: Moment) {
        levels += Int(report.rssi.dBm ?? -60)
        heard += 1
        first = first ?? moment
        last = moment
    }

    /// The same device on the simulator's air. Reports tell of every advertisement at most once, so that it may advertise more
    /// often than this.
    func plan(of device: DeviceAddress, isMet: Bool) -> AdvertiserPlan {
        let span = first.map { last - $0 } ?? .zero
        let interval = heard > 1 ? span / (heard - 1) : .milliseconds(100)
        return AdvertiserPlan(
            identity: .fixed(device), form: isMet ? .connectable : form,
            interval: min(max(interval, .milliseconds(20)), .seconds(1)), data: data, scanResponse: scanResponse,
            level: Int8(clamping: heard > 0 ? levels / heard : -60),
            appearsAfter: isMet ? .zero : (first ?? .zero) - .zero)
    }
}

extension AdvertisingReport {
    /// The kind of the PDU on air; `nil` for one that only extended advertising has.
    fileprivate var legacyKind: AdvertisingKind? {
        form == .extended
            ? ExtendedAdvertisingKind(rawValue: kind).legacyKind
            : AdvertisingKind(rawValue: UInt8(truncatingIfNeeded: kind))
    }
}
