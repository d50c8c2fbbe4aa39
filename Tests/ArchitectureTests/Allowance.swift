/// A file that may break a rule, and why. Each must still be needed: a test fails for one that no longer is.
struct Allowance: Hashable, Sendable {
    let rule: String
    let path: String
    let reason: String

    static let all: [Allowance] = []
}
