import Foundation
import TestSupport

/// The built program, run as its users run it.
enum BuiltProgram {
    /// It stands beside the test bundle.
    static let url = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("hr-raw")

    struct Outcome {
        var status: Int32
        /// Whether a signal ended it: a trap, or one that was sent.
        var wasKilled: Bool
        var output: String
        var messages: String

        var lines: [Substring] { output.split(separator: "\n") }
    }

    /// Runs it to its end.
    static func run(_ arguments: [String], input: Data = Data(), environment: [String: String] = [:]) throws -> Outcome
    {
        try launch([url.path] + arguments, input: input, environment: environment)
    }

    /// Runs a shell command line, in which `$HR` is the program.
    static func shell(_ command: String) throws -> Outcome {
        try launch(["/bin/bash", "-c", command], environment: ["HR": url.path, "PATH": "/usr/bin:/bin"])
    }

    /// Where a sanitizer is built into the tests, it is into the program, too.
    private static let sanitizerOptions = ProcessInfo.processInfo.environment.filter {
        ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
    }

    /// Kills what hangs, with all that it has started, so that a fault is a failure and not a wait for ever. With KILL: other
    /// signals are blocked in what is started here, as they are in the thread that starts it.
    private static func launch(
        _ command: [String], input: Data = Data(), environment: [String: String]
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["-s", "KILL", "60"] + command
        process.environment = environment.merging(sanitizerOptions) { given, _ in given }
        let messages = Pipe()
        let results = Pipe()
        let source = Pipe()
        process.standardError = messages
        process.standardOutput = results
        process.standardInput = source
        try process.run()
        try source.fileHandleForWriting.write(contentsOf: input)
        try source.fileHandleForWriting.close()
        let output = try results.fileHandleForReading.readToEnd() ?? Data()
        let errors = try messages.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            wasKilled: process.terminationReason == .uncaughtSignal || process.terminationStatus >= 128,
            output: String(decoding: output, as: UTF8.self), messages: String(decoding: errors, as: UTF8.self))
    }
}

/// A folder that is gone when its user is done.
final class TemporaryFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("hr-raw-tests-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a new file with these octets.
    func file(_ name: String, _ octets: [UInt8]) throws -> String {
        let file = url.appendingPathComponent(name)
        try Data(octets).write(to: file)
        return file.path
    }
}
