import Glibc

/// A small file of the user's in which the program keeps something from run to run: for its owner alone, replaced as a whole, on
/// disk when that is done.
public struct StateFile: Sendable {
    private let folder: String
    /// Where it is.
    public let path: String

    /// More than this is none of ours.
    public static let longest = 1 << 20

    /// - Parameters:
    ///   - name: of the file; no path
    ///   - folder: best `UserFolders.state`; made when it is needed
    public init(_ name: String, in folder: String) {
        self.folder = folder
        path = "\(folder)/\(name)"
    }

    /// The whole content; `nil` where there is no file that may be read, or one too long.
    public func read() -> [UInt8]? {
        guard let file = try? OwnedDescriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW) else {
            return nil
        }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while content.count <= Self.longest {
            let count = unsafe Glibc.read(file.number, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return content }
            content += buffer[..<count]
        }
        return nil
    }

    /// Whether there is something of that name, be it readable or not.
    public var isThere: Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Replaces the content: a reader, and a machine that loses its power, sees the old one or the new one, whole.
    ///
    /// - Throws: `TransportError.cannotCreate` or `.cannotWrite`; the old content then remains
    public func replace(with content: [UInt8]) throws(TransportError) {
        guard Files.makeFolder(folder) else { throw .cannotCreate(path: folder, errno: errno) }
        let draft = "\(path).\(getpid())"
        do throws(TransportError) {
            try write(content, to: draft)
            guard unsafe rename(draft, path) == 0 else { throw .cannotCreate(path: path, errno: errno) }
        } catch {
            unsafe _ = unlink(draft)
            throw error
        }
        // The new name is on disk only when the folder is.
        if let folder = try? OwnedDescriptor(opening: folder, O_RDONLY | O_DIRECTORY) { _ = fsync(folder.number) }
    }

    private func write(_ content: [UInt8], to draft: String) throws(TransportError) {
        let file = try OwnedDescriptor(opening: draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
        // A draft that a killed run left keeps its mode; the new content is for the owner alone all the same.
        guard fchmod(file.number, 0o600) == 0 else { throw .cannotCreate(path: draft, errno: errno) }
        let failure = Files.append(content, to: file.number)
        guard failure == 0 else { throw .cannotWrite(path: path, errno: failure) }
        guard fsync(file.number) == 0 else { throw .cannotWrite(path: path, errno: errno) }
    }

    /// Moves the file out of the way under another name, so that its content can still be looked at; an older one of that name goes.
    ///
    /// - Returns: the new path; `nil` where it could not be moved
    public func setAside() -> String? {
        let aside = path + ".damaged"
        return unsafe rename(path, aside) == 0 ? aside : nil
    }
}
