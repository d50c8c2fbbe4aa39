extension Rule {
    /// A public declaration without a documentation comment.
    ///
    /// Exempt is what has its meaning from elsewhere: witnesses of a protocol's members, initialisers (their type and their
    /// parameters say what they do), and, under the specification's own names, assigned numbers and the fields of packets.
    static func undocumented(witnesses: Set<String>) -> Rule {
        Rule(name: "a public declaration without documentation") { file in
            let isPacketFile = !file.lines(matching: #/\bfunc fields<Pass:/#).isEmpty
            return file.code.indices.filter { index in
                guard let declaration = PublicDeclaration(file.code[index]) else { return false }
                return !declaration.isAssignedNumber && !(isPacketFile && declaration.isStored)
                    && declaration.keyword != "init" && !witnesses.contains(declaration.name)
                    && !isDocumented(file.lines, at: index)
            }.map { $0 + 1 }
        }
    }

    /// What the standard library's protocols ask for.
    static let standardWitnesses: Set<String> = [
        "description", "debugDescription", "hash", "rawValue", "RawValue", "makeIterator", "makeAsyncIterator", "next",
        "Element", "<", "==", "allCases", "startIndex", "endIndex", "index", "enqueue", "unownedExecutor",
    ]

    /// The members of the protocols that `files` declare.
    static func witnesses(declaredIn files: [SwiftSource]) -> Set<String> {
        var names: Set<String> = []
        for file in files {
            var isInside = false
            for line in file.code {
                if line.contains(#/^\s*(public\s+)?protocol\s/#) { isInside = true }
                if line.hasPrefix("}") { isInside = false }
                guard isInside, let match = line.firstMatch(of: #/\b(func|var|associatedtype)\s+(\w+)/#) else {
                    continue
                }
                names.insert(String(match.2))
            }
        }
        return names
    }

    /// Whether a `///` line stands above the declaration, attributes between them.
    private static func isDocumented(_ lines: [String], at index: Int) -> Bool {
        for line in lines[..<index].reversed() {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("@") { continue }
            return text.hasPrefix("///")
        }
        return false
    }
}

/// A line that declares something public.
private struct PublicDeclaration {
    let line: String
    /// `func`, `var`, `struct` …
    let keyword: String
    let name: String

    init?(_ line: String) {
        let keywords =
            #/\b(func|var|let|struct|enum|class|actor|protocol|typealias|init|subscript|associatedtype)\b\s*(\w+|[<=>+*\/&|^~-]+)?/#
        guard line.contains(#/^\s*(@\w+(\([^)]*\))?\s+)*(public|open)\s+(?!import|extension)/#),
            let match = line.firstMatch(of: keywords)
        else { return nil }
        self.line = line
        keyword = String(match.1)
        name = String(match.2 ?? match.1)
    }

    /// `static let success = Status(0x00)`, `static let privacy = LEFeatures(rawValue: 1 << 6)` and their like.
    var isAssignedNumber: Bool {
        line.contains(#/static let `?\w+`?(: [\w.]+)? = [\w.]*\(?(rawValue: )?(1 << \d+|(0x)?[0-9A-Fa-f_]+)\)?\s*$/#)
    }

    var isStored: Bool { (keyword == "var" || keyword == "let") && !line.contains("static") && !line.contains("{") }
}
