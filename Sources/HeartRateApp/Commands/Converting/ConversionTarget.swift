import Capture

/// What a conversion is to make.
struct ConversionTarget {
    /// `-` is standard output.
    var path: String
    var format: Format

    enum Format {
        /// This one.
        case exact(CaptureFormat)
        /// The variant of a container that suits what is converted.
        case suited(CaptureFormat.Container)
    }

    /// Whether the file is to be compressed.
    var isCompressed: Bool { path.lowercased().hasSuffix(Self.compressedEnding) }

    private static let compressedEnding = ".gz"

    /// The container that a file's name tells by its ending.
    static func container(ofNameIn path: String) -> CaptureFormat.Container? {
        var name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        if name.lowercased().hasSuffix(compressedEnding) { name.removeLast(compressedEnding.count) }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let ending = parts.last else { return nil }
        return CaptureFormat.Container(ending: String(ending))
    }

    /// The format for what is of `source`.
    func format(for source: CaptureFormat) -> CaptureFormat {
        switch format {
        case .exact(let format): format
        case .suited(let container): source.suited(to: container)
        }
    }
}
