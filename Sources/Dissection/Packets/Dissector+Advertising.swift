import Capture
import GAP

extension Dissector {
    mutating func readReports(_ form: AdvertisingReport.Form, _ end: Int?, _ dissected: inout Dissected) {
        let octets = dissected.record.octets
        // A cut event still holds whole reports: those are shown.
        guard var reader = AdvertisingReportReader(octets, at: 4, end: end ?? octets.count) else {
            if end != nil { dissected.faults.append(.headerCut(octets: octets.count, needed: 5)) }
            return
        }
        dissected.reports.reserveCapacity(1)
        while let report = reader.next(form, of: octets) {
            if !report.data.isEmpty { checkData(report, &dissected) }
            dissected.reports.append(report)
        }
        if reader.count < reader.announced {
            dissected.faults.append(.reportsCut(whole: reader.count, announced: reader.announced))
        } else if reader.remaining > 0 {
            dissected.faults.append(.trailing(octets: reader.remaining))
        }
    }

    private mutating func checkData(_ report: AdvertisingReport, _ dissected: inout Dissected) {
        // A piece of longer data is nothing to judge by itself.
        guard report.form == .legacy || unfinishedAdvertising.isWhole(report) else { return }
        let fault = AdvertisingDataView(report.data.span).fault
        if let fault { dissected.faults.append(.advertisingData(report: dissected.reports.count, fault)) }
    }
}
