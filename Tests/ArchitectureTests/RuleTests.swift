import Testing

/// Shows that each rule bites, and that it leaves innocent code alone.
@Suite struct RuleTests {
    private func offences(of name: String, in code: String) throws -> [Int] {
        try #require(Rule.traps.first { $0.name == name }).offences(SwiftSource(path: "Sources/X/X.swift", text: code))
    }

    @Test(arguments: [
        ("force-unwrap or implicitly unwrapped optional", "let a = b!", "let a = b != c && !d"),
        ("force-unwrap or implicitly unwrapped optional", "let a = f(b)!.c", "if !f(b) {}"),
        ("force-unwrap or implicitly unwrapped optional", "let a = b[0]!", "guard !b[0], !c else { return }"),
        ("force-unwrap or implicitly unwrapped optional", "var a: Int!", "var a: Int?"),
        ("force-unwrap or implicitly unwrapped optional", #"print("x \(a!)")"#, #"print("Beware!")"#),
        ("force-unwrap or implicitly unwrapped optional", "a = b! // why", "a = b // why!"),
        ("try!", "let a = try! f()", "let a = try? f()"),
        ("as!", "let a = b as! C", "let a = b as? C"),
        ("fatalError, precondition or assertion", "fatalError()", "// fatalError()"),
        ("fatalError, precondition or assertion", "precondition(a > 0)", #"let text = "precondition(a)""#),
        ("fatalError, precondition or assertion", "preconditionFailure(\"no\")", "/* preconditionFailure() */"),
        ("fatalError, precondition or assertion", "assert(a)", "insert(a)"),
        ("@unchecked Sendable", "final class A: @unchecked Sendable {}", "final class A: Sendable {}"),
        ("nonisolated(unsafe)", "nonisolated(unsafe) var a = 1", "nonisolated var a: Int { 1 }"),
        ("a task of its own", "Task { await f() }", "group.addTask { await f() }"),
        ("a task of its own", "Task.detached { await f() }", "Task.isCancelled"),
        ("a task of its own", "Task(priority: .high) { await f() }", "withTaskGroup(of: Int.self) { group in }"),
        ("sleeping", "try await Task.sleep(for: .seconds(1))", "let sleepers = 3"),
        ("sleeping", "usleep(10)", "poll(&a, 1, -1)"),
    ])
    func trapsAreSeen(_ rule: String, _ bad: String, _ good: String) throws {
        #expect(try offences(of: rule, in: "func f() {\n\(bad)\n}") == [2])
        #expect(try offences(of: rule, in: "func f() {\n\(good)\n}") == [])
    }

    @Test func everyTrapRuleHasASnippet() {
        // The list above names each rule of the table.
        #expect(
            Set(Rule.traps.map(\.name)) == [
                "force-unwrap or implicitly unwrapped optional", "try!", "as!", "fatalError, precondition or assertion",
                "@unchecked Sendable", "nonisolated(unsafe)", "a task of its own", "sleeping",
            ])
    }

    @Test func commentsAndStringsAreNoCode() {
        let text = """
            let a = "one \\(two("three")) four" // five
            /* six /* seven */ eight */ let b = #"nine "ten" \\#(eleven)"#
            """
        let words = CodeOnly.of(text).split { !$0.isLetter }.map(String.init)
        #expect(words == ["let", "a", "two", "let", "b", "eleven"])
        #expect(CodeOnly.of("a\n\"\"\"\nb \"c\"\n\"\"\"\nd").split { !$0.isLetter } == ["a", "d"])
    }

    private let layers = Layers(
        manifest: """
            let layers = [
                ("Wire", []),
                ("HCI", ["Wire"]),
                ("Host", ["Wire", "HCI"]),
                ("HCITransport", ["Wire", "HCI", "CHCI"]),
            ]
            """)

    @Test(arguments: [
        ("HCI", "public import Wire", true), ("HCI", "import Host", false), ("HCI", "import Glibc", false),
        ("HCI", "import HCITransport", false), ("HCI", "import Foundation", false), ("HCI", "import CHCI", false),
        ("HCI", "import FoundationEssentials", false), ("HCI", "import struct Wire.Address", true),
        ("HCI", "@preconcurrency import Dispatch", false), ("HCITransport", "import Glibc", true),
        ("HCITransport", "import CHCI", true), ("HCITransport", "import Host", false),
        ("HCITransport", "import Foundation", false), ("HeartRateApp", "import HCITransport", true),
        ("HeartRateApp", "import Glibc", true), ("HeartRateApp", "import Foundation", false),
        ("HeartRateApp", "import CHCI", false), ("Host", "// import Glibc", true),
    ])
    func importsAcrossTheLinesAreSeen(_ target: String, _ line: String, _ isAllowed: Bool) {
        let file = SwiftSource(path: "Sources/\(target)/File.swift", text: line)
        #expect(layers.importRule.offences(file).isEmpty == isAllowed)
    }

    @Test func aTableThatPointsUpIsSeen() {
        let upside = Layers(manifest: "(\"Wire\", [\"HCI\"]),\n(\"HCI\", []),")
        #expect(upside.upwardUses == ["Wire uses HCI"])
        #expect(layers.upwardUses == [])
    }

    @Test func longFilesAndCrowdedFoldersAreSeen() {
        let line = "let a = 1\n"
        #expect(Rule.length.offences(SwiftSource(path: "A.swift", text: String(repeating: line, count: 500))) == [])
        #expect(Rule.length.offences(SwiftSource(path: "A.swift", text: String(repeating: line, count: 501))) == [502])
        let files = (0..<3).map { SwiftSource(path: "Sources/X/\($0).swift", text: "") }
        #expect(Rule.crowdedFolders(in: files, limit: 2) == ["Sources/X"])
        #expect(Rule.crowdedFolders(in: files, limit: 3) == [])
    }

    @Test(arguments: [
        ("public func f() {}", true), ("/// Does.\npublic func f() {}", false), ("func f() {}", false),
        ("/// Does.\n@inlinable\npublic func f() {}", false), ("// Not this.\npublic struct A {}", true),
        ("public import Wire", false), ("public var description: String { \"\" }", false),
        ("public mutating func required(_ a: Int) {}", false), ("public static let a = f()", true),
        ("public static let success = Status(0x0D)", false),
        ("public init(_ a: Int) {}", false), ("public private(set) var a = 0", true),
        ("public static let success: Self = .init(rawValue: 0)", false), ("public var a: Int { 1 }", true),
        ("public var a = 0\nmutating func fields<Pass: FieldPass>(_ pass: inout Pass) {}", false),
        ("public var a: Int { 1 }\nmutating func fields<Pass: FieldPass>(_ pass: inout Pass) {}", true),
        ("@inlinable public func f() {}", true), ("public static func + (a: A, b: A) -> A { a }", true),
        ("public static func < (a: A, b: A) -> Bool { true }", false),
    ])
    func publicNamesWithoutDocumentationAreSeen(_ text: String, _ isOffence: Bool) {
        let own = SwiftSource(path: "P.swift", text: "public protocol P {\n    mutating func required(_ a: Int)\n}\n")
        let rule = Rule.undocumented(witnesses: Rule.standardWitnesses.union(Rule.witnesses(declaredIn: [own])))
        #expect(rule.offences(SwiftSource(path: "A.swift", text: text)).isEmpty != isOffence)
    }

    @Test func anAllowanceCoversItsRuleInItsFileOnly() throws {
        let rule = try #require(Rule.traps.first { $0.name == "try!" })
        let files = ["A", "B"].map { SwiftSource(path: "Sources/X/\($0).swift", text: "try! f()") }
        let allowance = Allowance(rule: "try!", path: "Sources/X/A.swift", reason: "a test")
        #expect(rule.offences(in: files, except: [allowance]).map(\.path) == ["Sources/X/B.swift"])
        let other = Allowance(rule: "as!", path: "Sources/X/A.swift", reason: "a test")
        #expect(rule.offences(in: files, except: [other]).count == 2)
    }
}
