/// Where the checked-in test data lies.
public enum Fixtures {
    /// The package's root folder, found from this file's own place.
    public static var packageRoot: String {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/")
    }

    /// The path of a file below `Tests/Fixtures`.
    public static func path(_ name: String) -> String { packageRoot + "/Tests/Fixtures/" + name }
}
