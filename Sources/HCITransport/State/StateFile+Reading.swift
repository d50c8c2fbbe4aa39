import Glibc

extension StateFile {
    /// What is in the file.
    public struct Content: Hashable, Sendable {
        /// All of it.
        public var octets: [UInt8]
        /// Whether others than its owner may read it, or write it.
        public var isOpenToOthers: Bool

        public init(octets: [UInt8], isOpenToOthers: Bool) {
            self.octets = octets
            self.isOpenToOthers = isOpenToOthers
        }
    }

    /// Why a file that is there is not read.
    public enum Obstacle: Error, Hashable, Sendable {
        /// A symbolic link, which is not followed.
        case link
        /// A folder, a device, a pipe.
        case noFile
        /// Another user's, who could have put anything there.
        case foreign
        /// Longer than anything that this program keeps.
        case tooLong
        /// Permission is missing.
        case notPermitted
        /// Anything else; the number is `errno`.
        case system(errno: Int32)
    }

    /// The content; `nil` where there is no file.
    public func content() throws(Obstacle) -> Content? {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        let result = OwnedDescriptor.opened(path, flags, mode: 0)
        switch -result {
        case ENOENT: return nil
        case ELOOP: throw .link
        case EACCES, EPERM: throw .notPermitted
        case ENXIO: throw .noFile
        case 1...: throw .system(errno: -result)
        default: break
        }
        let file = OwnedDescriptor(result)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw .system(errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .noFile }
        guard status.st_uid == geteuid() || status.st_uid == 0 else { throw .foreign }
        return Content(octets: try read(file), isOpenToOthers: status.st_mode & 0o077 != 0)
    }

    private func read(_ file: borrowing OwnedDescriptor) throws(Obstacle) -> [UInt8] {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while content.count <= Self.longest {
            let count = unsafe Glibc.read(file.number, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno: errno) }
            if count == 0 { return content }
            content += buffer[..<count]
        }
        throw .tooLong
    }

    /// The whole content; `nil` where there is no file that may be read, or one too long.
    public func read() -> [UInt8]? { (try? content())?.octets }

    /// Whether there is something of that name, be it readable or not.
    public var isThere: Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Has the file be for its owner alone. Answers whether it is.
    public func closeToOthers() -> Bool {
        guard let file = try? OwnedDescriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW) else {
            return false
        }
        return fchmod(file.number, 0o600) == 0
    }
}
