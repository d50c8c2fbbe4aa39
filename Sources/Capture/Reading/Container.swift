/// How the records of one kind of capture file lie in it.
///
/// To add a kind of file: conform a type in a folder of its own and list it in `Containers`. It keeps what the file has said so
/// far, a byte order say; the octets themselves are the window's.
protocol Container: Sendable {
    /// Looks at the beginning of a file.
    static func recognise(_ window: CaptureWindow) throws(CaptureError) -> Recognition

    /// What the file is; may become known more exactly with its first octets.
    var format: CaptureFormat { get }

    /// Takes the next record off the window; `nil` where it is not whole yet, and at the end.
    mutating func next(_ window: inout CaptureWindow) throws(CaptureError) -> Record?
}

/// Whether a file is of one kind.
enum Recognition {
    case no
    /// It may be; more of the file will tell. Never the answer at the end of the file.
    case needsMore
    /// It is, and its records begin behind so many octets of header.
    case yes(any Container, header: Int)
}

enum Containers {
    /// In the order of asking: what has a mark of its own comes before what is known by its shape alone.
    static let all: [any Container.Type] = [
        BtsnoopReader.self, PcapReader.self, PcapngReader.self, PacketLoggerReader.self, H4StreamReader.self,
    ]

    /// What a file is by its beginning.
    static func recognise(_ window: CaptureWindow) throws(CaptureError) -> Recognition {
        guard window.available > 0 else {
            if window.isFinished { throw .empty }
            return .needsMore
        }
        for container in all {
            let recognition = try container.recognise(window)
            if case .no = recognition { continue }
            return recognition
        }
        // What it is instead may take a few octets more to tell.
        if window.available < longestMark, !window.isFinished { return .needsMore }
        throw otherKind(of: window).map(CaptureError.unsupportedContainer) ?? .notACapture
    }

    /// What other kinds of file begin with that people take for captures, or pack captures in.
    private static let otherMarks: [(octets: [UInt8], name: String)] = [
        ([0x1F, 0x8B], "gzip"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"),
        ([0x42, 0x5A, 0x68], "bzip2"), ([0x50, 0x4B, 0x03, 0x04], "zip"),
        ([0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00, 0x00, 0x00], "snoop"),
    ]

    private static let longestMark = otherMarks.map(\.octets.count).max() ?? 0

    /// The name of a kind of file that is known and not read.
    private static func otherKind(of window: CaptureWindow) -> String? {
        otherMarks.first { window.available >= $0.octets.count && window.begins(with: $0.octets) }?.name
    }
}
