public import Capture
import Glibc

/// Why a capture file, or the rest of it, cannot be read. Every record before that has been handed out.
public enum CaptureFileError: Error, Hashable, Sendable {
    /// The system gives nothing; `errno` says why.
    case unreadable(errno: Int32)
    /// The file is compressed, and damaged as such.
    case compression(GzipError)
    /// What the file holds is no capture, or a damaged one.
    case capture(CaptureError)
}

extension CaptureFileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let number): unsafe String(cString: strerror(number))
        case .compression(let error): error.description
        case .capture(let error): error.description
        }
    }
}
