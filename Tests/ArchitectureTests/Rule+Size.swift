extension Rule {
    /// A file that nobody reads to the end.
    static let length = Rule(name: "more than 500 lines") { $0.lines.count > 501 ? [$0.lines.count] : [] }

    /// Folders with more than `limit` Swift files.
    static func crowdedFolders(in files: [SwiftSource], limit: Int = 200) -> [String] {
        Dictionary(grouping: files) { $0.path.split(separator: "/").dropLast().joined(separator: "/") }
            .filter { $0.value.count > limit }.keys.sorted()
    }
}
