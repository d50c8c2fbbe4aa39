import Foundation
import TestSupport
import Testing

/// The list of guards that `make mutate` disables one by one: a guard that was moved or rewritten must stay on it.
@Suite struct MutationListTests {
    /// One entry of a list, as `Scripts/mutate` reads it.
    struct Mutation {
        let name: String
        let file: String
        let before: String
        let after: String

        init?(_ block: String) {
            let lines = block.components(separatedBy: "\n")
            guard lines.count > 3, let place = lines[1].wholeMatch(of: #/  in (\S+), seen by \w+/#) else { return nil }
            name = String(lines[0].prefix { $0 != ":" })
            file = String(place.1)
            before = lines.filter { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }.joined(separator: "\n")
            after = lines.filter { $0.hasPrefix("+ ") }.map { $0.dropFirst(2) }.joined(separator: "\n")
        }
    }

    private func blocks() throws -> [String] {
        let folder = Fixtures.packageRoot + "/Tests/Mutations"
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }.flatMap {
            try String(contentsOfFile: folder + "/" + $0, encoding: .utf8)
                .trimmingCharacters(in: .newlines).components(separatedBy: "\n\n")
        }
    }

    @Test func eachGuardStandsWhereTheListSays() throws {
        let mutations = try blocks().map { block in try #require(Mutation(block), "unreadable: \(block)") }
        #expect(mutations.count >= 20)
        #expect(Set(mutations.map(\.name)).count == mutations.count)
        for mutation in mutations {
            let text = try String(contentsOfFile: Fixtures.packageRoot + "/" + mutation.file, encoding: .utf8)
            #expect(
                text.components(separatedBy: mutation.before).count == 2,
                "\(mutation.name): not once in \(mutation.file)")
            #expect(mutation.before != mutation.after)
        }
    }
}
