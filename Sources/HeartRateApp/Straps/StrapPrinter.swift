import HCI
import HeartRate
import Host
import Wire

/// Prints what happens with a strap: as JSON, or for people.
struct StrapPrinter: Sendable {
    let console: Console
    let isJSON: Bool
    /// Whether lines name their strap, because there are several.
    let namesStraps: Bool

    /// - Parameters:
    ///   - strap: whether it is subscribed tells of the time before the event
    ///   - clock: what the civil clock showed at a moment
    func print(
        _ event: HeartRateEvent, of strap: StrapRun.Strap, clock: (Moment) -> Timestamp
    ) throws(OutputError) {
        if isJSON {
            try printJSON(event, of: strap, clock: clock)
        } else {
            try printText(event, of: strap, clock: clock)
        }
    }

    // MARK: JSON

    private func printJSON(
        _ event: HeartRateEvent, of strap: StrapRun.Strap, clock: (Moment) -> Timestamp
    ) throws(OutputError) {
        // The search has no address yet that a link event could bear.
        if case .link(.searching, _) = event { return }
        let address = strap.device?.address
        try console.output.write { octets in
            JSONWriter.line(to: &octets) { writer in
                switch event {
                case .link(let link, let moment): writer.link(link, at: clock(moment), address: address)
                case .details(let details):
                    writer.event("device", address: address)
                    writer.details(details)
                case .measurement(let measurement, let moment):
                    writer.event("heart_rate", at: clock(moment), address: address)
                    writer.measurement(measurement)
                    if let staleness = strap.staleness {
                        writer.key("stale")
                        writer.string(staleness.kind.name)
                    }
                case .stale(let staleness):
                    writer.event("stale", at: clock(staleness.noticed), address: address)
                    writer.key("reason")
                    writer.string(staleness.kind.name)
                    writer.key("since")
                    writer.timestamp(clock(staleness.since))
                case .gap(let gap):
                    writer.gap(
                        from: clock(gap.from), to: clock(gap.to), reason: gap.reason.text, address: address)
                }
            }
        }
    }

    // MARK: Text

    private func printText(
        _ event: HeartRateEvent, of strap: StrapRun.Strap, clock: (Moment) -> Timestamp
    ) throws(OutputError) {
        let style = console.style
        let prefix = namesStraps ? "\(strap.name): " : ""
        switch event {
        // New numbers of a link are for programs; people have read that it is subscribed.
        case .link(.subscribed, _) where strap.isSubscribed: break
        case .link(let link, _): console.messages.note(prefix + link.text(strap.name))
        case .details(let details): console.messages.note(prefix + details.text)
        case .stale(let staleness):
            console.messages.warning(prefix + staleness.kind.text(since: clock(staleness.since).timeOfDay))
        case .gap(let gap):
            console.messages.warning(
                "\(prefix)no heart rate from \(clock(gap.from)) to \(clock(gap.to)): \(gap.reason.text)")
        case .measurement(let measurement, let moment):
            let time = style.faint(clock(moment).timeOfDay)
            let name = namesStraps ? style.cyan(strap.name) + "  " : ""
            let mark = strap.staleness.map { staleness in
                style.red("  (\(staleness.kind.name) since \(clock(staleness.since).timeOfDay))")
            }
            try console.output.writeLine("\(time)  \(name)\(measurement.text(style))\(mark ?? "")")
        }
    }
}
