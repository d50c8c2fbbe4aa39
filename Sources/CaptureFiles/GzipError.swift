/// Why the rest of a gzip file cannot be decompressed. Everything before the place named has been handed out.
public enum GzipError: Error, Hashable, Sendable {
    /// The compressed octets contradict themselves; zlib says how.
    ///
    /// - Parameter offset: where, in octets from the start of the compressed file
    case damaged(offset: Int, String)
    /// The file ends before its last member does.
    case cut(offset: Int)
    /// Behind the last member there is something that is no other.
    case notAMember(offset: Int)
    /// There is no memory for zlib.
    case outOfMemory
}

extension GzipError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .damaged(let offset, let text): "the gzip data is damaged at offset \(offset): \(text)"
        case .cut(let offset): "the gzip data is cut: it ends at offset \(offset) before it is complete"
        case .notAMember(let offset): "at offset \(offset) there is something behind the gzip data that is none"
        case .outOfMemory: "there is no memory to decompress in"
        }
    }
}
