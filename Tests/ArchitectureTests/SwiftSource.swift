import Foundation
import TestSupport

/// One Swift file: its text, and the same text with comments and string literals blanked out.
struct SwiftSource: Sendable {
    /// From the package's root: `Sources/Wire/Address.swift`.
    let path: String
    let lines: [String]
    /// Line by line like `lines`; what is left is code.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.components(separatedBy: "\n")
        code = CodeOnly.of(text).components(separatedBy: "\n")
    }

    /// The target that the file belongs to: the folder below `Sources` or `Tests`.
    var target: String {
        let parts = path.split(separator: "/")
        return parts.count > 1 ? String(parts[1]) : path
    }

    /// The modules that the file imports, and the lines (from 1) that do so.
    var imports: [(module: String, line: Int)] {
        code.enumerated().compactMap { index, line in
            let words = line.split(whereSeparator: { " \t".contains($0) }).drop { $0.hasPrefix("@") || $0 == "public" }
            guard words.first == "import", let name = words.last else { return nil }
            return (String(name.split(separator: ".").first ?? name), index + 1)
        }
    }

    /// The lines (from 1) whose code matches `pattern`.
    func lines(matching pattern: Regex<some Any>) -> [Int] {
        // The default boundaries are those of written language: to them `Task.sleep` is one word.
        let pattern = pattern.wordBoundaryKind(.simple)
        return code.indices.filter { code[$0].contains(pattern) }.map { $0 + 1 }
    }
}

/// The Swift files below a folder of the package.
enum SourceTree {
    /// Read once: every test looks at them.
    static let shipped = Result { try files(below: "Sources") }
    static let tests = Result { try files(below: "Tests") }

    static func files(below folder: String) throws -> [SwiftSource] {
        let root = Fixtures.packageRoot
        return try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
            .filter { $0.hasSuffix(".swift") }
            .sorted()
            .map { name in
                let path = folder + "/" + name
                return SwiftSource(path: path, text: try String(contentsOfFile: root + "/" + path, encoding: .utf8))
            }
    }
}
