extension Rule {
    /// What can end the process on an octet from outside, or hide a race.
    static let traps = [
        pattern("force-unwrap or implicitly unwrapped optional") { #/[\w)\]}>?]!(?!=)/# },
        pattern("try!") { #/\btry!/# },
        pattern("as!") { #/\bas!/# },
        pattern("fatalError, precondition or assertion") {
            #/\b(?:fatalError|precondition|preconditionFailure|assert|assertionFailure)\s*\(/#
        },
        pattern("@unchecked Sendable") { #/@unchecked\s+Sendable/# },
        pattern("nonisolated(unsafe)") { #/nonisolated\(unsafe\)/# },
        pattern("a task of its own") {
            #/\bTask\s*(?:<[^>]*>)?\s*(?:\([^)]*\))?\s*\{|\bTask\s*\.\s*(?:detached|immediate)\b/#
        },
        pattern("sleeping") { #/\b(?:usleep|nanosleep|sleep|sched_yield)\s*\(/# },
    ]

    /// A rule that forbids what matches a regular expression, which is no `Sendable` value and so is made anew each time.
    static func pattern(_ name: String, _ regex: @escaping @Sendable () -> Regex<Substring>) -> Rule {
        Rule(name: name) { $0.lines(matching: regex()) }
    }
}
