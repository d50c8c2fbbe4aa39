import CHCI
import Glibc

/// A small file of the user's in which the program keeps something from run to run: for its owner alone, replaced as a whole, on
/// disk when that is done.
public struct StateFile: Sendable {
    let folder: String
    /// Where it is.
    public let path: String
    /// Called before each step that changes something on disk, and after the last: a test ends the process there.
    package var onStep: (@Sendable () -> Void)?

    /// More than this is none of ours.
    public static let longest = 1 << 20

    /// - Parameters:
    ///   - name: of the file; no path
    ///   - folder: best `UserFolders.state`; made when it is needed
    public init(_ name: String, in folder: String) {
        self.folder = folder
        path = "\(folder)/\(name)"
    }

    /// - Parameter path: of the file
    public init(path: String) {
        let slash = path.lastIndex(of: "/")
        folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        self.path = path
    }

    /// Replaces the content: a reader, and a machine that loses its power, sees the old one or the new one, whole.
    ///
    /// - Throws: `TransportError.cannotCreate` or `.cannotWrite`; the old content then remains, unless the disk fails at the last step
    public func replace(with content: [UInt8]) throws(TransportError) {
        // Of two processes at once the later one wins; neither writes into the other's draft.
        try replace(with: content, draft: "\(path).\(getpid())")
    }

    func replace(with content: [UInt8], draft: String) throws(TransportError) {
        guard Files.makeFolder(folder) else { throw .cannotCreate(path: folder, errno: errno) }
        do throws(TransportError) {
            try write(content, to: draft)
            step()
            guard unsafe rename(draft, path) == 0 else { throw .cannotCreate(path: path, errno: errno) }
        } catch {
            unsafe _ = unlink(draft)
            throw error
        }
        step()
        // The new name is on disk only when the folder is.
        try Files.flush(folder)
        step()
    }

    private func write(_ content: [UInt8], to draft: String) throws(TransportError) {
        step()
        // What a killed run left may be open to others, who would read on.
        unsafe _ = unlink(draft)
        step()
        let result = OwnedDescriptor.opened(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        guard result >= 0 else { throw .cannotCreate(path: draft, errno: -result) }
        let file = OwnedDescriptor(result)
        step()
        let failure = Files.append(content, to: file.number)
        guard failure == 0 else { throw .cannotWrite(path: path, errno: failure) }
        step()
        guard fsync(file.number) == 0 else { throw .cannotWrite(path: path, errno: errno) }
    }

    func step() { onStep?() }

    /// How many files of one name that were moved out of the way may lie there.
    private static let mostSetAside = 100

    /// Moves the file out of the way under another name, so that its content can still be looked at. One that was moved before stays.
    ///
    /// - Returns: the new path; `nil` where it could not be moved
    public func setAside() -> String? {
        for number in 1...Self.mostSetAside {
            let aside = path + ".damaged" + (number == 1 ? "" : ".\(number)")
            step()
            let result = unsafe chci_rename_without_replacing(path, aside)
            if result == -EEXIST { continue }
            guard result == 0 else { return nil }
            step()
            try? Files.flush(folder)
            step()
            return aside
        }
        return nil
    }
}
