import Wire

/// Prints findings: as JSON, or for people.
struct FindingPrinter: Sendable {
    let console: Console
    let isJSON: Bool

    func print(_ finding: Finding) throws(OutputError) {
        if isJSON {
            try printJSON(finding)
        } else {
            try printText(finding)
        }
    }

    private func printJSON(_ finding: Finding) throws(OutputError) {
        try console.output.write { octets in
            JSONWriter.line(to: &octets) { writer in
                writer.event("diagnosis")
                writer.member("step", finding.step.rawValue)
                writer.member("result", finding.result.rawValue)
                writer.member("detail", finding.detail)
                if let advice = finding.advice { writer.member("advice", advice.replacing("\n", with: " ")) }
            }
        }
    }

    private func printText(_ finding: Finding) throws(OutputError) {
        let style = console.style
        let mark =
            switch finding.result {
            case .ok: style.green("✓")
            case .failed: style.red("✗")
            case .unknown: style.yellow("?")
            }
        if finding.step == .verdict {
            // The last finding has said the same with its advice, where it was a bad one.
            try console.output.writeLine("")
            try console.output.writeLine("\(mark) \(style.bold(finding.detail))")
        } else {
            try console.output.writeLine("\(mark) \(finding.step.title): \(finding.detail)")
            if finding.result == .failed { return }
        }
        for line in finding.advice?.split(separator: "\n") ?? [] { try console.output.writeLine("    \(line)") }
    }
}
