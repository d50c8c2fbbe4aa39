import Glibc

/// A folder in which another program keeps its state, read only.
public struct StateFolder: Sendable {
    /// Where it is.
    public let path: String

    public init(_ path: String) { self.path = path }

    /// The names in it, sorted, without `.` and `..`, at most so many; `nil` where there is no such folder.
    public func names(atMost limit: Int) throws(StateFile.Obstacle) -> [String]? {
        guard let stream = unsafe opendir(path) else {
            switch errno {
            case ENOENT: return nil
            case EACCES, EPERM: throw .notPermitted
            case ENOTDIR: throw .noFile
            default: throw .system(errno: errno)
            }
        }
        unsafe closedir(stream)
        return Array(Files.names(in: path, atMost: limit))
    }

    /// A file in it.
    public func file(_ name: String) -> StateFile { StateFile(name, in: path) }

    /// A folder in it.
    public func folder(_ name: String) -> StateFolder { StateFolder("\(path)/\(name)") }
}
