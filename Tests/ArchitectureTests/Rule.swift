/// Something that the sources must not do.
struct Rule: Sendable {
    /// What is forbidden, as a reader of a failure should see it.
    let name: String
    /// The lines (from 1) of a file that break the rule.
    let offences: @Sendable (SwiftSource) -> [Int]
}

/// One place that breaks a rule.
struct Offence: Hashable, CustomStringConvertible {
    let rule: String
    let path: String
    let line: Int

    var description: String { "\(path):\(line): \(rule)" }
}

extension Rule {
    /// The offences in `files`, without those in files that `allowances` names for this rule.
    func offences(in files: [SwiftSource], except allowances: [Allowance] = []) -> [Offence] {
        let allowed = Set(allowances.filter { $0.rule == name }.map(\.path))
        return files.filter { !allowed.contains($0.path) }.flatMap { file in
            offences(file).map { Offence(rule: name, path: file.path, line: $0) }
        }
    }
}
