import Foundation
import TestSupport
import Testing
import Wire

/// What the fuzzer learnt, without the fuzzer: its corpus, what once failed, and some thousand random inputs.
@Suite struct ReplayTests {
    @Test(arguments: FuzzTarget.all.map(\.name))
    func theCorpusKeepsEveryPromise(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for folder in ["Corpus", "Failures"] {
            for path in inputs("Fuzz/\(folder)/\(name)") {
                let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                #expect(throws: Never.self, "\(path)") { try target.run(octets) }
            }
        }
    }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func randomOctetsKeepEveryPromise(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for seed in 0..<UInt64(500 * effort) {
            var generator = SeededGenerator(seed: seed)
            let count = Int.random(in: 0...300, using: &generator)
            let octets = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(throws: Never.self, "seed \(seed)") { try target.run(octets) }
        }
    }

    @Test func everyTargetHasACorpus() {
        for target in FuzzTarget.all { #expect(!inputs("Fuzz/Corpus/\(target.name)").isEmpty, "\(target.name)") }
    }

    private func inputs(_ folder: String) -> [String] {
        let path = Fixtures.packageRoot + "/" + folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().map { path + "/" + $0 }
    }
}
