import Foundation
import Simulator
import TestSupport
import Testing
import Trials

/// The whole host under faults, on virtual time. `make simulate` does the same with more seeds.
@Suite struct TrialTests {
    @Test func fiveHundredSeedsPass() throws {
        let outcome = try TrialProgram.run(["--seeds", "\(500 * effort)"])
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("\(500 * effort) of \(500 * effort) seeds run"))
        for fault in Fault.allCases {
            #expect(outcome.output.contains("\(fault) "), "\(fault) is not counted")
            #expect(!outcome.output.contains("\(fault) 0"), "\(fault) never happened")
        }
    }

    @Test(arguments: [3, 21, 137] as [UInt64]) func theSameSeedPlaysTheSame(seed: UInt64) throws {
        let first = Trial(seed: seed).run()
        #expect(Trial(seed: seed).run().digest == first.digest)
        // In another process, too, where other hashes put sets and dictionaries into another order.
        let elsewhere = try TrialProgram.run(["--seed", "\(seed)", "--quiet"])
        #expect(elsewhere.output.contains("digest \(first.digest)\n"), "\(elsewhere.output)")
    }

    @Test func anotherSeedPlaysDifferently() {
        #expect(Trial(seed: 1).run().digest != Trial(seed: 2).run().digest)
    }
}

/// The program that runs trials, beside the test bundle.
enum TrialProgram {
    static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("TrialRunner").path

    static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let results = Pipe()
        process.standardOutput = results
        try process.run()
        let output = try results.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
