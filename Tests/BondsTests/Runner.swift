import Foundation
import Host
import SMP

/// The program that changes a file of bonds and dies on request, beside the test bundle.
struct Runner {
    private static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("BondRunner").path

    struct Outcome {
        /// Of `exit`; the signal's number where one ended it.
        var status: Int32
        var wasKilled: Bool
        var lines: [String]
    }

    private let process = Process()
    private let results = Pipe()

    /// Starts it.
    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = arguments
        process.standardOutput = results
        try process.run()
    }

    static func run(_ arguments: [String]) throws -> Outcome { try Runner(arguments).outcome() }

    /// Waits for its end.
    func outcome() throws -> Outcome {
        let output = try results.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
            lines: String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    /// The octets that it has said by now, one at least.
    func someOutput() -> Data { results.fileHandleForReading.availableData }

    func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
}

/// A folder for a test, which is gone with it.
final class Folder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("hr-raw-bonds-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names in it, or in a folder of it.
    func names(in folder: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []).sorted()
    }

    func octets(of name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(path)/\(name)").map { [UInt8]($0) }
    }

    func write(_ octets: [UInt8], to name: String) throws {
        try Data(octets).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
    }
}
